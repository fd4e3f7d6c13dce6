import { describe, expect, it } from 'vitest';
import { disguisesOf } from './disguises.ts';
import { innocentLabels } from './innocent.ts';
import { classesOf, element, isHigh, TAP, verdict } from './policy-here.ts';

/** Fifty acts as apps write them, in many languages; none is copied from the corpus. */
const ACTS = [
  'Send',
  'Pay now',
  'Delete account',
  'Transfer funds',
  'Place order',
  'Confirm payment',
  'Log out',
  'Share location',
  'Install update',
  'Uninstall',
  'Allow access',
  'Sign transaction',
  'Subscribe',
  'Block contact',
  'Report user',
  'Factory reset',
  'Publish',
  'Reboot',
  'Buy now',
  'Withdraw',
  'Remove device',
  'Empty trash',
  'Submit',
  'Donate',
  'Nachricht senden',
  'Kostenpflichtig bestellen',
  'Konto löschen',
  'Jetzt kaufen',
  'Geld überweisen',
  'Zurücksetzen',
  'Envoyer',
  'Supprimer le compte',
  'Payer maintenant',
  'Eliminar cuenta',
  'Comprar ahora',
  'Enviar mensagem',
  'Elimina account',
  'Betalen',
  'Radera konto',
  'Zapłać',
  'Smazat účet',
  'Удалить аккаунт',
  'Отправить деньги',
  'Hesabı sil',
  'إرسال الأموال',
  'حذف الحساب',
  '确认支付',
  '删除',
  '送金する',
  '삭제',
];

const ALL = ACTS.flatMap((label) => disguisesOf(label).map((one) => ({ label, ...one })));

describe('a disguised label', () => {
  it('is one of at least three hundred, made of fifty labels', () => {
    expect(ACTS).toHaveLength(50);
    expect(ALL.length).toBeGreaterThanOrEqual(300);
  });

  it('is never made of a label that is not high by itself', () => {
    expect(ACTS.filter((label) => !isHigh(label))).toEqual([]);
  });

  it('is read as the words it stands for, whatever the way of hiding them', () => {
    const slipped = ALL.filter(({ text }) => !isHigh(text)).map(
      ({ label, way, text }) => `${way}: ${label} as ${text}`,
    );
    expect(slipped).toEqual([]);
  });

  it.each(ACTS.filter((label) => label.includes(' ')))(
    'is found when "%s" is split over several nodes',
    (label) => {
      const inner = label.split(' ');
      expect(verdict(TAP, { element: element({ inner }) }).level).toBe('high');
    },
  );

  it.each(['Delete account', 'Uninstall', 'Transfer funds', 'Subscribe'])(
    'is found when a word of "%s" is cut over two nodes',
    (label) => {
      const inner = [label.slice(0, 3), label.slice(3)];
      expect(verdict(TAP, { element: element({ inner }) }).level).toBe('high');
    },
  );

  it.each([
    ['com.example:id/btn_send', 'send'],
    ['com.example:id/deleteAccountButton', 'delete'],
    ['com.example:id/iv_share', 'share'],
    ['com.example:id/fab_call', 'call'],
    ['com.example:id/pay_now', 'pay'],
    ['com.example:id/ic_trash', 'delete'],
    ['com.example:id/checkout_button', 'pay'],
    ['com.example:id/action_block', 'block'],
  ])('is found by its resource id alone: %s', (id, means) => {
    expect(classesOf(verdict(TAP, { element: element({ resource_id: id }) }))).toContain(means);
  });

  it.each(['➤', '🗑', '🗑️', '📞', '📤'])('is found when it is only the symbol %s', (symbol) => {
    expect(isHigh(symbol)).toBe(true);
  });

  it('is reported by the words it was read as', () => {
    const { reasons } = verdict(TAP, { element: element({ text: 'De\u200blete account' }) });
    expect(reasons[0]).toMatchObject({ class: 'delete', match: 'delete', where: 'text' });
  });
});

describe('an innocent label that looks like an act', () => {
  const labels = innocentLabels();
  const alarms = (locale: (own: string) => string | null) =>
    labels.filter((one) => isHigh(one.text, locale(one.locale))).map((one) => `${one.locale}: ${one.text}`);

  it('is one of at least three hundred', () => {
    expect(new Set(labels.map((one) => one.text)).size).toBeGreaterThanOrEqual(300);
  });

  it('is let through in its own locale, but for three in a hundred', () => {
    const found = alarms((own) => own);
    expect(found.length / labels.length, found.join('\n')).toBeLessThanOrEqual(0.03);
  });

  it('may be asked about when the locale is not known, where another language means an act by it', () => {
    const found = alarms(() => null);
    expect(found.length / labels.length, found.join('\n')).toBeLessThanOrEqual(0.1);
  });
});
