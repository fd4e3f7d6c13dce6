import { describe, expect, it } from 'vitest';
import { loadWordFiles } from '../../host/judge/load-words.ts';
import { disguisesOf } from './disguises.ts';
import { innocentLabels } from './innocent.ts';
import { classesOf, element, isHigh, POLICIES, TAP, verdict } from './policy-here.ts';

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

/** Another draw: COUNTERSIGN_SEED=7 npx vitest run test/judge/evasion.test.ts */
const SEED = Number(process.env.COUNTERSIGN_SEED ?? '1');

/** Fifty phrases of the word files, one to three whole words each, that are high by themselves. */
function otherLabels(seed: number): string[] {
  const phrases = loadWordFiles(POLICIES)
    .flatMap(({ words }) => words.entries.map((entry) => entry.say))
    .filter((say) => /^[^*…#'’‘-]{4,24}$/u.test(say) && say.split(' ').length <= 3 && isHigh(say));
  let state = seed >>> 0;
  const draw = () => {
    // mulberry32, public domain: the same on every machine.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return Array.from({ length: 50 }, () => phrases[Math.floor(draw() * phrases.length)] as string);
}

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

  it('is read so too when it is made of other labels, drawn by a seed from the words of all languages', () => {
    const others = otherLabels(SEED);
    const made = others.flatMap((label) => disguisesOf(label).map((one) => ({ label, ...one })));
    const slipped = made
      .filter(({ text }) => !isHigh(text))
      .map(({ way, label, text }) => `${way}: ${label} as ${text}`);
    process.stderr.write(
      `evasion: seed ${SEED}, ${made.length} disguises of other labels, ${slipped.length} slipped\n`,
    );
    expect(made.length).toBeGreaterThanOrEqual(300);
    // Some drawn words have no letter left in digits, or too many strokes that may be two letters each.
    expect(slipped.length / made.length, slipped.join('\n')).toBeLessThanOrEqual(0.01);
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

  it('is found when a blank cuts it, but a short word only where it is all there is', () => {
    expect(isHigh('De lete', 'en')).toBe(true);
    expect(isHigh('Se nd', 'en')).toBe(true);
    expect(isHigh('Pa y', 'en')).toBe(true);
    expect(isHigh('The se nd of it', 'en')).toBe(false);
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
    expect(found.length / labels.length, found.join('\n')).toBeLessThanOrEqual(0.035);
  });
});
