/**
 * Writes those golden vectors that need arithmetic, with Node's own crypto and from PROTOCOL.md alone: it
 * imports nothing of what the vectors hold to account. Run by hand (`npx tsx test/protocol/make-vectors.ts`)
 * when the protocol changes; the tables, messages and NIST samples are written by hand.
 */
import { createHash, createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../device-protocol/vectors/', import.meta.url));
const sha = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const write = (name: string, value: unknown) =>
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify(value, null, 2)}\n`);

/* ---- digests: payload text, its hash, and the request's digest ---- */

const texts: [string, string][] = [
  ['ASCII', '{"act":"tap"}'],
  ['Latin with accents, composed', '{"text":"Grüße, señor, été"}'],
  [
    'the same, decomposed: another text, another hash',
    '{"text":"Gru\u0308ße, sen\u0303or, e\u0301te\u0301"}',
  ],
  ['Greek, Cyrillic, Armenian, Georgian', 'Αποστολή Отправить Ուղարկել გაგზავნა'],
  ['Arabic, Hebrew, Syriac, Thaana, N’Ko', 'إرسال שליחה ܫܕܪ ފޮނުވާ ߗߋ'],
  ['Devanagari, Bengali, Gurmukhi, Gujarati, Odia', 'भेजें পাঠান ਭੇਜੋ મોકલો ପଠାନ୍ତୁ'],
  ['Tamil, Telugu, Kannada, Malayalam, Sinhala', 'அனுப்பு పంపు ಕಳುಹಿಸಿ അയയ്ക്കുക යවන්න'],
  ['Thai, Lao, Khmer, Burmese, Tibetan', 'ส่ง ສົ່ງ ផ្ញើ ပို့ပါ སྐུར'],
  ['Han, Kana, Hangul, Bopomofo, Yi', '发送 發送 送信する カナ 보내기 ㄈㄚ ꀀꀁ'],
  ['Amharic, Cherokee, Inuktitut, Mongolian, Javanese', 'ላክ ᎦᎸᏉᏗ ᐃᓄᒃᑎᑐᑦ ᠮᠣᠩᠭᠣᠯ ꦏꦶꦫꦶꦩ꧀'],
  ['outside the basic plane: Gothic, Adlam, old Italic, musical', '𐌰𐌱𐌲 𞤀𞤣𞤤𞤢𞤥 𐌀𐌁 𝄞'],
  ['emoji: single, joined family, flag, skin tone, keycap', '😀 👨‍👩‍👧‍👦 🇩🇪 👍🏽 1️⃣'],
  [
    'bidi controls, zero width, soft hyphen, byte order mark inside',
    'a\u202eb\u2066c\u2069\u200bd\u00ade\ufefff',
  ],
  ['JSON escapes stay what they are', '{"text":"line\\nquote\\"slash\\\\tab\\t\\u00e9\\/"}'],
  ['real control characters', '{"text":"a\tb\nc\r\u0000d\u001f\u007f\u0085\u2028\u2029"}'],
  ['noncharacters and the last code point', '\ufffe\uffff\u{10ffff}'],
];
const numbered = (n: number, digits: number) => n.toString(16).padStart(digits, '0');
const bound = (n: number, payload_sha256: string) => ({
  request_id: numbered(n, 32),
  payload_sha256,
  host_id: 'a1'.repeat(16),
  seq: n,
  ledger_id: 'b2'.repeat(16),
  boot_id: 'c3'.repeat(16),
  not_after: 1_000_000 + n,
  stop_counter: n % 3,
  key_hash: hex(sha(`countersign-key-v1\n["agent ${n}","key"]`)),
});
const digestOf = (fields: ReturnType<typeof bound>) =>
  hex(sha(['countersign-request-v1', ...Object.values(fields).map(String)].join('\n')));

const digests = texts.map(([say, payload], i) => {
  const request = bound(i + 1, hex(sha(payload)));
  return { say, payload, ...request, digest: digestOf(request) };
});
const unit = 'Grüße 👍🏽 送信 ';
const unitBytes = Buffer.byteLength(unit);
const times = Math.floor(65_536 / unitBytes);
const tail = 'x'.repeat(65_536 - times * unitBytes);
const long = bound(900, hex(sha(unit.repeat(times) + tail)));
const largest = {
  ...bound(901, hex(sha('{}'))),
  seq: Number.MAX_SAFE_INTEGER,
  not_after: Number.MAX_SAFE_INTEGER,
};
write('digests', {
  say: 'digest = SHA-256 of label and fields, one a line. `repeat` spells a long payload: unit × times + tail.',
  cases: digests,
  long: { repeat: { unit, times, tail }, bytes: 65_536, ...long, digest: digestOf(long) },
  largest_numbers: { payload: '{}', ...largest, digest: digestOf(largest) },
  /** UTF-16 code units, because such texts have no UTF-8 form. */
  refused: [
    { say: 'a lone high surrogate', units: [0x7b, 0xd83d, 0x7d] },
    { say: 'a lone low surrogate', units: [0x7b, 0xde00, 0x7d] },
    { say: 'a pair the wrong way round', units: [0xde00, 0xd83d] },
    { say: 'a high surrogate at the very end', units: [0x61, 0xd800] },
    { say: 'two high surrogates before a low one', units: [0xd83d, 0xd83d, 0xde00] },
  ],
});

/* ---- auth ---- */

const transcripts = [
  {
    device_id: 'pixel-8',
    host_id: '01'.repeat(16),
    c: '02'.repeat(32),
    h: '03'.repeat(32),
    f: '04'.repeat(32),
    s: '05'.repeat(32),
  },
  {
    device_id: 'A.b_c-9',
    host_id: 'ff'.repeat(16),
    c: '00'.repeat(32),
    h: 'ff'.repeat(32),
    f: 'ab'.repeat(32),
    s: '00'.repeat(32),
  },
  {
    device_id: 'x'.repeat(64),
    host_id: '10'.repeat(16),
    c: '9c'.repeat(32),
    h: '9d'.repeat(32),
    f: '9e'.repeat(32),
    s: 'f0'.repeat(32),
  },
];
const proof = (side: string, t: (typeof transcripts)[number]) =>
  createHmac('sha256', Buffer.from(t.s, 'hex'))
    .update(['countersign-auth-v1', side, '1', t.device_id, t.host_id, t.c, t.h, t.f].join('\n'))
    .digest('hex');
write('auth', {
  say: 'proof = HMAC-SHA256(secret, label, side, protocol, ids, both nonces, fingerprint; one a line).',
  cases: transcripts.map((t) => ({
    protocol: 1,
    device_id: t.device_id,
    host_id: t.host_id,
    companion_nonce: t.c,
    host_nonce: t.h,
    fingerprint: t.f,
    secret: t.s,
    companion_proof: proof('companion', t),
    host_proof: proof('host', t),
  })),
});

/* ---- journals ---- */

const entry = (value: unknown, previous: Uint8Array): { bytes: Buffer; chain: Buffer } => {
  const text = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  const header = Buffer.alloc(8);
  header.writeUInt32BE(text.length, 0);
  header.writeUInt32BE(~text.length >>> 0, 4);
  const chain = sha(Buffer.concat([previous, header, text]));
  return { bytes: Buffer.concat([header, text, chain]), chain };
};
const host = 'a1'.repeat(16);
const base = {
  entry: 'base',
  version: 1,
  ledger_id: 'b2'.repeat(16),
  began: 'first',
  ledger_key: null,
  at: 1_000,
  continues: { length: 0, chain: '00'.repeat(32) },
  kept: 0,
  told: [],
  session: 0,
  boot_id: 'c3'.repeat(16),
  boot_count: 7,
  stop_counter: 0,
  stopped_by: null,
  holder: null,
  hosts: [],
};
const nothing = { refusal: null, interruption: null, report: null };
const record = (n: number, event: string, over = {}) => ({
  entry: 'record',
  at: 2_000 + n,
  host_id: host,
  request_id: numbered(n, 32),
  seq: n,
  digest: numbered(n, 64),
  key_hash: numbered(n + 100, 64),
  boot_id: 'c3'.repeat(16),
  not_after: 50_000,
  ...nothing,
  event,
  ...over,
});
const move = (n: number, event: string, over = {}) => ({
  entry: 'move',
  at: 3_000 + n,
  host_id: host,
  request_id: numbered(n, 32),
  ...nothing,
  event,
  ...over,
});
const report = {
  acted: true,
  error_code: null,
  strategy: 'global',
  hit: null,
  changed: null,
  change: null,
  foreground: null,
  settled: null,
  settle_ms: null,
  settle_reason: null,
  read_back: null,
  read_back_matches: null,
  at_edge: null,
  run_ms: 12,
};
const good = [
  base,
  { entry: 'session', at: 1_500, host_id: host, session: 1 },
  record(1, 'submit_started'),
  move(1, 'finish', { report }),
  record(2, 'submit_refused', { refusal: 'paused' }),
  record(3, 'seal', { key_hash: null }),
  record(4, 'submit_queued'),
];
const journal = (values: unknown[], first: Uint8Array = Buffer.alloc(32)) => {
  let chain: Uint8Array = first;
  const parts: Buffer[] = [];
  const ends: { offset: number; chain: string }[] = [];
  let offset = 0;
  for (const value of values) {
    const made = entry(value, chain);
    chain = made.chain;
    offset += made.bytes.length;
    parts.push(made.bytes);
    ends.push({ offset, chain: hex(chain) });
  }
  return { bytes: Buffer.concat(parts), ends };
};
const whole = journal(good);
const ends = whole.ends;
const endOf = (count: number) => ends[count - 1] as { offset: number; chain: string };
/** What a status says of a record. */
const says = (state: string, over = {}) => ({ state, ...nothing, ...over });
const records = {
  [numbered(1, 32)]: says('done', { report }),
  [numbered(2, 32)]: says('refused', { refusal: 'paused' }),
  [numbered(3, 32)]: says('sealed'),
  [numbered(4, 32)]: says('accepted'),
};
const without = (n: number) =>
  Object.fromEntries(Object.entries(records).filter(([id]) => id !== numbered(n, 32)));
const last = endOf(good.length);
const before = endOf(good.length - 1);
const changed = (at: number, to?: number) => {
  const bytes = Buffer.from(whole.bytes);
  bytes[at] = to ?? (bytes[at] as number) ^ 0x01;
  return bytes;
};
const swapped = Buffer.concat([
  whole.bytes.subarray(0, endOf(4).offset),
  whole.bytes.subarray(endOf(5).offset, endOf(6).offset),
  whole.bytes.subarray(endOf(4).offset, endOf(5).offset),
  whole.bytes.subarray(endOf(6).offset),
]);
const removed = Buffer.concat([
  whole.bytes.subarray(0, endOf(4).offset),
  whole.bytes.subarray(endOf(5).offset),
]);
const zeros = (count: number) => Buffer.concat([whole.bytes.subarray(0, before.offset), Buffer.alloc(count)]);
/** A journal written anew: six records of two boots in two entries, reports in full and in brief. */
const anewBase = {
  ...base,
  at: 4_000,
  continues: { length: 90, chain: endOf(7).chain },
  kept: 6,
  told: [[88, '11'.repeat(32)]],
  session: 5,
  holder: host,
  hosts: [
    {
      host_id: host,
      mark: 3,
      highest_seq: 19,
      settled_below: 13,
      audit_head: { length: 40, chain: '22'.repeat(32) },
    },
  ],
};
const longReport = { ...report, changed: true, read_back: 'Grüße', read_back_matches: true };
const briefReport = { acted: false, error_code: 'target_covered', strategy: 'ref', run_ms: 7 };
const keptRecord = (
  n: number,
  boot: number,
  state: string,
  why: string | null = null,
  said: unknown = null,
) => [
  numbered(n, 32),
  n,
  numbered(n, 64),
  n === 14 ? null : numbered(n + 100, 64),
  boot,
  50_000,
  state,
  why,
  said,
];
const keptEntry = (boots: string[], values: unknown[]) => ({
  entry: 'kept',
  at: 4_000,
  host_id: host,
  boots,
  records: values,
});
const keptFirst = keptEntry(
  ['c3'.repeat(16), 'd4'.repeat(16)],
  [
    keptRecord(11, 0, 'done', null, briefReport),
    keptRecord(12, 1, 'refused', 'target_stale'),
    keptRecord(13, 1, 'done', null, longReport),
  ],
);
const keptSecond = keptEntry(
  ['d4'.repeat(16)],
  [keptRecord(14, 0, 'sealed'), keptRecord(15, 0, 'interrupted', 'restarted'), keptRecord(19, 0, 'accepted')],
);
const anewChain = Buffer.from(endOf(7).chain, 'hex');
const anew = journal([anewBase, keptFirst, keptSecond], anewChain);
const anewRecords = {
  [numbered(11, 32)]: says('done', { report: { ...report, ...briefReport } }),
  [numbered(12, 32)]: says('refused', { refusal: 'target_stale' }),
  [numbered(13, 32)]: says('done', { report: longReport }),
  [numbered(14, 32)]: says('sealed'),
  [numbered(15, 32)]: says('interrupted', { interruption: 'restarted' }),
  [numbered(19, 32)]: says('accepted'),
};
const laterOn = journal(
  [
    anewBase,
    keptFirst,
    keptSecond,
    move(19, 'start'),
    { entry: 'boot', at: 10, boot_id: 'e5'.repeat(16), boot_count: 8 },
    move(19, 'interrupt', { interruption: 'restarted' }),
    { entry: 'stop', at: 20, stop_counter: 1, stopped_by: 'host' },
    { entry: 'mark', at: 30, host_id: host, mark: 14 },
    { entry: 'holder', at: 40, host_id: null },
  ],
  anewChain,
);
const headOf = (of: ReturnType<typeof journal>, length: number) => ({
  end: 'clean' as const,
  good: of.bytes.length,
  length,
  chain: (of.ends.at(-1) as { chain: string }).chain,
});
type Case = {
  say: string;
  bytes: Buffer;
  end: 'clean' | 'torn' | 'damaged';
  good?: number;
  length?: number;
  chain?: string;
  records?: Record<string, unknown>;
};
const clean = { end: 'clean', good: whole.bytes.length, length: 7, chain: last.chain, records } as const;
const torn = {
  end: 'torn',
  good: before.offset,
  length: 6,
  chain: before.chain,
  records: without(4),
} as const;
const cases: Case[] = [
  { say: 'seven whole entries', bytes: whole.bytes, ...clean },
  { say: 'the last entry without its last byte', bytes: whole.bytes.subarray(0, -1), ...torn },
  { say: 'the last entry without its chain', bytes: whole.bytes.subarray(0, -32), ...torn },
  { say: 'half of the last entry', bytes: whole.bytes.subarray(0, before.offset + 100), ...torn },
  { say: 'only the header of the last entry', bytes: whole.bytes.subarray(0, before.offset + 8), ...torn },
  { say: 'one byte of the last entry', bytes: whole.bytes.subarray(0, before.offset + 1), ...torn },
  {
    say: 'a last entry that is all zeros, as long as it should be',
    bytes: zeros(last.offset - before.offset),
    ...torn,
  },
  { say: 'one zero byte behind the last whole entry', bytes: zeros(1), ...torn },
  { say: 'a long run of zeros behind the last whole entry', bytes: zeros(5_000), ...torn },
  { say: 'a complete last entry with a wrong checksum', bytes: changed(last.offset - 1), end: 'damaged' },
  {
    say: 'a changed byte in the text of the last, complete entry',
    bytes: changed(before.offset + 30),
    end: 'damaged',
  },
  {
    say: 'a last entry of which only the front was written, zeros behind',
    bytes: Buffer.concat([
      whole.bytes.subarray(0, before.offset + 100),
      Buffer.alloc(last.offset - before.offset - 100),
    ]),
    end: 'damaged',
  },
  {
    say: 'a changed byte in the text of the third entry',
    bytes: changed(endOf(2).offset + 40),
    end: 'damaged',
  },
  {
    say: 'a changed byte in the checksum of the third entry',
    bytes: changed(endOf(3).offset - 5),
    end: 'damaged',
  },
  {
    say: 'a length in the middle that points behind the end: not a short last entry',
    bytes: changed(endOf(2).offset + 1, 0x03),
    end: 'damaged',
  },
  {
    say: 'a length in the middle of zero',
    bytes: (() => {
      const b = changed(endOf(2).offset + 2, 0);
      b[endOf(2).offset + 3] = 0;
      return b;
    })(),
    end: 'damaged',
  },
  { say: 'two entries in the wrong order', bytes: swapped, end: 'damaged' },
  { say: 'an entry left out of the middle', bytes: removed, end: 'damaged' },
  { say: 'the first entry missing', bytes: whole.bytes.subarray(endOf(1).offset), end: 'damaged' },
  { say: 'an empty file', bytes: Buffer.alloc(0), end: 'damaged' },
  { say: 'nothing but zeros', bytes: Buffer.alloc(200), end: 'damaged' },
  {
    say: 'a text that is no JSON, rightly chained',
    bytes: journal([base, '{"entry":']).bytes,
    end: 'damaged',
  },
  {
    say: 'an entry of a kind that nobody knows',
    bytes: journal([base, { entry: 'wish', at: 1 }]).bytes,
    end: 'damaged',
  },
  {
    say: 'a first entry of another version',
    bytes: journal([{ ...base, version: 2 }]).bytes,
    end: 'damaged',
  },
  {
    say: 'a move the table does not have: done → interrupted',
    bytes: journal([...good, move(1, 'interrupt', { interruption: 'stopped' })]).bytes,
    end: 'damaged',
  },
  {
    say: 'a move of a record that does not exist',
    bytes: journal([...good, move(9, 'start')]).bytes,
    end: 'damaged',
  },
  {
    say: 'a second record of the same id',
    bytes: journal([...good, record(1, 'seal')]).bytes,
    end: 'damaged',
  },
  {
    say: 'a second record of the same seq',
    bytes: journal([...good, record(9, 'seal', { seq: 1 })]).bytes,
    end: 'damaged',
  },
  {
    say: 'a journal written anew: counter and chain go on, reports in full and in brief',
    bytes: anew.bytes,
    ...headOf(anew, 93),
    records: anewRecords,
  },
  {
    say: 'entries behind a journal written anew: a kept record moves on, the mark forgets, the boot changes',
    bytes: laterOn.bytes,
    ...headOf(laterOn, 99),
    records: {
      [numbered(15, 32)]: anewRecords[numbered(15, 32)],
      [numbered(19, 32)]: says('interrupted', { interruption: 'restarted' }),
    },
  },
  {
    say: 'a journal written anew without its last entry: no crash tears what was synced before it was renamed',
    bytes: anew.bytes.subarray(0, anew.ends[1]?.offset),
    end: 'damaged',
  },
  {
    say: 'a journal written anew whose last kept entry is cut',
    bytes: anew.bytes.subarray(0, -20),
    end: 'damaged',
  },
  {
    say: 'a kept entry behind others',
    bytes: journal([...good, keptSecond]).bytes,
    end: 'damaged',
  },
  {
    say: 'more kept records than the first entry says',
    bytes: journal([{ ...anewBase, kept: 5 }, keptFirst, keptSecond], anewChain).bytes,
    end: 'damaged',
  },
  {
    say: 'other entries before all kept records have come',
    bytes: journal([anewBase, keptFirst, { entry: 'holder', at: 40, host_id: null }, keptSecond], anewChain)
      .bytes,
    end: 'damaged',
  },
  {
    say: 'a record kept twice',
    bytes: journal([anewBase, keptFirst, keptFirst], anewChain).bytes,
    end: 'damaged',
  },
  {
    say: 'a kept entry of the shape that is no more',
    bytes: journal(
      [
        { ...anewBase, kept: 1 },
        { ...record(11, 'seal'), entry: 'kept', state: 'sealed' },
      ],
      anewChain,
    ).bytes,
    end: 'damaged',
  },
];
write('journal', {
  say: 'A whole file each, hex. good = bytes of whole entries; length and chain = the head after them; records = what a status says of each, by request_id. "damaged" means: keep the file, begin a new ledger.',
  host_id: host,
  cases: cases.map(({ bytes, good, length, chain, records, ...rest }) => ({
    ...rest,
    bytes: hex(bytes),
    good: good ?? null,
    length: length ?? null,
    chain: chain ?? null,
    records: records ?? null,
  })),
});

/* ---- checks: what a submit and a seal are answered, by what is known ---- */

const payloadOf = (over = {}) =>
  JSON.stringify({
    version: 1,
    salt: '07'.repeat(16),
    agent: 'assistant',
    act: { kind: 'go', to: 'home' },
    expect: { package: null, window_title: null, shown_print: null },
    shown: [],
    verdict: { level: 'low', decision: 'allow', reasons: [] },
    run_limit_ms: 5_000,
    settle: { reaction_ms: 500, quiet_ms: 400, ceiling_ms: 3_000 },
    ...over,
  });
const asked = { level: 'high', decision: 'ask', reasons: [] };
type Bound = Record<string, string | number>;
const requestOf = (payload: string, over: Bound = {}) => {
  const request: Bound = {
    request_id: numbered(5, 32),
    payload,
    payload_sha256: hex(sha(payload)),
    host_id: host,
    seq: 5,
    ledger_id: 'b2'.repeat(16),
    boot_id: 'c3'.repeat(16),
    not_after: 60_000,
    stop_counter: 2,
    key_hash: numbered(105, 64),
    ...over,
  };
  const { payload: _, ...fields } = request;
  return {
    request,
    digest: hex(sha(['countersign-request-v1', ...Object.values(fields).map(String)].join('\n'))),
  };
};
const ordinary = requestOf(payloadOf());
const recordOf = (over = {}) => ({
  request_id: numbered(5, 32),
  seq: 5,
  digest: ordinary.digest,
  key_hash: numbered(105, 64),
  state: 'done',
  ...over,
});
const another = recordOf({ request_id: numbered(9, 32), digest: numbered(9, 64) });
const staged = requestOf(payloadOf({ verdict: asked }));
const refusedByHost = requestOf(payloadOf({ verdict: { ...asked, decision: 'refuse' } }));
const approvalOf = (digest: string) => ({ by: 'owner', request_digest: digest, signature: null });
const no = (code: string) => ({ kind: 'not_a_record', code });
const refuse = (code: string) => ({ kind: 'refuse', code });
const known = (state: string) => ({ kind: 'known', state });
type Given = {
  say: string;
  phone?: Record<string, unknown>;
  of?: ReturnType<typeof requestOf>;
  approval?: unknown;
  expect: unknown;
};
const everything = {
  mark: 9,
  stopped_by: 'host',
  policy: 'package_refused',
  screen: 'target_stale',
  now_ms: 70_000,
};
const submits: Given[] = [
  { say: 'nothing against it', expect: { kind: 'pass' } },
  { say: 'at the very last moment', phone: { now_ms: 60_000 }, expect: { kind: 'pass' } },
  { say: 'a millisecond late', phone: { now_ms: 60_001 }, expect: no('expired_submit') },
  { say: 'of another host', of: requestOf(payloadOf(), { host_id: 'a2'.repeat(16) }), expect: no('schema') },
  {
    say: 'bytes of another hash, though the id is known',
    phone: { records: [recordOf()] },
    of: requestOf(payloadOf(), { payload_sha256: '00'.repeat(32) }),
    expect: no('hash_mismatch'),
  },
  ...['accepted', 'started', 'done', 'refused', 'sealed', 'interrupted'].map((state) => ({
    say: `known, ${state}: whatever else is wrong`,
    phone: {
      ...everything,
      mark: 0,
      ledger_id: 'b9'.repeat(16),
      boot_id: 'c9'.repeat(16),
      records: [recordOf({ state })],
    },
    expect: known(state),
  })),
  {
    say: 'known with another digest',
    phone: { records: [recordOf({ digest: numbered(1, 64) })] },
    expect: no('conflict'),
  },
  {
    say: 'another ledger, and everything behind it wrong as well',
    phone: { ...everything, ledger_id: 'b9'.repeat(16), boot_id: 'c9'.repeat(16) },
    expect: no('other_ledger'),
  },
  { say: 'another boot', phone: { ...everything, boot_id: 'c9'.repeat(16) }, expect: no('other_boot') },
  { say: 'below the mark', phone: everything, expect: no('forgotten') },
  { say: 'at the mark', phone: { mark: 5 }, expect: no('forgotten') },
  { say: 'just above the mark', phone: { mark: 4 }, expect: { kind: 'pass' } },
  {
    say: 'a seq that was used',
    phone: { ...everything, mark: 0, records: [another] },
    expect: no('conflict'),
  },
  {
    say: 'a key that was used',
    phone: { ...everything, mark: 0, records: [recordOf({ request_id: numbered(9, 32), seq: 4 })] },
    expect: no('key_used'),
  },
  {
    say: 'a payload that is none',
    of: requestOf('{"act":"tap"}'),
    phone: { stopped_by: 'host' },
    expect: no('schema'),
  },
  { say: 'a payload that is no JSON', of: requestOf('go home'), expect: no('schema') },
  {
    say: 'a payload that is nested too deep',
    of: requestOf(`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`),
    expect: no('limit'),
  },
  { say: 'stopped', phone: { ...everything, mark: 0, now_ms: 5_000 }, expect: refuse('paused') },
  { say: 'stopped and lifted since', phone: { stop_counter: 4 }, expect: refuse('paused') },
  {
    say: 'the policy of the phone, before approval and screen',
    phone: { policy: 'package_refused', screen: 'target_stale' },
    of: staged,
    expect: refuse('package_refused'),
  },
  {
    say: 'an approval is asked for, none came',
    of: staged,
    phone: { screen: 'target_stale' },
    expect: refuse('approval_missing'),
  },
  {
    say: 'an approval of this very digest',
    of: staged,
    approval: approvalOf(staged.digest),
    expect: { kind: 'pass' },
  },
  {
    say: 'an approval of another digest',
    of: staged,
    approval: approvalOf(ordinary.digest),
    expect: refuse('approval_missing'),
  },
  {
    say: 'an approval of something else, where none was needed',
    approval: approvalOf(staged.digest),
    expect: refuse('approval_missing'),
  },
  {
    say: 'no approval helps what the judge refused',
    of: refusedByHost,
    approval: approvalOf(refusedByHost.digest),
    expect: refuse('approval_missing'),
  },
  { say: 'the screen, last of all', phone: { screen: 'target_stale' }, expect: refuse('target_stale') },
];
const seals: Given[] = [
  { say: 'absent: a tombstone', expect: { kind: 'tombstone' } },
  {
    say: 'also long past its time, stopped or not',
    phone: { now_ms: 99_000, stopped_by: 'host' },
    expect: { kind: 'tombstone' },
  },
  { say: 'of another host', of: requestOf(payloadOf(), { host_id: 'a2'.repeat(16) }), expect: no('schema') },
  ...['accepted', 'started', 'done', 'refused', 'sealed', 'interrupted'].map((state) => ({
    say: `known, ${state}: whatever else is wrong`,
    phone: { ledger_id: 'b9'.repeat(16), boot_id: 'c9'.repeat(16), records: [recordOf({ state })] },
    expect: known(state),
  })),
  {
    say: 'known with another digest',
    phone: { records: [recordOf({ digest: numbered(1, 64) })] },
    expect: no('conflict'),
  },
  {
    say: 'another ledger, below the mark, another boot',
    phone: { ledger_id: 'b9'.repeat(16), mark: 9, boot_id: 'c9'.repeat(16) },
    expect: no('other_ledger'),
  },
  {
    say: 'below the mark, in another boot',
    phone: { mark: 9, boot_id: 'c9'.repeat(16) },
    expect: no('forgotten'),
  },
  {
    say: 'another boot: absent, and nothing is written',
    phone: { boot_id: 'c9'.repeat(16), records: [another] },
    expect: { kind: 'absent' },
  },
  { say: 'its seq belongs to another request', phone: { records: [another] }, expect: no('conflict') },
];
write('checks', {
  say: 'What a submit, and a seal of the same request, are answered. `phone` is the base with what each case changes; `request` likewise is the one given, or the base. `policy` and `screen` are what those two checks would answer. known: the record as it is; refuse: a durable refusal; pass: it starts or waits; tombstone: sealed is written.',
  phone: {
    host_id: host,
    ledger_id: 'b2'.repeat(16),
    boot_id: 'c3'.repeat(16),
    mark: 0,
    now_ms: 5_000,
    stop_counter: 2,
    stopped_by: null,
    records: [],
    policy: null,
    screen: null,
  },
  request: ordinary.request,
  digest: ordinary.digest,
  submits: submits.map(({ of, ...rest }) => ({ ...rest, ...(of ?? {}) })),
  seals: seals.map(({ of, ...rest }) => ({ ...rest, ...(of ?? {}) })),
});
