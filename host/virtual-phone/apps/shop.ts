/** A shop in React Native: rows without words of their own, a slow list, a cart, a checkout that orders. */
import { app, type Screen } from '../android/app.ts';
import { type Step, step } from '../android/moves.ts';
import { PLATFORM } from '../android/platform-texts.ts';
import { type View, viewsOf } from '../android/view.ts';
import { fill, type Texts, words } from '../android/words.ts';

type Form = { readonly name: string; readonly street: string; readonly card: string; readonly code: string };
export interface ShopState {
  readonly loaded: boolean;
  readonly page: 'list' | 'product' | 'cart' | 'checkout' | 'thanks';
  readonly product: string | null;
  readonly cart: Readonly<Record<string, number>>;
  readonly form: Form;
  readonly problem: boolean;
  readonly ordering: boolean;
  readonly orders: readonly {
    readonly total: string;
    readonly items: Readonly<Record<string, number>>;
    readonly name: string;
  }[];
}
type V = View<ShopState>;

const ui = viewsOf<ShopState>();
const LOADING_MS = 1_200;
const ORDERING_MS = 1_500;
const EMPTY: Form = { name: '', street: '', card: '', code: '' };

const texts = words({
  ...PLATFORM,
  app: 'Shop | Laden | Tienda | المتجر | ショップ | दुकान',
  loading: 'Loading | Wird geladen | Cargando | جارٍ التحميل | 読み込み中 | लोड हो रहा है',
  add: 'Add to cart | In den Warenkorb | Añadir al carrito | أضف إلى السلة | カートに入れる | कार्ट में डालें',
  cart: 'Cart ({}) | Warenkorb ({}) | Carrito ({}) | السلة ({}) | カート ({}) | कार्ट ({})',
  empty:
    'Your cart is empty | Dein Warenkorb ist leer | Tu carrito está vacío | سلتك فارغة | カートは空です | आपका कार्ट खाली है',
  less: 'One less | Eins weniger | Uno menos | واحد أقل | 1 つ減らす | एक कम',
  total: 'Total: {} | Summe: {} | Total: {} | المجموع: {} | 合計: {} | कुल: {}',
  checkout: 'Go to checkout | Zur Kasse | Ir a la caja | الانتقال إلى الدفع | レジに進む | चेकआउट पर जाएं',
  order: 'Place order | Kostenpflichtig bestellen | Realizar pedido | إتمام الطلب | 注文を確定する | ऑर्डर करें',
  ordering:
    'Placing your order | Bestellung wird aufgegeben | Realizando el pedido | جارٍ إتمام الطلب | 注文しています | ऑर्डर किया जा रहा है',
  name: 'Full name | Vollständiger Name | Nombre completo | الاسم الكامل | 氏名 | पूरा नाम',
  street: 'Street and city | Straße und Ort | Calle y ciudad | الشارع والمدينة | 住所 | सड़क और शहर',
  card: 'Card number | Kartennummer | Número de tarjeta | رقم البطاقة | カード番号 | कार्ड नंबर',
  code: 'Security code | Prüfnummer | Código de seguridad | رمز الأمان | セキュリティ コード | सुरक्षा कोड',
  missing:
    'Please fill in every field | Bitte fülle alle Felder aus | Rellena todos los campos | يُرجى ملء جميع الحقول | すべての項目を入力してください | कृपया सभी फ़ील्ड भरें',
  thanks:
    'Thank you for your order | Danke für deine Bestellung | Gracias por tu pedido | شكرًا لطلبك | ご注文ありがとうございます | आपके ऑर्डर के लिए धन्यवाद',
  on: 'Continue shopping | Weiter einkaufen | Seguir comprando | متابعة التسوق | 買い物を続ける | खरीदारी जारी रखें',
  lamp: 'Desk lamp | Schreibtischlampe | Lámpara de mesa | مصباح مكتب | デスクランプ | टेबल लैंप',
  mug: 'Blue mug | Blaue Tasse | Taza azul | كوب أزرق | 青いマグカップ | नीला मग',
  bag: 'Canvas bag | Stofftasche | Bolsa de tela | حقيبة قماش | 布バッグ | कपड़े का थैला',
  clock: 'Wall clock | Wanduhr | Reloj de pared | ساعة حائط | 壁掛け時計 | दीवार घड़ी',
});
type Key = keyof ReturnType<typeof texts.in>;

const PRODUCTS = [
  { id: 'lamp', cents: 3_900 },
  { id: 'mug', cents: 1_250 },
  { id: 'bag', cents: 1_700 },
  { id: 'clock', cents: 4_200 },
] as const satisfies readonly { id: Key; cents: number }[];

const price = (cents: number) => `€${(cents / 100).toFixed(2)}`;
const count = (s: ShopState) => Object.values(s.cart).reduce((sum, n) => sum + n, 0);
const totalOf = (s: ShopState) =>
  price(PRODUCTS.reduce((sum, one) => sum + one.cents * (s.cart[one.id] ?? 0), 0));
const put =
  (id: string, by: number) =>
  (s: ShopState): ShopState => {
    const { [id]: before = 0, ...others } = s.cart;
    const after = before + by;
    return { ...s, cart: after > 0 ? { ...others, [id]: after } : others };
  };
const to =
  (page: ShopState['page']) =>
  (s: ShopState): ShopState => ({ ...s, page, problem: false });

