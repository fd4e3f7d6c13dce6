/** A bank: a PIN first, accounts, a transfer that is reviewed and slid to confirm; pictures of it are forbidden. */
import { app, type Screen } from '../android/app.ts';
import { step } from '../android/moves.ts';
import { PLATFORM } from '../android/platform-texts.ts';
import { type View, viewsOf } from '../android/view.ts';
import { fill, words } from '../android/words.ts';

export interface BankState {
  readonly page: 'login' | 'accounts' | 'form' | 'review' | 'done';
  readonly pin: string;
  readonly wrong: boolean;
  readonly balance: number;
  readonly to: string;
  readonly iban: string;
  readonly amount: string;
  readonly transfers: readonly { readonly to: string; readonly iban: string; readonly cents: number }[];
}
type V = View<BankState>;

const ui = viewsOf<BankState>();
/** The PIN of this invented bank. */
export const BANK_PIN = '2468';

const texts = words({
  ...PLATFORM,
  app: 'Meadow Bank | Wiesenbank | Banco Prado | بنك المرج | ミドリ銀行 | मैदान बैंक',
  pin: 'PIN | PIN | PIN | رقم التعريف | 暗証番号 | पिन',
  login: 'Log in | Anmelden | Iniciar sesión | تسجيل الدخول | ログイン | लॉग इन करें',
  wrong: 'Wrong PIN | Falsche PIN | PIN incorrecto | رقم غير صحيح | 暗証番号が違います | पिन गलत है',
  accounts: 'Accounts | Konten | Cuentas | الحسابات | 口座 | खाते',
  current: 'Current account | Girokonto | Cuenta corriente | الحساب الجاري | 普通預金 | चालू खाता',
  transfer: 'New transfer | Neue Überweisung | Nueva transferencia | تحويل جديد | 新しい振込 | नया ट्रांसफ़र',
  to: 'Recipient | Empfänger | Destinatario | المستلم | 受取人 | पाने वाला',
  iban: 'IBAN | IBAN | IBAN | IBAN | 口座番号 | खाता संख्या',
  amount: 'Amount in euros | Betrag in Euro | Importe en euros | المبلغ باليورو | 金額（ユーロ） | यूरो में रकम',
  on: 'Continue | Weiter | Continuar | متابعة | 次へ | जारी रखें',
  review:
    'Review transfer | Überweisung prüfen | Revisar transferencia | مراجعة التحويل | 振込内容の確認 | ट्रांसफ़र की समीक्षा',
  says: '{} to {} | {} an {} | {} a {} | {} إلى {} | {} → {} | {} → {}',
  slide:
    'Slide to pay | Zum Bezahlen schieben | Desliza para pagar | اسحب للدفع | スライドして支払う | भुगतान के लिए स्लाइड करें',
  done: 'Transfer sent | Überweisung ausgeführt | Transferencia enviada | تم إرسال التحويل | 振込が完了しました | ट्रांसफ़र भेज दिया गया',
  logout: 'Log out | Abmelden | Cerrar sesión | تسجيل الخروج | ログアウト | लॉग आउट करें',
});
type Key = keyof ReturnType<typeof texts.in>;

const money = (cents: number) => `€${(cents / 100).toFixed(2)}`;
const centsOf = (text: string) => Math.round(Number(text.replace(',', '.')) * 100);

/** An IBAN in groups of four, as banks show it. */
const ibanShape = (text: string) =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 34)
    .replace(/(.{4})(?=.)/g, '$1 ');

const login = (s: BankState): BankState =>
  s.pin === BANK_PIN ? { ...s, page: 'accounts', pin: '', wrong: false } : { ...s, pin: '', wrong: true };
const review = (s: BankState): BankState =>
  s.to.trim() !== '' && s.iban.length > 14 && centsOf(s.amount) > 0 ? { ...s, page: 'review' } : s;
const pay = (s: BankState): BankState => {
  const cents = centsOf(s.amount);
  return {
    ...s,
    page: 'done',
    balance: s.balance - cents,
    transfers: [...s.transfers, { to: s.to, iban: s.iban, cents }],
  };
};

