/** Golden vectors of decisions: what a submit and a seal are answered, what the phone's policy says, what is secret. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hostsWord } from '../../device-protocol/companion/approval.ts';
import { checkSeal, checkSubmit } from '../../device-protocol/companion/checks.ts';
import type { Ledger } from '../../device-protocol/companion/ledger.ts';
import type { CompanionPorts } from '../../device-protocol/companion/ports.ts';
import { HostBook, type RecordIdentity } from '../../device-protocol/companion/records.ts';
import { withoutSecrets } from '../../device-protocol/companion/secrets.ts';
import type { Submit } from '../../device-protocol/messages.ts';
import type { Payload } from '../../device-protocol/payload.ts';
import type { KeptState } from '../../device-protocol/record-table.ts';
import type { Refusal } from '../../device-protocol/refusals.ts';
import { type Request, requestDigest } from '../../device-protocol/request.ts';
import { type Snapshot, snapshotSchema } from '../../device-protocol/snapshot.ts';
import { loadPhonePolicy } from '../../host/judge/phone-policy.ts';
import { SNAPSHOT } from '../support/companion-rig.ts';

const folder = fileURLToPath(new URL('../../device-protocol/vectors/', import.meta.url));
const file = (name: string) => JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8'));

interface PhoneFacts {
  readonly host_id: string;
  readonly ledger_id: string;
  readonly boot_id: string;
  readonly mark: number;
  readonly now_ms: number;
  readonly stop_counter: number;
  readonly stopped_by: 'host' | null;
  readonly records: readonly (Omit<RecordIdentity, 'boot_id' | 'not_after'> & {
    readonly state: KeptState;
  })[];
  readonly policy: Refusal | null;
  readonly screen: Refusal | null;
}
interface CheckCase {
  readonly say: string;
  readonly phone?: Partial<PhoneFacts>;
  readonly request?: Request;
  readonly digest?: string;
  readonly approval?: Submit['approval'];
  readonly expect: { readonly kind: string; readonly code?: string; readonly state?: string };
}

const checks = file('checks') as {
  phone: PhoneFacts;
  request: Request;
  digest: string;
  submits: CheckCase[];
  seals: CheckCase[];
};

function laidOut(one: CheckCase) {
  const phone = { ...checks.phone, ...one.phone };
  const request = one.request ?? checks.request;
  const book = new HostBook(phone.host_id);
  const { boot_id, not_after } = checks.request;
  for (const { state, ...record } of phone.records) book.add({ ...record, boot_id, not_after }, state);
  // The mark of a base entry: everything at or below it went with the journal before.
  book.mark = phone.mark;
  const { ledger_id, stop_counter, stopped_by } = phone;
  const ledger = { ledger_id, boot_id: phone.boot_id, stop_counter, stopped_by, book: () => book };
  const ports = {
    policy: { refuses: () => phone.policy },
    approval: hostsWord,
    body: { foreground: () => SNAPSHOT.foreground, check: () => phone.screen },
  };
  return {
    phone,
    request,
    digest: one.digest ?? checks.digest,
    ledger: ledger as unknown as Ledger,
    ports: ports as unknown as CompanionPorts,
  };
}

/** The part of an answer that the vectors state. */
function brief(answer: ReturnType<typeof checkSubmit> | ReturnType<typeof checkSeal>) {
  if (answer.kind === 'known') return { kind: 'known', state: answer.record.state };
  if (answer.kind === 'not_a_record' || answer.kind === 'refuse')
    return { kind: answer.kind, code: answer.code };
  return { kind: answer.kind };
}

const named = <T extends { readonly say: string }>(cases: readonly T[]) =>
  cases.map((one): [string, T] => [one.say, one]);

describe('a submit is answered', () => {
  it.each(named(checks.submits))('%s', (_, one) => {
    const { phone, request, digest, ledger, ports } = laidOut(one);
    const { payload: __, ...bound } = request;
    expect(requestDigest(bound)).toBe(digest);
    const submit: Submit = { type: 'submit', request, approval: one.approval ?? null, settled_below: 0 };
    expect(brief(checkSubmit(submit, phone.host_id, ledger, ports, phone.now_ms))).toEqual(one.expect);
  });
});

describe('a seal is answered', () => {
  it.each(named(checks.seals))('%s', (_, one) => {
    const { phone, request, digest, ledger } = laidOut(one);
    const { request_id, host_id, seq, ledger_id, boot_id, not_after } = request;
    const seal = { type: 'seal', request_id, host_id, seq, ledger_id, boot_id, not_after, digest } as const;
    expect(brief(checkSeal(seal, phone.host_id, ledger))).toEqual(one.expect);
  });
});

describe('the phone’s own policy', () => {
  const policy = loadPhonePolicy(fileURLToPath(new URL('../../policies/', import.meta.url)));
  type Case = {
    say: string;
    act: Payload['act'];
    foreground: [string | null, string | null];
    refusal: string | null;
  };
  it.each(named(file('policy').cases as Case[]))(
    '%s',
    (_, { act, foreground: [name, activity], refusal }) => {
      const front = { package: name, activity, title: null, user: 0 };
      expect(policy.refuses({ act } as Payload, front)).toBe(refusal);
    },
  );
});

describe('what is secret', () => {
  type Node = Record<string, unknown> & { flags: string[] };
  type Left = { text?: string; password: boolean };
  type Case = { say: string; looks: { nodes: Node[]; left: Left[] }[] };
  const screen = (nodes: readonly Node[]): Snapshot =>
    snapshotSchema.parse({
      ...SNAPSHOT,
      windows: [
        {
          id: 1,
          kind: 'application',
          package: 'app',
          title: null,
          bounds: [0, 0, 100, 200],
          layer: 1,
          active: true,
          focused: true,
          root: 0,
          unreadable: null,
        },
      ],
      nodes: nodes.map((node) => ({
        parent: -1,
        window: 0,
        package: 'app',
        text: null,
        description: null,
        bounds: [0, 0, 10, 10],
        ...node,
      })),
    });
  it.each(named(file('secrets').cases as Case[]))('%s', (_, { looks }) => {
    let known: ReadonlySet<string> = new Set();
    for (const { nodes, left } of looks) {
      const withheld = withoutSecrets(screen(nodes), known);
      known = withheld.known;
      const said = withheld.snapshot.nodes.map(({ text, description, hint, state, error, flags }) => ({
        ...Object.fromEntries(
          Object.entries({ text, description, hint, state, error }).filter(([, value]) => value != null),
        ),
        password: flags.includes('password'),
      }));
      expect(said).toEqual(left);
      // Doing it again takes nothing more.
      expect(withoutSecrets(withheld.snapshot, known).snapshot).toEqual(withheld.snapshot);
    }
  });
});
