/**
 * PROTOCOL.md against the code: it names everything there is and nothing that is not, its tables are the
 * tables, its examples are what the engine takes and sends, its numbers are the limits.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { provesSecret } from '../../device-protocol/auth.ts';
import { COMMAND_STATES, COMMAND_TABLE, isFinalCommand } from '../../device-protocol/command-table.ts';
import { CUT_GRACE_MS, QUIET_MS } from '../../device-protocol/companion/acts.ts';
import { LOOK_LIMIT_MS, LOOKS_MAX } from '../../device-protocol/companion/engine.ts';
import { ENTRY_TEXT_MAX, encodeEntry, NO_CHAIN } from '../../device-protocol/companion/journal.ts';
import { Ledger } from '../../device-protocol/companion/ledger.ts';
import { PLAIN_MAX } from '../../device-protocol/companion/plain-words.ts';
import { HALF_BUILT, RESTLESS_STIRS, SETTLE_TIMES } from '../../device-protocol/companion/settle.ts';
import { NARROWEST } from '../../device-protocol/companion/tap-point.ts';
import { FARTHEST } from '../../device-protocol/companion/tree.ts';
import { ERRORS } from '../../device-protocol/errors.ts';
import { HEARTBEAT, LIMITS, PROTOCOL_VERSION } from '../../device-protocol/limits.ts';
import {
  companionMessageSchema,
  hostMessageSchema,
  INTERRUPTIONS,
  LINK_REFUSALS,
  LOOK_FAILURES,
  NOT_A_RECORD,
} from '../../device-protocol/messages.ts';
import {
  actSchema,
  DIRECTIONS,
  KEYS,
  PLACES,
  payloadSchema,
  TEXT_MODES,
} from '../../device-protocol/payload.ts';
import {
  isFinalRecord,
  RECORD_PROVES,
  RECORD_STATES,
  RECORD_TABLE,
} from '../../device-protocol/record-table.ts';
import { ACT_ERRORS, REFUSALS } from '../../device-protocol/refusals.ts';
import { reportSchema, STRATEGIES } from '../../device-protocol/report.ts';
import { type BoundFields, keyHash, requestDigest, sha256OfText } from '../../device-protocol/request.ts';
import {
  lossSchema,
  NODE_FLAGS,
  snapshotNodeSchema,
  snapshotSchema,
  snapshotWindowSchema,
  UNKNOWN_FACTS,
  WINDOW_KINDS,
} from '../../device-protocol/snapshot.ts';
import { targetSchema } from '../../device-protocol/target.ts';
import {
  CLOCK_DRIFT,
  CLOCK_TOLERANCE_MS,
  RETIRED_MAX,
  TURNED_BACK,
} from '../../device-protocol/turned-back.ts';
import { MemoryDisk } from '../support/memory-disk.ts';
import { examples, plain, section, table, text, words } from './document.ts';
import { SUBMIT_ORDER } from './submit-order.ts';

const messages = examples('message') as Record<string, unknown>[];
const typesOf = (schema: typeof hostMessageSchema | typeof companionMessageSchema) =>
  schema.options.map((option) => ({
    type: option.shape.type.value as string,
    fields: Object.keys(option.shape),
    schema: option,
  }));
const bothWays = [...typesOf(hostMessageSchema), ...typesOf(companionMessageSchema)];
const named = words();
const number = (value: number): string => value.toLocaleString('en-GB');

describe('every message', () => {
  it.each(messages.map((one) => [String(one.type), one] as const))(
    '%s as in the example is one',
    (type, one) => {
      const taken = bothWays.filter((option) => option.type === type && option.schema.safeParse(one).success);
      expect(taken.length).toBeGreaterThan(0);
    },
  );

  it.each(bothWays.map(({ type, fields }) => [type, fields] as const))(
    '%s has an example, which shows every field',
    (type, fields) => {
      const shown = messages.filter((one) => one.type === type).flatMap((one) => Object.keys(one));
      expect(fields.filter((field) => !shown.includes(field))).toEqual([]);
      expect(text).toContain(type);
    },
  );

  it('of the example belongs to the others: proofs, digests, hashes', () => {
    const of = <T>(type: string) => messages.find((one) => one.type === type) as unknown as T;
    const [dial, challenge] = [
      of<{ device_id: string; nonce: string }>('dial'),
      of<{ host_id: string; nonce: string }>('challenge'),
    ];
    const secret = /With the secret `([0-9a-f]{64})`/.exec(text)?.[1] ?? '';
    const lines = /\n```\n(countersign-auth-v1[\s\S]*?)\n```/.exec(text)?.[1]?.split('\n') ?? [];
    const said = lines.map((line) => line.replace(/\s+←.*$/, ''));
    const transcript = {
      protocol: PROTOCOL_VERSION,
      device_id: dial.device_id,
      host_id: challenge.host_id,
      companion_nonce: dial.nonce,
      host_nonce: challenge.nonce,
      fingerprint: said[7] ?? '',
    };
    expect(said).toEqual(['countersign-auth-v1', 'companion', ...Object.values(transcript).map(String)]);
    expect(provesSecret('companion', transcript, secret, of<{ proof: string }>('proof').proof)).toBe(true);
    expect(provesSecret('host', transcript, secret, of<{ proof: string }>('proof_back').proof)).toBe(true);

    const submits = messages.filter((one) => one.type === 'submit') as unknown as {
      request: BoundFields & { payload: string };
      approval: { request_digest: string } | null;
    }[];
    expect(submits.length).toBeGreaterThan(1);
    const digests = submits.map(({ request: { payload, ...bound }, approval }) => {
      expect(sha256OfText(payload)).toBe(bound.payload_sha256);
      expect(payloadSchema.safeParse(JSON.parse(payload)).success).toBe(true);
      const digest = requestDigest(bound);
      if (approval !== null) expect(approval.request_digest).toBe(digest);
      return digest;
    });
    const first = submits[0]?.request as BoundFields;
    expect(first.key_hash).toBe(keyHash('assistant', 'key-one'));
    expect(text).toContain(`gives \`${digests[0]}\``);
    const bound = /\n```\n(countersign-request-v1[\s\S]*?)\n```/.exec(text)?.[1] ?? '';
    expect(sha256OfText(bound)).toBe(digests[0]);
    const records = messages.filter((one) => one.type === 'record').map((one) => one.digest);
    for (const digest of digests) expect(records).toContain(digest);
    const payload = examples('payload')[0];
    expect(payload).toEqual(JSON.parse(submits[0]?.request.payload ?? ''));
  });
});

describe('the tables', () => {
  it('of a record’s life are the table', () => {
    const moves = table(section('## 9 The life of a record'), ['from', 'event', 'to']);
    const said = moves.map((row) => row.map(plain).join(' '));
    const legal = Object.entries(RECORD_TABLE).flatMap(([from, by]) =>
      Object.entries(by).map(([event, to]) => `${from} ${event} ${to}`),
    );
    expect(said).toEqual(legal);
    const states = table(section('## 9 The life of a record'), [
      'state',
      'ran?',
      'may still run?',
      'entered by',
    ]);
    expect(states.map((row) => plain(row[0]))).toEqual([...RECORD_STATES]);
    for (const row of states) {
      const state = plain(row[0]) as (typeof RECORD_STATES)[number];
      const ran = { 'not said': 'unproven', no: 'no', maybe: 'maybe', yes: 'yes' }[row[1] ?? ''];
      expect(ran).toBe(RECORD_PROVES[state].ran);
      expect(row[2] === 'never').toBe(isFinalRecord(state));
    }
  });

  it('of a command’s life are the table', () => {
    const moves = table(section('### 17.1 The life of a command'), ['from', 'event', 'to', 'when']);
    const said = moves.map((row) => row.slice(0, 3).map(plain).join(' '));
    const legal = Object.entries(COMMAND_TABLE).flatMap(([from, by]) =>
      Object.entries(by).map(([event, to]) => `${from} ${event} ${to}`),
    );
    expect([...said].sort()).toEqual([...legal].sort());
    const final = /\n(`done`[^\n]*) are final/.exec(section('### 17.1 The life of a command'))?.[1] ?? '';
    expect([...words(final)]).toEqual(COMMAND_STATES.filter(isFinalCommand));
  });

  it.each([
    ['refusals', '## 9 The life of a record', ['`refusal`', 'why it did not run'], REFUSALS],
    ['interruptions', '## 9 The life of a record', ['`interruption`', 'what cut it'], INTERRUPTIONS],
    ['answers that are no records', '### 10.2 not_a_record', ['code', 'when'], NOT_A_RECORD],
    ['refusals of the link', '### 5.7 refused', ['code', 'said by', 'why'], LINK_REFUSALS],
    ['failures of a look', '## 14 Looks', ['code', 'why a look failed'], LOOK_FAILURES],
    ['signs of time turned back', '## 16 Time turned back', ['reason', 'found by'], TURNED_BACK],
  ] as const)('of %s name each once', (_, heading, header, codes) => {
    const rows = table(section(heading), header);
    expect(rows.map((row) => plain(row[0])).sort()).toEqual([...codes].sort());
  });

  it('of the limits are the limits', () => {
    const rows = table(section('## 19 Limits'), ['limit', 'value', 'of what']);
    expect(Object.fromEntries(rows.map((row) => [plain(row[0]), row[1]]))).toEqual(
      Object.fromEntries(Object.entries(LIMITS).map(([name, value]) => [name, number(value)])),
    );
  });

  it('of the vectors name each file', () => {
    const rows = table(section('## 20 The vectors'), ['file', 'what it specifies']);
    const folder = fileURLToPath(new URL('../../device-protocol/vectors/', import.meta.url));
    expect(rows.map((row) => plain(row[0])).sort()).toEqual(readdirSync(folder).sort());
  });
});

describe('the order', () => {
  it('of a submit’s checks is the one that is tested', () => {
    const steps = [...section('### 10.1 The order of the checks').matchAll(/^(\d+)\. (.*)$/gm)];
    expect(steps.map(([, place]) => Number(place))).toEqual(SUBMIT_ORDER.map((_, i) => i + 1));
    SUBMIT_ORDER.forEach((code, at) => {
      expect(steps[at]?.[2], code).toContain(code === 'record' ? '**record as it is**' : `\`${code}\``);
    });
  });
});

describe('the words', () => {
  it.each([
    ['keys', KEYS],
    ['places', PLACES],
    ['directions', DIRECTIONS],
    ['text modes', TEXT_MODES],
    ['strategies', STRATEGIES],
    ['errors of acts', ACT_ERRORS],
    ['flags', NODE_FLAGS],
    ['facts that may be unknown', UNKNOWN_FACTS],
    ['kinds of windows', WINDOW_KINDS],
    ['losses', lossSchema.shape.code.options],
    ['reasons to begin a ledger', ['first', 'damaged', 'other_phone', 'rolled_back']],
    ['fields of a snapshot', Object.keys(snapshotSchema.shape)],
    ['fields of a window', Object.keys(snapshotWindowSchema.shape)],
    ['fields of a node', Object.keys(snapshotNodeSchema.shape)],
    ['fields of a report', Object.keys(reportSchema.shape)],
    ['fields of a payload', Object.keys(payloadSchema.shape)],
  ] as const)('for all %s are there', (_, all) => {
    expect((all as readonly string[]).filter((word) => !named.has(word))).toEqual([]);
  });

  it('that are refusals or errors of acts can be told to an agent', () => {
    // The host tells a code it does not know as a refusal; those of our own companion it knows.
    const untold = [...REFUSALS, ...ACT_ERRORS].filter((code) => !(code in ERRORS));
    expect(untold).toEqual(['ledger_rolled_back']);
  });
});

describe('the numbers', () => {
  it.each([
    ['heartbeat', `Every ${number(HEARTBEAT.everyMs)} ms`],
    ['gone', `for ${number(HEARTBEAT.goneAfterMs)} ms`],
    ['a finger that rests', `${number(QUIET_MS)} ms`],
    ['a cut input', `at most ${number(CUT_GRACE_MS)} ms`],
    ['looks at once', `At most ${LOOKS_MAX} may be under way`],
    ['a look that is never answered', `\`settle_ms\` and ${number(LOOK_LIMIT_MS)} ms`],
    ['an entry’s text', `1 … ${number(ENTRY_TEXT_MAX)}`],
    ['plain words', `longer than ${number(PLAIN_MAX)} UTF-16 code units`],
    ['stirs', `at least ${RESTLESS_STIRS} times`],
    [
      'looks at a half built tree',
      `every ${HALF_BUILT.look_every_ms} ms, for at most ${number(HALF_BUILT.patience_ms)} ms`,
    ],
    [
      'settling',
      `reaction ${SETTLE_TIMES.reaction_ms} ms, quiet ${SETTLE_TIMES.quiet_ms} ms, ceiling ${number(SETTLE_TIMES.ceiling_ms)} ms`,
    ],
    ['a free strip', `at least ${NARROWEST} pixels`],
    ['far away', `beyond ${number(FARTHEST)}`],
    ['a clock that lost time', `more than ${number(CLOCK_TOLERANCE_MS)} ms`],
    ['drift', `${CLOCK_DRIFT * 1e6} ppm`],
    ['what is retired', `(${RETIRED_MAX} of each)`],
    ['the version', `protocol, version ${PROTOCOL_VERSION}`],
  ])('for %s are those of the code', (_, said) => {
    expect(text).toContain(said);
  });
});

describe('the examples', () => {
  it('of acts are acts, one of each kind at least', () => {
    const acts = examples('act').map((one) => actSchema.parse(one));
    const payload = payloadSchema.parse(examples('payload')[0]);
    const kinds = new Set([...acts, payload.act].map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(actSchema.options.map((option) => option.shape.kind.value).sort());
  });

  it('of a target is one', () => {
    for (const one of examples('target')) targetSchema.parse(one);
    expect(examples('target')).toHaveLength(1);
  });

  it('of entries make a journal that is read, and show every kind', () => {
    const entries = examples('entry') as Record<string, unknown>[];
    const [base, ...later] = entries;
    const read = (all: unknown[]) => {
      const disk = new MemoryDisk();
      let chain = NO_CHAIN;
      const parts = all.map((one) => {
        const entry = encodeEntry(JSON.stringify(one), chain);
        chain = entry.chain;
        return [...entry.bytes];
      });
      disk.put(Uint8Array.from(parts.flat()));
      const { ledger, damaged } = Ledger.read(disk);
      if (ledger === null || damaged) throw new Error('damaged');
      return ledger;
    };
    const kept = later.filter(({ entry }) => entry === 'kept');
    const plainOnes = later.filter(({ entry }) => entry !== 'kept' && entry !== 'mark');
    const marks = later.filter(({ entry }) => entry === 'mark');
    const host = String(later.find(({ entry }) => entry === 'record')?.host_id);
    const asWritten = read([base, ...plainOnes]);
    expect([...asWritten.book(host).all()].map(({ state }) => state)).toEqual(['done']);
    expect(read([base, ...plainOnes, ...marks]).records).toBe(0);
    const anew = read([{ ...base, kept: 2 }, ...kept]);
    expect([...anew.book(host).all()].map(({ state }) => state)).toEqual(['done', 'sealed']);
    const [done] = [...anew.book(host).all()];
    if (done === undefined) throw new Error('no record');
    expect(reportSchema.safeParse(anew.stateOf(done).report).success).toBe(true);
    expect([...new Set(entries.map(({ entry }) => entry))].sort()).toEqual(
      ['base', 'boot', 'holder', 'kept', 'mark', 'move', 'record', 'session', 'stop'].sort(),
    );
  });

  it('are all of a kind that is checked here', () => {
    const kinds = [...text.matchAll(/```json ?(\w*)/g)].map(([, kind]) => kind);
    expect([...new Set(kinds)].sort()).toEqual(['act', 'entry', 'message', 'payload', 'target']);
  });

  it('of links within the page lead somewhere', () => {
    const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      (heading ?? '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
    const links = [...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor ?? '');
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  });
});