export const bank = app<BankState, Key>({
  package: 'org.example.bank.android',
  icon: '🏛',
  toolkit: 'views',
  words: texts,
  start: () => ({
    page: 'login',
    pin: '',
    wrong: false,
    balance: 184_250,
    to: '',
    iban: '',
    amount: '',
    transfers: [],
  }),
  // Whoever leaves the app has to give the PIN again.
  opened: (s) => ({ ...s, page: 'login', pin: '', wrong: false }),
  screen(s, t) {
    const go =
      (page: BankState['page']) =>
      (state: BankState): BankState => ({ ...state, page });
    const page = (
      title: string,
      activity: string,
      back: BankState['page'] | null,
      body: V[],
    ): Screen<BankState> => ({
      title,
      activity,
      secure: true,
      ...(back === null ? {} : { back: go(back) }),
      body: ui.column({ h: 'fill', pad: [0, 16], gap: 12 }, [
        ui.row({ id: 'toolbar', h: 56, gap: 8 }, [
          back === null ? null : ui.iconButton('←', t.back, go(back)),
          ui.heading(title, { id: 'toolbar_title', grow: 1 }),
        ]),
        ...body,
      ]),
    });
    switch (s.page) {
      case 'login':
        return page(t.app, 'LoginActivity', null, [
          ui.field({
            id: 'pin',
            value: s.pin,
            hint: t.pin,
            ime: 'go',
            password: true,
            sensitive: true,
            typed: (state, pin) => ({ ...state, pin }),
            submitted: login,
            ...(s.wrong ? { error: t.wrong } : {}),
          }),
          ui.button(t.login, login, { id: 'login' }),
        ]);
      case 'accounts':
        return page(t.accounts, 'AccountsActivity', null, [
          ui.card({ id: 'account', pad: 16 }, [
            ui.text(t.current, { id: 'account_name' }),
            ui.text(money(s.balance), { id: 'account_balance', size: 28 }),
          ]),
          ...s.transfers.map((one, index) =>
            ui.text(fill(t.says, money(one.cents), one.to), { id: 'transfer', key: `t${index}` }),
          ),
          ui.button(t.transfer, (state) => ({ ...state, page: 'form', to: '', iban: '', amount: '' }), {
            id: 'new_transfer',
          }),
          ui.button(t.logout, (state) => step({ ...state, page: 'login' }, { ask: 'hide_keyboard' }), {
            id: 'logout',
          }),
        ]);
      case 'form':
        return page(t.transfer, 'TransferActivity', 'accounts', [
          ui.field({
            id: 'recipient',
            value: s.to,
            hint: t.to,
            ime: 'next',
            typed: (state, to) => ({ ...state, to }),
          }),
          ui.field({
            id: 'iban',
            value: s.iban,
            hint: t.iban,
            ime: 'next',
            typed: (state, text) => ({ ...state, iban: ibanShape(text) }),
          }),
          ui.field({
            id: 'amount',
            value: s.amount,
            hint: t.amount,
            ime: 'done',
            typed: (state, text) => ({ ...state, amount: text.replace(/[^\d.,]/g, '') }),
          }),
          ui.button(t.on, review, { id: 'continue' }),
        ]);
      case 'review':
        return page(t.review, 'ReviewActivity', 'form', [
          ui.text(fill(t.says, money(centsOf(s.amount)), s.to), { id: 'summary', size: 20 }),
          ui.text(s.iban, { id: 'summary_iban' }),
          ui.frame({ id: 'slide_to_pay', description: t.slide, h: 64, fill: '#c4eed0', slid: pay }, [
            ui.text(t.slide, { id: 'slide_label', place: 'center' }),
          ]),
          ui.button(t.cancel, go('accounts'), { id: 'cancel' }),
        ]);
      case 'done':
        return page(t.done, 'DoneActivity', 'accounts', [ui.button(t.ok, go('accounts'), { id: 'ok' })]);
    }
  },
});
