/**
 * Checks the log link by link: edits, gaps, another order, a cut end, a clock that was set back, a witness
 * that remembers otherwise. Pure: the links come in as a stream. Not for mending anything.
 */
import { chained, START, wordsOf } from './audit-chain.ts';
import type {
  AuditCheck,
  AuditCompletion,
  AuditFinding,
  AuditLink,
  AuditOpening,
  AuditWitness,
} from './rows.ts';

/** The tool's name under which the owner's cuts stand in the log. */
export const CUT_TOOL = 'log_cut';

export interface CheckGiven {
  readonly links: Iterable<AuditLink & { readonly words: string | null }>;
  /** The last cut of the log's start; null where it was never cut. */
  readonly cut: { readonly up_to: number; readonly chain: string } | null;
  /** How long the log says it is, and its last checksum. */
  readonly head: { readonly length: number; readonly chain: string };
  readonly witnesses: readonly AuditWitness[];
  /** Wall clock of the check, milliseconds since 1970. */
  readonly now: number;
}

const MOST_FINDINGS = 50;
/** Clocks are set right by a little all the time; only more than this is a clock that was wrong. */
const CLOCK_TOLERANCE_MS = 5_000;

type Body = AuditOpening | AuditCompletion;

function bodyOf(link: AuditLink): Body | null {
  try {
    return JSON.parse(link.body) as Body;
  } catch {
    // Only an edit can have done that; its checksum says so too.
    return null;
  }
}

/** The time of one link against that of the link before: by its own running time where both are of one run. */
function setBackMs(before: Body, now: Body): number {
  const passed = now.at - before.at;
  const same = before.running !== undefined && before.running.life === now.running?.life;
  const should = same ? (now.running?.up_ms ?? 0) - (before.running?.up_ms ?? 0) : 0;
  return Math.max(0, should - passed);
}

function span(ms: number): string {
  const [unit, name] =
    ms >= 86_400_000
      ? [86_400_000, 'd']
      : ms >= 3_600_000
        ? [3_600_000, 'h']
        : ms >= 60_000
          ? [60_000, 'min']
          : [1_000, 's'];
  return `${Math.round(ms / unit)} ${name}`;
}

