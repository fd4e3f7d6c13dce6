/** What an agent may see: apps withheld by category, and one-time codes masked wherever they stand. Pure functions. */
import { describe, expect, it } from 'vitest';
import { maskCodes } from '../../host/judge/one-time-codes.ts';
import { seeingOf, visibleTexts } from '../../host/judge/seeing.ts';
import { policy } from './policy-here.ts';

const CHAT = 'org.example.chat';
const BANK = 'org.example.bank.android';
const PASSWORDS = 'com.x8bit.bitwarden';
const seen = (texts: string[], circumstances = {}, app = CHAT) =>
  visibleTexts(
    texts.map((text) => ({ text, package: app })),
    policy(circumstances),
  );

describe('an app', () => {
  it('is withheld for good where nothing of it may be seen', () => {
    const shown = { shown: new Set([PASSWORDS, 'com.google.android.apps.authenticator2']) };
    for (const name of shown.shown) expect(seeingOf(name, null, policy(shown)).see, name).toBe(false);
    expect(seeingOf('dev.countersign.companion', null, policy(shown)).see).toBe(false);
  });

  it('is withheld until the owner allows that very app, where money is', () => {
    expect(seeingOf(BANK, null, policy())).toEqual({ see: false, withheld: 'banking' });
    expect(seeingOf(BANK, null, policy({ shown: new Set([BANK]) })).see).toBe(true);
    expect(seeingOf('com.coinbase.android', null, policy({ shown: new Set([BANK]) })).see).toBe(false);
    expect(seeingOf(CHAT, null, policy()).see).toBe(true);
  });

  it('shows nothing in a list of texts, while its neighbours do', () => {
    const texts = [
      { text: 'Balance 82.00', package: BANK },
      { text: 'Hello', package: CHAT },
    ];
    expect(visibleTexts(texts, policy())).toEqual([null, 'Hello']);
  });
});

describe('a one-time code', () => {
  it.each([
    ['Your verification code is 482913.', 'Your verification code is ••••••.'],
    ['G-482913 is your Google verification code', '•-•••••• is your Google verification code'],
    ['Code: 482 913', 'Code: ••• •••'],
    ['Dein Bestätigungscode lautet 4829', 'Dein Bestätigungscode lautet ••••'],
    ['Votre code de vérification : 482913', 'Votre code de vérification : ••••••'],
    ['Tu código es 482913', 'Tu código es ••••••'],
    ['验证码：482913，请勿泄露', '验证码：••••••，请勿泄露'],
    ['認証コード 482913', '認証コード ••••••'],
    ['رمز التحقق ٤٨٢٩١٣', 'رمز التحقق ••••••'],
    ['Your code is A1B2C3', 'Your code is ••••••'],
  ])('in "%s" is covered', (text, covered) => {
    expect(seen([text])).toEqual([covered]);
  });

  it('is covered where its words stand in the line beside it, of the same app', () => {
    expect(seen(['Your security code', '482913'])).toEqual(['Your security code', '••••••']);
    expect(seen(['482913', 'is your security code'])[0]).toBe('••••••');
    const texts = [
      { text: 'Your security code', package: 'org.example.mail' },
      { text: '482913', package: CHAT },
    ];
    expect(visibleTexts(texts, policy())[1]).toBe('482913');
  });

  it.each(['Order 482913', 'See you at 1830', 'Call 5550100', 'Postal code 10115', '€ 1234', 'In 2026'])(
    'is not seen in "%s"',
    (text) => {
      expect(seen([text])).toEqual([text]);
    },
  );

  it('stays where the agent may see codes', () => {
    const text = 'Your verification code is 482913.';
    expect(seen([text], { codes_shown: true })).toEqual([text]);
  });

  it('leaves dates, prices, times and addresses of the same text', () => {
    const text = 'Code 4829 until 12:30 on 24.12.2026, 10,500 points, +15550100';
    expect(maskCodes(text)).toBe('Code •••• until 12:30 on 24.12.2026, 10,500 points, +15550100');
  });
});
