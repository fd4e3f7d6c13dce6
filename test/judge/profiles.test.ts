/** What the three profiles make of the same act, and that neither the owner's additions nor a second app loosen it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadPolicyBook } from '../../host/judge/load-policy.ts';
import { decide, mostCareful, profileOf } from '../../host/judge/profiles.ts';
import { freshFolder } from '../support/host-process.ts';
import { book, element, field, POLICIES, TAP, verdict } from './policy-here.ts';

const decisionOf = (
  profile: string,
  text: string,
  rest: { app?: string; emulator?: boolean; more?: object } = {},
) => {
  const { app, emulator = false, more = {} } = rest;
  const facts = { element: element({ text, ...more }), ...(app === undefined ? {} : { app }) };
  return verdict(TAP, facts, { profile, emulator }).decision;
};

const WHATSAPP = 'com.whatsapp';
const BANK = 'org.example.bank.android';

describe('a profile', () => {
  it('is balanced where none is named: ordinary acts pass, what matters is asked', () => {
    expect(book.profiles.default).toBe('balanced');
    const act = { element: element({ text: 'Send' }) };
    expect(verdict(TAP, act).decision).toBe('ask');
    expect(verdict(TAP, act)).toEqual(verdict(TAP, act, { profile: 'balanced' }));
    expect(decisionOf('balanced', 'Details')).toBe('allow');
    expect(decisionOf('balanced', 'Pay now', { emulator: true })).toBe('ask');
    expect(decisionOf('balanced', 'Details', { app: BANK })).toBe('ask');
  });

  it('watchful refuses money and installs, asks wherever a slip reaches others, and lets one look around', () => {
    for (const text of ['Pay now', 'Transfer funds', 'Uninstall', 'Allow access']) {
      expect(decisionOf('watchful', text), text).toBe('refuse');
    }
    expect(decisionOf('watchful', 'Send')).toBe('ask');
    expect(decisionOf('watchful', 'Details', { app: WHATSAPP })).toBe('ask');
    expect(decisionOf('watchful', 'Details', { app: BANK })).toBe('refuse');
    expect(decisionOf('watchful', 'Details')).toBe('allow');
    expect(verdict({ kind: 'scroll' }, { app: WHATSAPP }, { profile: 'watchful' }).decision).toBe('allow');
  });

  it('ci allows the usual acts on emulators only, and never money or an app whose category is always high', () => {
    const on = { emulator: true };
    for (const text of ['Send', 'Delete account', 'Share', 'Publish']) {
      expect(decisionOf('ci', text, on), text).toBe('allow');
      expect(decisionOf('ci', text), text).toBe('ask');
    }
    expect(decisionOf('ci', 'Send', { ...on, app: WHATSAPP })).toBe('allow');
    expect(decisionOf('ci', 'Pay now', on)).toBe('ask');
    expect(decisionOf('ci', 'Install', on)).toBe('ask');
    expect(decisionOf('ci', 'Send', { ...on, app: BANK })).toBe('ask');
    expect(decisionOf('ci', 'Send', { ...on, app: 'com.android.permissioncontroller' })).toBe('refuse');
  });

  it('decides by the most careful of several reasons and of two apps on the screen', () => {
    expect(mostCareful(['allow', 'refuse', 'ask'])).toBe('refuse');
    expect(mostCareful([])).toBe('allow');
    const split = { window: { kind: 'application', package: BANK, title: null } };
    expect(decisionOf('ci', 'Send', { emulator: true, more: split })).toBe('ask');
    expect(decisionOf('watchful', 'Send and pay now')).toBe('refuse');
  });

  it('allows nothing in an app of which it names only one of two categories', () => {
    const ci = profileOf(book.profiles, 'ci');
    const send = { class: 'send', packages: [], act: 'tap', emulator: true };
    expect(decide(ci, { ...send, categories: ['messaging'] })).toBe('allow');
    expect(decide(ci, { ...send, categories: ['messaging', 'settings'] })).toBe('ask');
  });

  it('asks where no rule of it fits', () => {
    const bare = { name: 'bare', rules: [] };
    const one = { class: 'low', categories: [], packages: [], act: 'tap', emulator: false };
    expect(decide(bare, one)).toBe('ask');
  });

  it('that is none is refused with the names there are', () => {
    expect(() => profileOf(book.profiles, 'lenient')).toThrow(/lenient.*watchful, balanced, ci/u);
  });

  it('knows only categories that apps.json has', () => {
    const used = Object.values(book.profiles.profiles).flatMap((one) =>
      one.rules.flatMap((rule) => rule.categories ?? []),
    );
    expect(used.filter((name) => name !== 'none' && !book.apps.categories.has(name))).toEqual([]);
  });
});

describe('an addition of the owner', () => {
  it('never makes a decision milder, whatever category or word it adds', () => {
    const folder = freshFolder('additions-');
    const apps = [...book.apps.categories.keys()].map((category) => ({
      package: `org.example.added.${category}`,
      category,
      why: 'tried',
    }));
    const own = { say: 'details', class: 'send', why: 'tried' };
    writeFileSync(join(folder.path, 'policy.json'), JSON.stringify({ apps, words: [own] }));
    const added = loadPolicyBook(POLICIES, folder.path);
    folder.remove();
    const RANK = { allow: 0, ask: 1, refuse: 2 };
    const acts = [
      [TAP, { element: element({ text: 'Next' }) }],
      [TAP, { element: element({ text: 'Send' }) }],
      [{ kind: 'press_key', key: 'enter' }, { field: field({ hint: 'Message' }) }],
      [{ kind: 'scroll' }, {}],
    ] as const;
    for (const { package: app } of apps) {
      for (const profile of ['watchful', 'balanced', 'ci']) {
        for (const [act, facts] of acts) {
          const rank = (policies: typeof book) => {
            const judged = verdict(act, { ...facts, app }, { profile, emulator: true }, policies);
            return RANK[judged.decision];
          };
          expect(rank(added), `${app} ${profile} ${act.kind}`).toBeGreaterThanOrEqual(rank(book));
        }
      }
    }
    expect(verdict(TAP, { element: element({ text: 'Details' }) }, {}, added).decision).toBe('ask');
  });
});
