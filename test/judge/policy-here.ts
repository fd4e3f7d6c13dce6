/** The policy in this repository, compiled once for all tests of a file, and subjects made short. Not a fixture. */
import { join } from 'node:path';
import { judge } from '../../host/judge/judge.ts';
import { judgeLabel } from '../../host/judge/label-judge.ts';
import { type Circumstances, loadPolicyBook, policyFor } from '../../host/judge/load-policy.ts';
import type { Policy } from '../../host/judge/policy.ts';
import type { ElementFacts, JudgedAct, Subject } from '../../host/judge/subject.ts';
import { packageRoot } from '../../host/package-root.ts';

export const POLICIES = join(packageRoot(), 'policies');
export const book = loadPolicyBook(POLICIES, null);

export const policy = (circumstances: Partial<Circumstances> = {}): Policy => policyFor(book, circumstances);

/** Whether the words of a label alone are high; no locale: every language counts. */
export const isHigh = (text: string, locale: string | null = null): boolean =>
  judgeLabel(book.vocabulary, text, locale).length > 0;

export const APP = 'org.example.app';

export const element = (facts: Partial<ElementFacts> = {}): ElementFacts => ({
  text: null,
  description: null,
  hint: null,
  state: null,
  resource_id: null,
  class_name: 'android.widget.Button',
  editable: false,
  password: false,
  checkable: false,
  speaks_for_itself: false,
  touchable: true,
  dismissable: false,
  inner: [],
  ancestors: [],
  window: { kind: 'application', package: APP, title: null },
  beside_composer: null,
  ...facts,
});

export const field = (facts: Partial<ElementFacts> = {}): ElementFacts =>
  element({ class_name: 'android.widget.EditText', editable: true, ...facts });

export const TAP: JudgedAct = { kind: 'tap', count: 1, by: 'element' };

export const subject = (act: JudgedAct, rest: Partial<Subject> & { app?: string | null } = {}): Subject => {
  const { app = APP, ...facts } = rest;
  return {
    act,
    element: null,
    field: null,
    context: { dialog: null, headings: [], guard: null },
    foreground: { package: app, activity: null, title: null },
    locale: null,
    ...facts,
  };
};

export const verdict = (
  act: JudgedAct,
  rest: Partial<Subject> & { app?: string | null } = {},
  circumstances: Partial<Circumstances> = {},
  policies = book,
) => judge(subject(act, rest), policyFor(policies, circumstances));

/** The classes of a verdict's reasons, each once. */
export const classesOf = ({ reasons }: { reasons: readonly { class: string }[] }): string[] => [
  ...new Set(reasons.map((reason) => reason.class)),
];