export function checkLog(given: CheckGiven): AuditCheck {
  const findings: AuditFinding[] = [];
  const found = (kind: AuditFinding['kind'], entry: number, call: number | null, say: string): void => {
    if (findings.length < MOST_FINDINGS) findings.push({ kind, entry, call, say });
  };
  const begins = given.cut?.up_to ?? 0;
  let position = begins;
  let before: string | null = given.cut?.chain ?? START;
  let lastBody: Body | null = null;
  let signed = given.cut === null;
  let inFuture = false;
  const misfits: Misfit[] = [];
  const remembered = new Map<number, AuditWitness[]>();
  for (const witness of given.witnesses)
    remembered.set(witness.length, [...(remembered.get(witness.length) ?? []), witness]);
  let borneOut = begins;
  /** One finding a witness: what it remembers beyond that is wrong for the same reason. */
  const blamed = new Set<string>();

  const compare = (length: number, chain: string): void => {
    for (const witness of remembered.get(length) ?? []) {
      if (witness.chain === chain) borneOut = Math.max(borneOut, length);
      else if (!blamed.has(witness.who)) {
        blamed.add(witness.who);
        found(
          'witness',
          length,
          null,
          `${witness.who} remembers another log at entry ${length}: entries after ${borneOut} were rewritten.`,
        );
      }
    }
  };
  if (given.cut !== null) compare(begins, given.cut.chain);

  for (const link of given.links) {
    const body = bodyOf(link);
    if (link.position <= position) {
      found('reordered', position + 1, link.call, `An entry stands at place ${link.position}, out of order.`);
      continue;
    }
    if (link.position > position + 1) {
      const last = link.position - 1;
      const which = last === position + 1 ? `Entry ${last} is` : `Entries ${position + 1} to ${last} are`;
      found('missing', position + 1, null, `${which} missing.`);
      before = null;
    }
    if (before !== null && chained(before, link) !== link.chain) {
      misfits.push({ link, before });
    } else if (body !== null && link.words !== null && link.words !== wordsOf(link.part, body)) {
      found(
        'edited',
        link.position,
        link.call,
        `The words by which entry ${link.position} is found were changed.`,
      );
    }
    if (body !== null && lastBody !== null) {
      const back = setBackMs(lastBody, body);
      if (back > CLOCK_TOLERANCE_MS)
        found(
          'clock',
          link.position,
          link.call,
          `At entry ${link.position} the computer’s clock was set back by ${span(back)}.`,
        );
    }
    if (body !== null && !inFuture && body.at > given.now + CLOCK_TOLERANCE_MS) {
      inFuture = true;
      found(
        'clock',
        link.position,
        link.call,
        `Entry ${link.position} is dated ${span(body.at - given.now)} after now.`,
      );
    }
    if (!signed && given.cut !== null && body !== null && link.part === 'opening')
      signed = signsFor(given.cut, body as AuditOpening);
    lastBody = body ?? lastBody;
    before = link.chain;
    position = link.position;
    compare(position, link.chain);
  }

  for (const { link, kind } of judged(misfits)) {
    const say = kind === 'edited' ? 'was changed' : 'is not the one that was written there';
    found(kind, link.position, link.call, `Entry ${link.position} ${say}.`);
  }
  if (!signed)
    found('cut', begins + 1, null, `The first ${begins} entries were removed without the owner’s word.`);
  if (
    given.head.length > position ||
    (before !== null && given.head.chain !== before && given.head.length === position)
  )
    found(
      'cut_end',
      position + 1,
      null,
      `The log ends at entry ${position}; ${given.head.length} were written.`,
    );
  else if (given.head.length < position)
    found(
      'edited',
      given.head.length + 1,
      null,
      `Only ${given.head.length} entries were written; there are ${position}.`,
    );
  for (const witness of given.witnesses) {
    if (witness.length > position && !blamed.has(witness.who)) {
      blamed.add(witness.who);
      found(
        'witness',
        position + 1,
        null,
        `${witness.who} remembers ${witness.length} entries; the log has ${position}: its end was cut, or an older one put in its place.`,
      );
    }
  }
  findings.sort((a, b) => a.entry - b.entry);
  return {
    ok: findings.length === 0,
    rows: position,
    first_bad: findings[0]?.entry ?? null,
    say:
      findings[0]?.say ??
      `All ${position - begins} entries are as written${begins === 0 ? '' : ` (${begins} earlier ones were cut by the owner)`}.`,
    findings,
    witnesses: [...new Set(given.witnesses.map((one) => one.who))],
  };
}

/** A link whose checksum does not follow from the one before it. */
interface Misfit {
  readonly link: AuditLink;
  readonly before: string;
}

/** Beyond this many, all count as edited: telling them apart costs the cube of their number. */
const MOST_JUDGED = 24;

/**
 * Tells edits from links that only stand elsewhere: one that was moved still fits its checksum with another
 * place and predecessor. One that is itself in place, behind a moved one, is nobody's finding.
 */
function judged(misfits: readonly Misfit[]): { link: AuditLink; kind: 'edited' | 'reordered' }[] {
  const few = misfits.slice(0, MOST_JUDGED);
  const chains = [...new Set(few.flatMap(({ link, before }) => [link.chain, before]))];
  const fits = (link: AuditLink, position: number) =>
    chains.some((chain) => chained(chain, { ...link, position }) === link.chain);
  return misfits.flatMap(({ link }, at) => {
    if (at >= MOST_JUDGED) return [{ link, kind: 'edited' as const }];
    if (fits(link, link.position)) return [];
    const elsewhere = few.some(({ link: other }) => fits(link, other.position));
    return [{ link, kind: elsewhere ? ('reordered' as const) : ('edited' as const) }];
  });
}

/** Whether this row is the owner's word for exactly that cut. */
function signsFor(cut: { readonly up_to: number; readonly chain: string }, row: AuditOpening): boolean {
  return (
    row.agent === 'owner' &&
    row.tool === CUT_TOOL &&
    row.arguments.up_to === cut.up_to &&
    row.arguments.chain === cut.chain
  );
}