function order(s: ShopState): ShopState | Step<ShopState> {
  if (s.ordering) return s;
  if (Object.values(s.form).some((text) => text.trim() === '')) return { ...s, problem: true };
  return step(
    { ...s, ordering: true, problem: false },
    { ask: 'hide_keyboard' },
    { ask: 'later', ms: ORDERING_MS, move: 'ordered' },
  );
}

function cartBar(s: ShopState, t: Texts<Key>): V {
  return ui.row({ pad: 12 }, [ui.button(fill(t.cart, count(s)), to('cart'), { id: 'cart', grow: 1 })]);
}

function titled(
  title: string,
  t: Texts<Key>,
  back: (s: ShopState) => ShopState,
  body: V[],
): Screen<ShopState> {
  return {
    title,
    activity: 'MainActivity',
    back,
    body: ui.column({ h: 'fill', pad: [0, 12], gap: 12 }, [
      ui.row({ h: 56, gap: 8 }, [ui.iconButton('‹', t.back, back), ui.heading(title, { grow: 1 })]),
      ...body,
    ]),
  };
}

function listPage(s: ShopState, t: Texts<Key>): Screen<ShopState> {
  const item = (one: (typeof PRODUCTS)[number]) =>
    ui.row(
      { key: one.id, pad: 12, gap: 12, tap: (state) => ({ ...state, page: 'product', product: one.id }) },
      [
        ui.image('▣', { w: 64, h: 64 }),
        ui.column({ grow: 1 }, [ui.text(t[one.id]), ui.text(price(one.cents), { size: 14 })]),
      ],
    );
  return {
    title: t.app,
    activity: 'MainActivity',
    body: ui.column({ h: 'fill' }, [
      ui.heading(t.app, { pad: 16 }),
      s.loaded
        ? ui.scroll({ id: 'products' }, PRODUCTS.map(item))
        : ui.progress({ description: t.loading, place: 'center', grow: 1 }),
      cartBar(s, t),
    ]),
  };
}

function cartPage(s: ShopState, t: Texts<Key>): Screen<ShopState> {
  const chosen = PRODUCTS.filter((one) => s.cart[one.id] !== undefined);
  const rows = chosen.map((one) =>
    ui.row({ key: one.id, gap: 8 }, [
      ui.text(`${s.cart[one.id]} × ${t[one.id]}`, { grow: 1 }),
      ui.text(price(one.cents * (s.cart[one.id] ?? 0))),
      ui.iconButton('−', t.less, put(one.id, -1)),
    ]),
  );
  return titled(fill(t.cart, count(s)), t, to('list'), [
    ...(rows.length === 0 ? [ui.text(t.empty)] : rows),
    ui.text(fill(t.total, totalOf(s)), { bold: true }),
    ui.button(t.checkout, rows.length === 0 ? null : to('checkout'), { id: 'checkout' }),
  ]);
}

function checkoutPage(s: ShopState, t: Texts<Key>): Screen<ShopState> {
  const edit = (part: keyof Form, shape = (text: string) => text) => ({
    value: s.form[part],
    hint: t[part],
    id: part,
    typed: (state: ShopState, text: string): ShopState => ({
      ...state,
      form: { ...state.form, [part]: shape(text) },
    }),
  });
  const groups = (text: string) =>
    text
      .replace(/\D/g, '')
      .slice(0, 16)
      .replace(/(\d{4})(?=\d)/g, '$1 ');
  return titled(t.checkout, t, to('cart'), [
    ui.field({ ...edit('name'), ime: 'next' }),
    ui.field({ ...edit('street'), ime: 'next' }),
    ui.field({ ...edit('card', groups), ime: 'next' }),
    ui.field({ ...edit('code'), ime: 'done', password: true }),
    ui.text(fill(t.total, totalOf(s)), { bold: true }),
    ...(s.problem ? [ui.text(t.missing, { id: 'problem', color: '#b3261e' })] : []),
    s.ordering
      ? ui.progress({ description: t.ordering, place: 'center' })
      : ui.button(t.order, order, { id: 'order', fill: '#0b57d0', color: '#ffffff' }),
  ]);
}

export const shop = app<ShopState, Key>({
  package: 'com.example.shop',
  icon: '🛍',
  toolkit: 'react_native',
  words: texts,
  start: () => ({
    loaded: false,
    page: 'list',
    product: null,
    cart: {},
    form: EMPTY,
    problem: false,
    ordering: false,
    orders: [],
  }),
  opened: (s) =>
    s.loaded
      ? s
      : step(s, { ask: 'forget', move: 'loaded' }, { ask: 'later', ms: LOADING_MS, move: 'loaded' }),
  screen(s, t) {
    switch (s.page) {
      case 'list':
        return listPage(s, t);
      case 'product': {
        const one = PRODUCTS.find((product) => product.id === s.product);
        if (one === undefined) return listPage(s, t);
        return titled(t[one.id], t, to('list'), [
          ui.image('▣', { h: 220, w: 'fill' }),
          ui.text(price(one.cents), { size: 22 }),
          ui.button(t.add, put(one.id, 1), { id: 'add' }),
          cartBar(s, t),
        ]);
      }
      case 'cart':
        return cartPage(s, t);
      case 'checkout':
        return checkoutPage(s, t);
      case 'thanks':
        return titled(t.thanks, t, to('list'), [ui.button(t.on, to('list'), { id: 'continue' })]);
    }
  },
  moves: {
    loaded: (s) => ({ ...s, loaded: true }),
    ordered: (s) => ({
      ...s,
      ordering: false,
      page: 'thanks',
      orders: [...s.orders, { total: totalOf(s), items: s.cart, name: s.form.name }],
      cart: {},
      form: EMPTY,
    }),
  },
});
