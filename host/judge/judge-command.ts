/**
 * `countersign judge`: what a label or an element means, for people: verdict, reasons, and for each the entry, its
 * file and its line, so that they know what to change. Not for judging (judge.ts) nor for printing (the door).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reason, Verdict } from '../../device-protocol/verdict.ts';
import { APPS_FILE } from './apps.ts';
import { type Finding, packagesOf } from './finding.ts';
import { lineAt } from './json-place.ts';
import { findingsOf, judge } from './judge.ts';
import { labelsOf } from './judge-words.ts';
import { ADDITIONS_FILE, type Policy } from './policy.ts';
import { SIGNS_FILE } from './signs.ts';
import type { ElementFacts, Subject } from './subject.ts';
import { OWNER } from './words.ts';

export type JudgedReason = Reason & {
  /** The entry or rule as its file says it; null where it is no matter of data. */
  entry: string | null;
  file: string | null;
  line: number | null;
};

export type Judged = {
  text: string;
  level: Verdict['level'];
  decision: Verdict['decision'];
  reasons: JudgedReason[];
};

export type Folders = {
  /** Holds `policies/`. */
  root: string;
  /** Holds the owner's additions; null where there are none. */
  data: string | null;
};

/** Stands for the app where none is given: it has no category. */
const NO_APP = 'no.app';

/** Judges labels and elements by one policy, and finds what decided. */
export class Explained {
  readonly #policy: Policy;
  readonly #files: PolicyTexts;

  constructor(policy: Policy, folders: Folders) {
    this.#policy = policy;
    this.#files = new PolicyTexts(folders);
  }

  /** A button with this text, by its words alone, or as it stands in `app`; `locale` null: every language counts. */
  text(text: string, { locale, app }: { locale: string | null; app: string | null }): Judged {
    const button: ElementFacts = { ...BUTTON, text, window: { ...BUTTON.window, package: app ?? NO_APP } };
    const subject: Subject = {
      act: { kind: 'tap', count: 1, by: 'element' },
      element: button,
      field: null,
      context: { dialog: null, headings: [], guard: null },
      foreground: { package: app ?? NO_APP, activity: null, title: null },
      locale,
    };
    return { ...this.subject(subject), text };
  }

  /** What the judge says of an act on an element of a screen. */
  subject(subject: Subject): Judged {
    const { level, decision, reasons } = judge(subject, this.#policy);
    const findings = findingsOf(subject, this.#policy);
    return {
      text: subject.element === null ? '' : labelsOf(subject.element).join(' · '),
      level,
      decision,
      reasons: reasons.map((reason) => {
        const found = findings.find((one) => isSame(one, reason));
        return { ...reason, ...this.#files.find(origin(found ?? reason, subject, this.#policy)) };
      }),
    };
  }
}

const isSame = (one: Reason, other: Reason) =>
  one.class === other.class &&
  one.language === other.language &&
  one.match === other.match &&
  one.where === other.where;

const BUTTON: ElementFacts = {
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
  window: { kind: 'application', package: null, title: null },
  beside_composer: null,
};

/** Where in the data a reason comes from: a list and what its line says, or a section; null: a rule of the judge itself. */
type Origin =
  | { file: string; list: string; has: Readonly<Record<string, string>>; entry: string }
  | { file: string; path: readonly PropertyKey[]; entry: string }
  | null;

/** Signs that make a reason without words of a language. */
const SIGN_OF: Partial<Record<Reason['class'], string>> = {
  slide: 'slide',
  share_sheet: 'share_sheet',
  autofill: 'id_autofill',
  composer: 'id_composer',
  surface: 'surfaces',
};

function origin(found: Finding, subject: Subject, policy: Policy): Origin {
  const { class: code, language, match, where, say } = found;
  if (say !== undefined) {
    const has = { say, class: code };
    if (language === null) return { file: 'policies/symbols.json', list: 'entries', has, entry: say };
    if (language === OWNER) return { file: ADDITIONS_FILE, list: 'words', has, entry: say };
    return { file: `policies/words/${language}.json`, list: 'entries', has, entry: say };
  }
  if (where === 'link' && match.endsWith(':')) {
    const scheme = match.slice(0, -1);
    return { file: 'policies/links.json', list: 'schemes', has: { scheme }, entry: scheme };
  }
  if (where === 'resource_id' && !(code in SIGN_OF)) {
    return { file: SIGNS_FILE, path: ['id_acts', 'classes', code], entry: match };
  }
  if (where === 'screen' && code === 'never_controllable') {
    return { file: SIGNS_FILE, path: ['guarded_settings'], entry: 'guarded_settings' };
  }
  const sign = SIGN_OF[code];
  if (sign !== undefined) return { file: SIGNS_FILE, path: [sign], entry: sign };
  return where === 'app' ? originOfApp(match === '' ? 'settings' : match, subject, policy) : null;
}

function originOfApp(category: string, subject: Subject, policy: Policy): Origin {
  const { package: front, activity } = subject.foreground;
  const rule = packagesOf(subject)
    .flatMap((name) => policy.apps.rulesFor(name, name === front ? activity : null))
    .find((one) => one.category.name === category);
  if (rule === undefined) return { file: APPS_FILE, path: ['categories', category], entry: category };
  return { file: rule.file, path: [rule.list, rule.index], entry: category };
}

/** The policy files' texts, read when first asked about. */
class PolicyTexts {
  readonly #folders: Folders;
  readonly #texts = new Map<string, string>();
  readonly #lines = new Map<string, number>();

  constructor(folders: Folders) {
    this.#folders = folders;
  }

  find(origin: Origin): Pick<JudgedReason, 'entry' | 'file' | 'line'> {
    if (origin === null) return { entry: null, file: null, line: null };
    const { file, entry } = origin;
    const key = JSON.stringify(origin);
    let line = this.#lines.get(key);
    if (line === undefined) {
      const text = this.#textOf(file);
      const path = 'path' in origin ? origin.path : [origin.list, indexOf(text, origin.list, origin.has)];
      line = lineAt(text, path);
      this.#lines.set(key, line);
    }
    return { entry, file, line };
  }

  #textOf(file: string): string {
    let text = this.#texts.get(file);
    if (text === undefined) {
      const { root, data } = this.#folders;
      text = readFileSync(join(file === ADDITIONS_FILE && data !== null ? data : root, file), 'utf8');
      this.#texts.set(file, text);
    }
    return text;
  }
}

function indexOf(text: string, list: string, has: Readonly<Record<string, string>>): number {
  const entries = (JSON.parse(text) as Record<string, Record<string, unknown>[]>)[list] ?? [];
  return entries.findIndex((entry) => Object.entries(has).every(([key, value]) => entry[key] === value));
}
