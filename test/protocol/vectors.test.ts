/** Runs every golden vector against the production code; the same files are run in Kotlin. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proofOf, provesSecret, type Transcript } from '../../device-protocol/auth.ts';
import {
  COMMAND_EVENTS,
  COMMAND_STATES,
  isFinalCommand,
  moveCommand,
} from '../../device-protocol/command-table.ts';
import { Ledger } from '../../device-protocol/companion/ledger.ts';
import { companionMessageSchema, hostMessageSchema } from '../../device-protocol/messages.ts';
import {
  isFinalRecord,
  moveRecord,
  RECORD_EVENTS,
  RECORD_PROVES,
  RECORD_STATES,
} from '../../device-protocol/record-table.ts';
import { type BoundFields, requestDigest, sha256OfText } from '../../device-protocol/request.ts';
import { frameOf, parseCompanionFrame, parseHostFrame } from '../../device-protocol/wire.ts';
import { MemoryDisk } from '../support/memory-disk.ts';

const folder = fileURLToPath(new URL('../../device-protocol/vectors/', import.meta.url));
const vectors = (name: string) => JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8'));
const named = <T>(cases: readonly (T & { say: string })[]) => cases.map((one): [string, T] => [one.say, one]);

interface Repeat {
  readonly unit: string;
  readonly times: number;
  readonly before?: string;
  readonly after?: string;
}
type Sample = { message?: string; repeat?: Repeat; digest: string };
type DigestCase = BoundFields & { say: string; payload: string; digest: string };
type Proofs = Transcript & { secret: string; companion_proof: string; host_proof: string };
type Frame = { from: 'host' | 'companion'; text?: string; repeat?: Repeat; code?: string };
type JournalCase = {
  end: 'clean' | 'torn' | 'damaged';
  bytes: string;
  good: number;
  length: number;
  chain: string;
  records: Record<string, unknown>;
};

describe('golden vectors', () => {
  it('are all run here', () => {
    expect(
      readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .sort(),
    ).toEqual(
      expect.arrayContaining([
        'auth.json',
        'command-table.json',
        'digests.json',
        'journal.json',
        'messages.json',
        'record-table.json',
        'sha256.json',
      ]),
    );
  });
});

describe('SHA-256', () => {
  const { cases } = vectors('sha256');
  it.each((cases as Sample[]).map((one): [string, Sample] => [one.digest.slice(0, 8), one]))(
    'agrees with the NIST sample %s',
    (_, { message, repeat, digest }) => {
      const bytes = hexToBytes(message ?? repeat?.unit.repeat(repeat.times) ?? 'none');
      expect(bytesToHex(sha256(bytes))).toBe(digest);
    },
  );

  it('agrees with node:crypto on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(sha256OfText(text)).toBe(createHash('sha256').update(text).digest('hex'));
      }),
      { numRuns: 500 },
    );
  });
});

describe('digests', () => {
  const { cases, long, largest_numbers, refused } = vectors('digests');
  it.each(named<DigestCase>(cases))('%s', (_, { payload, digest, ...bound }) => {
    expect(sha256OfText(payload)).toBe(bound.payload_sha256);
    expect(requestDigest(bound)).toBe(digest);
  });

  it('are the same for a payload of 64 KiB', () => {
    const { repeat, bytes, digest, ...bound } = long;
    const payload = repeat.unit.repeat(repeat.times) + repeat.tail;
    expect(new TextEncoder().encode(payload)).toHaveLength(bytes);
    expect(sha256OfText(payload)).toBe(bound.payload_sha256);
    expect(requestDigest(bound)).toBe(digest);
  });

  it('write the largest numbers in full', () => {
    expect(requestDigest(largest_numbers)).toBe(largest_numbers.digest);
  });

  it.each(named<{ units: number[] }>(refused))('are refused for %s', (_, { units }) => {
    expect(() => sha256OfText(String.fromCharCode(...units))).toThrow();
  });

  it('agree with node:crypto whatever is bound, and differ when any field does', () => {
    const hex = (bytes: number) =>
      fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => bytesToHex(value));
    const bound = fc.record({
      request_id: hex(16),
      payload_sha256: hex(32),
      host_id: hex(16),
      seq: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
      ledger_id: hex(16),
      boot_id: hex(16),
      not_after: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
      stop_counter: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
      key_hash: hex(32),
    });
    fc.assert(
      fc.property(
        bound,
        bound,
        fc.constantFrom(...Object.keys(vectors('digests').cases[0])),
        (one, two, name) => {
          const lines = ['countersign-request-v1', ...Object.values(one).map(String)].join('\n');
          expect(requestDigest(one)).toBe(createHash('sha256').update(lines).digest('hex'));
          if (!(name in one)) return;
          const key = name as keyof typeof one;
          const other = { ...one, [key]: two[key] };
          expect(requestDigest(other) === requestDigest(one)).toBe(two[key] === one[key]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('proofs', () => {
  const { cases } = vectors('auth');
  it.each((cases as Proofs[]).map((one): [string, Proofs] => [one.device_id, one]))('of %s', (_, one) => {
    const { secret, companion_proof, host_proof, ...transcript } = one;
    expect(proofOf('companion', transcript, secret)).toBe(companion_proof);
    expect(proofOf('host', transcript, secret)).toBe(host_proof);
    expect(provesSecret('companion', transcript, secret, companion_proof)).toBe(true);
    expect(provesSecret('companion', transcript, secret, host_proof)).toBe(false);
    expect(provesSecret('host', transcript, secret, host_proof.slice(1))).toBe(false);
    for (const [name, value] of Object.entries(transcript)) {
      const other =
        typeof value === 'number' ? value + 1 : value.replace(/.$/, (x: string) => (x === '7' ? '8' : '7'));
      expect(proofOf('host', { ...transcript, [name]: other }, secret), name).not.toBe(host_proof);
    }
  });
});

describe('the record table', () => {
  const table = vectors('record-table');
  const cells = RECORD_STATES.flatMap((state) => RECORD_EVENTS.map((event) => [state, event] as const));
  it('has no state or event that the vectors do not know', () => {
    expect(Object.keys(table.rows).sort()).toEqual([...RECORD_STATES].sort());
    expect([...table.events].sort()).toEqual([...RECORD_EVENTS].sort());
  });
  it.each(cells)('%s, %s', (state, event) => {
    expect(moveRecord(state, event)).toBe(table.rows[state][table.events.indexOf(event)]);
  });
  it('ends where the vectors say and proves what they say', () => {
    expect(RECORD_STATES.filter(isFinalRecord)).toEqual(table.final);
    for (const [state, ran] of Object.entries(table.ran))
      expect(RECORD_PROVES[state as keyof typeof RECORD_PROVES].ran).toBe(ran);
  });
});

describe('the command table', () => {
  const table = vectors('command-table');
  const cells = COMMAND_STATES.flatMap((state) => COMMAND_EVENTS.map((event) => [state, event] as const));
  it('has no state or event that the vectors do not know', () => {
    expect(Object.keys(table.rows).sort()).toEqual([...COMMAND_STATES].sort());
    expect([...table.events].sort()).toEqual([...COMMAND_EVENTS].sort());
  });
  it.each(cells)('%s, %s', (state, event) => {
    expect(moveCommand(state, event)).toBe(table.rows[state][table.events.indexOf(event)]);
  });
  it('ends where the vectors say', () => {
    expect(COMMAND_STATES.filter(isFinalCommand)).toEqual(table.final);
  });
});

describe('frames', () => {
  const { good, bad } = vectors('messages');
  const parse = { host: parseHostFrame, companion: parseCompanionFrame };
  const typeOf = (one: Frame): string => JSON.parse(one.text ?? '').type;
  it.each((good as Frame[]).map((one): [string, string, Frame] => [one.from, typeOf(one), one]))(
    'of the %s: %s is read and written back',
    (_, __, one) => {
      const parsed = parse[one.from](one.text ?? '');
      if (!parsed.ok) throw new Error(parsed.detail);
      expect(JSON.parse(frameOf(parsed.message) ?? '')).toEqual(JSON.parse(one.text ?? ''));
    },
  );

  it.each(['host', 'companion'] as const)('of the %s: every type is among them', (from) => {
    const schema = from === 'host' ? hostMessageSchema : companionMessageSchema;
    const types = schema.options.map((option) => option.shape.type.value);
    const seen = (good as Frame[]).filter((one) => one.from === from).map(typeOf);
    expect([...new Set(seen)].sort()).toEqual([...types].sort());
  });

  it.each(named<Frame>(bad))('are refused: %s', (_, one) => {
    const { repeat } = one;
    const long = repeat && `${repeat.before}${repeat.unit.repeat(repeat.times)}${repeat.after}`;
    expect(parse[one.from](one.text ?? long ?? '')).toMatchObject({ ok: false, code: one.code });
  });

  it('never throw, whatever they hold', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), (text) => {
        expect(parseHostFrame(text).ok).toBe(false);
        expect(parseCompanionFrame(text).ok).toBe(false);
      }),
    );
  });
});

describe('journals', () => {
  const { cases, host_id } = vectors('journal');
  it.each(named<JournalCase>(cases))('%s', (_, one) => {
    const disk = new MemoryDisk();
    disk.put(hexToBytes(one.bytes));
    const { ledger, damaged } = Ledger.read(disk);
    expect(damaged).toBe(one.end === 'damaged');
    if (one.end === 'damaged') {
      expect(disk.bytes()).toHaveLength(one.bytes.length / 2);
      return;
    }
    expect(disk.bytes()).toHaveLength(one.good);
    expect(ledger?.head).toEqual({ length: one.length, chain: one.chain });
    const told = [...(ledger?.book(host_id).all() ?? [])].map((record) => [
      record.request_id,
      ledger?.stateOf(record),
    ]);
    expect(Object.fromEntries(told)).toEqual(one.records);
  });

  it('cut anywhere, or with any one byte changed, never read as something else', () => {
    const whole = hexToBytes(cases[0].bytes);
    const read = (bytes: Uint8Array) => {
      const disk = new MemoryDisk();
      disk.put(bytes);
      const { ledger, damaged } = Ledger.read(disk);
      return damaged ? 'damaged' : [...(ledger?.book(host_id).all() ?? [])].map((r) => r.state).join();
    };
    const prefixes = new Set(['', 'started', 'done', 'done,refused', 'done,refused,sealed', 'damaged']);
    for (let length = 0; length < whole.length; length++)
      expect(prefixes).toContain(read(whole.slice(0, length)));
    for (let at = 0; at < whole.length; at++) {
      const changed = whole.slice();
      changed[at] = (changed[at] as number) ^ (1 << (at % 8));
      expect(read(changed), `byte ${at}`).toBe('damaged');
    }
  });
});
