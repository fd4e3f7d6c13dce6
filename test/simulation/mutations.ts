/**
 * Deliberate faults in the production sources, each of which the simulation has to notice. A patch matches
 * its file exactly once, so that it cannot go stale unseen. Not for running them (mutate.ts).
 */

export interface Patch {
  /** From the repository's root. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

export interface Mutation {
  readonly name: string;
  /** What it breaks: a promise, or a numbered rule of the protocol. */
  readonly breaks: string;
  readonly patches: readonly Patch[];
  /** Covered by another rule (rule 14): the fault shows only where that one is missing, too. */
  readonly with?: { readonly rule: string; readonly patches: readonly Patch[] };
}

const P = 'device-protocol/companion';
const T = 'host/engine/tracker';

const endsWithoutAsking: Patch = {
  file: `${T}/sending.ts`,
  find: '    if (waiting && this.#moves.fresh(row))\n      return this.#moves.move(row, ending, { error_code: code, ...decision }) ?? row;',
  put: '    if (waiting)\n      return this.#moves.move(row, ending, { error_code: code, ...decision }) ?? row;',
};
const keyUsedTwice: Patch = {
  file: `${P}/checks.ts`,
  find: "  if (book.byKey(request.key_hash) !== undefined)\n    return not('key_used', 'this key_hash was used by another request');\n",
  put: '',
};
const failureForgotten: Patch = {
  file: `${P}/keeper.ts`,
  find: "      this.#suspect ||= error.code === 'disk_failed';\n      this.recover();\n      return false;",
  put: '      return true;',
};
const seqUsedTwice: Patch = {
  file: `${P}/checks.ts`,
  find: "  if (book.bySeq(request.seq) !== undefined) return not('conflict', 'this seq was used by another request');\n",
  put: '',
};
const stopComparedAtStart: Patch = {
  file: `${P}/checks.ts`,
  find: "  if (ledger.stopped_by !== null || request.stop_counter !== ledger.stop_counter) return 'paused';",
  put: "  if (ledger.stopped_by !== null) return 'paused';",
};

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'the journal is not synced',
    breaks: 'promise 1: a record may be gone after a power cut',
    patches: [{ file: `${P}/ledger.ts`, find: '    this.#disk.sync();\n', put: '' }],
  },
  {
    name: 'memory moves before the journal is written',
    breaks: 'rule 1: what is answered must be durable',
    patches: [
      {
        file: `${P}/ledger.ts`,
        find: `    this.#disk.append(parts.length === 1 ? (parts[0] as Uint8Array) : concatBytes(parts));
    this.#disk.sync();
    for (const entry of found) {
      this.#apply(entry.value as LaterEntry, entry);
      this.#advance(entry);
    }`,
        put: `    for (const entry of found) {
      this.#apply(entry.value as LaterEntry, entry);
      this.#advance(entry);
    }
    this.#disk.append(parts.length === 1 ? (parts[0] as Uint8Array) : concatBytes(parts));
    this.#disk.sync();`,
      },
    ],
    with: {
      rule: 'a write that failed closes the journal, and recovery reads it anew (rule 1)',
      patches: [failureForgotten],
    },
  },
  {
    name: 'the act begins before its record is written',
    breaks: 'started is durable before the first input',
    patches: [
      {
        file: `${P}/acts.ts`,
        find: `    if (!this.#keeper.write([entry]))
      return this.#unless('storage_failed', 'the journal could not be written');
    const record = ledger.find(hostId, request_id) as LedgerRecord;
    if (checked.kind === 'pass') {`,
        put: `    if (starts && checked.kind === 'pass') {
      const { payload } = checked.candidate;
      this.#ports.body.perform({ act: payload.act, payload, stillMine: () => true }, () => {});
    }
    if (!this.#keeper.write([entry]))
      return this.#unless('storage_failed', 'the journal could not be written');
    const record = ledger.find(hostId, request_id) as LedgerRecord;
    if (checked.kind === 'pass') {`,
      },
    ],
  },
  {
    name: 'a seal is answered and not written',
    breaks: 'promise 2: a sealed request may run when its submit arrives late',
    patches: [
      {
        file: `${P}/acts.ts`,
        find: "    if (!this.#keeper.write([{ ...tombstone, event: 'seal' }]))\n      return this.#unless('storage_failed', 'the journal could not be written');\n    return { kind: 'known', record: ledger.find(hostId, request_id) as LedgerRecord };",
        put: "    return { kind: 'known', record: Object.assign(Object.create(null), { ...tombstone, state: 'sealed', refusal: null, interruption: null, offset: 0, bytes: 0 }) as LedgerRecord };",
      },
    ],
  },
  {
    name: 'a seal of a waiting request leaves it in the queue',
    breaks: 'promise 2',
    patches: [
      {
        file: `${P}/acts.ts`,
        find: '      this.#waiting = this.#waiting.filter((one) => one.record !== record);\n',
        put: '',
      },
    ],
  },
  {
    name: 'the payload is not held against its hash',
    breaks: 'bytes that do not match their own hash are a protocol error',
    patches: [
      {
        file: `${P}/checks.ts`,
        find: '  if (sha256OfText(request.payload) !== request.payload_sha256)\n',
        put: '  if (sha256OfText(request.payload) === null)\n',
      },
    ],
  },
  {
    name: 'a known id is run again',
    breaks: 'promise 1: copies of one submit',
    patches: [
      {
        file: `${P}/checks.ts`,
        find: "  if (known !== undefined)\n    return known.digest === digest\n      ? { kind: 'known', record: known }\n      : not('conflict', 'this request_id was used with another digest');",
        put: "  if (known !== undefined && known.state !== 'done')\n    return known.digest === digest\n      ? { kind: 'known', record: known }\n      : not('conflict', 'this request_id was used with another digest');\n  if (known !== undefined) {\n    const again = parseJson(request.payload, payloadSchema, LIMITS.payloadBytes);\n    if (again.ok) ports.body.perform({ act: again.message.act, payload: again.message, stillMine: () => true }, () => {});\n    return { kind: 'known', record: known };\n  }",
      },
    ],
  },
  {
    name: 'a submit for another boot runs',
    breaks: 'a delayed packet after a reboot must be harmless',
    patches: [
      {
        file: `${P}/checks.ts`,
        find: "  if (request.boot_id !== ledger.boot_id) return not('other_boot', 'made for another boot');\n",
        put: '',
      },
    ],
  },
  {
    name: 'a submit for another ledger runs',
    breaks: 'a delayed packet after a reinstall must be harmless',
    patches: [
      {
        file: `${P}/checks.ts`,
        find: "  if (request.ledger_id !== ledger.ledger_id) return not('other_ledger', 'made for another ledger');\n",
        put: '',
      },
    ],
    with: {
      rule: 'a new ledger begins with a new boot_id, and another boot never runs',
      patches: [
        {
          file: `${P}/checks.ts`,
          find: "  if (request.boot_id !== ledger.boot_id) return not('other_boot', 'made for another boot');\n",
          put: '',
        },
      ],
    },
  },
  {
    name: 'not_after is not compared on arrival',
    breaks: 'the last moment at which it may start',
    patches: [
      {
        file: `${P}/checks.ts`,
        find: "  if (nowMs > request.not_after) return not('expired_submit', 'past not_after');\n",
        put: '',
      },
    ],
    with: {
      rule: 'it is compared again at the start',
      patches: [
        {
          file: `${P}/checks.ts`,
          find: "  if (nowMs > request.not_after) return 'start_expired';\n",
          put: '',
        },
      ],
    },
  },
  {
    name: 'a second request with the same key runs',
    breaks: 'rule 5: a restored host has forgotten keys it gave',
    patches: [keyUsedTwice],
  },
  {
    name: 'the stop counter is not compared',
    breaks: 'rule 6: a submit under way when the stop is lifted must not run',
    patches: [stopComparedAtStart],
  },
  {
    name: 'a stop does not void what waits',
    breaks: 'promise: nothing runs while a stop holds',
    patches: [
      {
        file: `${P}/acts.ts`,
        find: '    this.cut(why, before, this.#waiting);',
        put: '    this.cut(why, before, []);',
      },
    ],
    with: {
      rule: 'the stop is looked at again at the start',
      patches: [
        {
          file: `${P}/checks.ts`,
          find: "  if (ledger.stopped_by !== null || request.stop_counter !== ledger.stop_counter) return 'paused';\n",
          put: '',
        },
      ],
    },
  },
  {
    name: 'what runs goes on after it was cut',
    breaks: 'rule 8: every input looks again whether its record is still started',
    patches: [
      {
        file: `${P}/acts.ts`,
        find: '    const stillMine = () => this.#running === run && run.cutUntilMs === null;',
        put: '    const stillMine = () => true;',
      },
    ],
  },
  {
    name: 'two acts at a time',
    breaks: 'one action at a time per phone',
    patches: [
      {
        file: `${P}/acts.ts`,
        find: '      (this.#running !== null || this.#waiting.length > 0 || this.#quietAtMs() > nowMs);',
        put: '      (this.#waiting.length > 0 || this.#quietAtMs() > nowMs);',
      },
    ],
  },
  {
    name: 'a restart lets a started record stand',
    breaks: 'restart: started becomes interrupted; promise 5 needs an end',
    patches: [
      {
        file: `${P}/keeper.ts`,
        find: "    entries.push(...closings(moved, now, 'restarted', 'restarted'));\n",
        put: '',
      },
    ],
  },
  {
    name: 'a started record is told as refused after a restart',
    breaks: 'promise 2: it may have run',
    patches: [
      {
        file: 'device-protocol/record-table.ts',
        find: "  started: { finish: 'done', interrupt: 'interrupted' },",
        put: "  started: { finish: 'done', interrupt: 'refused' },",
      },
    ],
  },
  {
    name: 'a torn tail is not cut off',
    breaks: 'the journal goes on behind half an entry',
    patches: [
      {
        file: `${P}/ledger.ts`,
        find: "    if (end.kind === 'torn') disk.truncate(end.goodBytes);\n",
        put: '',
      },
    ],
  },
  {
    name: 'records are forgotten before the mark is written',
    breaks: 'rule: the mark is raised first; absent must not be said of what was forgotten',
    patches: [
      {
        file: `${P}/keeper.ts`,
        find: "      if (mark > book.mark) return this.write([{ entry: 'mark', at: now, host_id: book.host_id, mark }]);",
        put: '      if (mark > book.mark) {\n        const before = book.mark;\n        book.forget(mark);\n        book.mark = before;\n        return true;\n      }',
      },
    ],
  },
  {
    name: 'records are pruned while a late copy may still run',
    breaks: 'only what is past not_after, or of another boot, may be forgotten',
    patches: [
      {
        file: `${P}/records.ts`,
        find: '    return isFinalRecord(this.state) && (this.boot_id !== bootId || nowMs > this.not_after);',
        put: '    return isFinalRecord(this.state) && bootId !== null && nowMs >= 0;',
      },
    ],
    with: {
      rule: 'a seq at or below the mark never runs',
      patches: [
        {
          file: `${P}/checks.ts`,
          find: "  if (request.seq <= book.mark) return not('forgotten', 'seq is at or below the pruned mark');\n",
          put: '',
        },
        {
          file: `${P}/acts.ts`,
          find: "    if (request.seq <= ledger.book(hostId).mark)\n      return not('forgotten', 'seq is at or below the pruned mark');\n",
          put: '',
        },
      ],
    },
  },
  {
    name: 'a failed sync is forgotten',
    breaks: 'rule 1: after a failed write or fsync the journal is closed and recovery runs',
    patches: [
      {
        file: `${P}/keeper.ts`,
        find: "      this.#suspect ||= error.code === 'disk_failed';\n      this.recover();\n      return false;",
        put: '      return true;',
      },
    ],
  },
  {
    name: 'what could be read is taken for what is on the disk',
    breaks: 'after a failed sync the page cache may show what a power cut takes away',
    patches: [
      {
        file: `${P}/keeper.ts`,
        find: '    if (this.#suspect) ledger.compact();\n    else ledger.renew();\n',
        put: '',
      },
    ],
  },
  {
    name: 'a phone that was turned back keeps its ledger',
    breaks: 'rule 4: time turned back',
    patches: [
      {
        file: 'device-protocol/turned-back.ts',
        find: '  if (memory === null) return null;\n  if (memory.retired_ledgers',
        put: '  if (memory === null || memory.session >= 0) return null;\n  if (memory.retired_ledgers',
      },
    ],
  },
  {
    name: 'a clock that lost time is believed',
    breaks: 'rule 4: a snapshot brings ledger, clock and boot back together',
    patches: [
      {
        file: 'device-protocol/turned-back.ts',
        find: "    if (lostMs > allowedMs || hello.elapsed_ms < memory.elapsed_ms - CLOCK_TOLERANCE_MS) return 'clock_lost';\n",
        put: "    if (lostMs + allowedMs < 0 && hello.elapsed_ms < 0) return 'clock_lost';\n",
      },
    ],
  },
  {
    name: 'sent is committed after the bytes have left',
    breaks: 'rule 2',
    patches: [
      {
        file: `${T}/sending.ts`,
        find: `    const sent =
      row.state === 'sent' ? row : this.#moves.move(row, 'send', { sent_at: this.#parts.clock.now() });
    if (sent === null) return;
    call.submittedAtAsk = this.lastAsk;`,
        put: `    if (row.state === 'ready') this.#submit(row, link);
    const sent =
      row.state === 'sent' ? row : this.#moves.move(row, 'send', { sent_at: this.#parts.clock.now() });
    if (sent === null) return;
    call.submittedAtAsk = this.lastAsk;`,
      },
    ],
    with: {
      rule: 'a row found at start is asked about before it ends (rule 3)',
      patches: [endsWithoutAsking],
    },
  },
  {
    name: 'a restored host goes on as if nothing were',
    breaks: 'rule 5: its seq and its keys are from before',
    patches: [
      {
        file: 'device-protocol/host-dialogue.ts',
        find: '      host_turned_back: hello.highest_seq > last_seq,',
        put: '      host_turned_back: hello.highest_seq > last_seq && last_seq < 0,',
      },
    ],
    with: {
      rule: 'the phone refuses a key and a seq that it has a record of',
      patches: [keyUsedTwice, seqUsedTwice],
    },
  },
  {
    name: 'a request is submitted again after its seal was sent',
    breaks: 'once a seal is sent that id is never submitted again',
    patches: [
      {
        file: `${T}/sending.ts`,
        find: "    if (row.seal_flag) {\n      this.#seal(row);\n      return;\n    }\n    if (call?.phase !== 'wanted') {",
        put: "    if (row.seal_flag) {\n      this.#seal(row);\n      this.#submit(row, link);\n      return;\n    }\n    if (call?.phase !== 'wanted') {",
      },
    ],
    with: {
      rule: 'the tombstone of a seal stands before every later submit',
      patches: [
        {
          file: `${P}/acts.ts`,
          find: "    if (!this.#keeper.write([{ ...tombstone, event: 'seal' }]))\n      return this.#unless('storage_failed', 'the journal could not be written');\n    return { kind: 'known', record: ledger.find(hostId, request_id) as LedgerRecord };",
          put: "    return { kind: 'known', record: Object.assign(Object.create(null), { ...tombstone, state: 'sealed', refusal: null, interruption: null, offset: 0, bytes: 0 }) as LedgerRecord };",
        },
      ],
    },
  },
  {
    name: 'absent on another ledger is taken for did not run',
    breaks: 'promise 3: a ledger that is gone proves nothing',
    patches: [
      {
        file: `${T}/evidence.ts`,
        find: "  if (said.ledger_id !== row.ledger_id) return { kind: 'lost', why: 'other_ledger' };",
        put: "  if (said.ledger_id !== row.ledger_id) return { kind: 'outlived' };",
      },
    ],
  },
  {
    name: 'forgotten is taken for absent',
    breaks: 'promise 3: what was pruned may have run',
    patches: [
      {
        file: `${T}/evidence.ts`,
        find: "    if (said.forgotten) return { kind: 'lost', why: 'forgotten' };\n",
        put: "    if (said.forgotten) return { kind: 'outlived' };\n",
      },
    ],
  },
  {
    name: 'the link’s loss is taken for did not run',
    breaks: 'promise 3: a lost link is no proof',
    patches: [
      {
        file: `${T}/sending.ts`,
        find: "    if (row?.state === 'sent') this.#moves.move(row, 'doubt');\n    this.#moves.closeCall(requestId);",
        put: "    if (row?.state === 'sent') this.#moves.move(row, ['doubt', 'outlived'], { error_code: 'sealed' });\n    this.#moves.closeCall(requestId);",
      },
    ],
  },
  {
    name: 'nothing is asked about after a reconnect',
    breaks: 'promise 5: every request reaches a final state by itself',
    patches: [
      {
        file: `${T}/reconciling.ts`,
        find: '    this.#ask(link, this.#parts.store.commands.open(link.device_id));\n    this.#schedule(link.device_id, TIMES.askFirstMs);',
        put: '    if (link.device_id === null) this.#schedule(link.device_id, TIMES.askFirstMs);',
      },
    ],
  },
  {
    name: 'what should wait for the owner is sent at once',
    breaks: 'a staged request runs only when it was approved',
    patches: [
      {
        file: `${T}/binding.ts`,
        find: "const EVENT = { ready: 'allow', staged: 'stage', refused: 'refuse' } as const",
        put: "const EVENT = { ready: 'allow', staged: 'allow', refused: 'refuse' } as const",
      },
      {
        file: `${T}/binding.ts`,
        find: "    if (decision.to === 'ready' && decision.at_once === true)",
        put: "    if (decision.to === 'staged' || (decision.to === 'ready' && decision.at_once === true))",
      },
    ],
    with: {
      rule: 'what leaves is what was approved (D-43)',
      patches: [
        {
          file: `${T}/sending.ts`,
          find: '    (row.confirmation_id === null || row.approved_digest === row.digest)\n',
          put: '    row.digest.length > 0\n',
        },
        {
          file: `host/engine/tracker.ts`,
          find: "    if (bound.row.state === 'ready' || bound.row.state === 'sent') this.#sending.openCall(bound.row);",
          put: '    this.#sending.openCall(bound.row);',
        },
      ],
    },
  },
];
