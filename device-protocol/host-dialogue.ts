/**
 * The host's side of the handshake with one phone, from its `dial` to `ready`, as a pure machine: each frame
 * in, one step out. Not for sockets, heartbeats or anything after `ready` (host/devices), nor for how often
 * somebody may try (host/devices/attempts.ts).
 */
import { proofOf, provesSecret, type Transcript } from './auth.ts';
import { PROTOCOL_VERSION } from './limits.ts';
import type { CompanionMessage, Hello, HostMessage, LinkRefusalCode, Ready } from './messages.ts';
import { type HostMemory, memoryAfter, type TurnedBack, turnedBack } from './turned-back.ts';
import { parseCompanionFrame, statedVersion } from './wire.ts';

/** What the host knows of a phone, asked for when it has said who it claims to be. */
export interface KnownPhone {
  /** 64 hex digits from pairing. */
  readonly secret: string;
  readonly memory: HostMemory | null;
  /** Highest `seq` this host ever gave for this phone. */
  readonly last_seq: number;
  readonly settled_below: number;
}

export interface HostDialogueGiven {
  readonly host_id: string;
  /** SHA-256 of this host's certificate's DER, lower-case hex. */
  readonly fingerprint: string;
  /** 64 fresh random hex digits. */
  readonly nonce: string;
  /** Null: no such phone. Asked again at the hello, so that what is compared is the newest memory. */
  readonly phone: (deviceId: string) => KnownPhone | null;
  /** False: too many wrong proofs lately for this phone. */
  readonly mayTry: (deviceId: string) => boolean;
  /** Milliseconds that never go back. */
  readonly monotonic: () => number;
  /** The clock of `HostMemory.seen_at`. */
  readonly now: () => number;
}

export interface Opened {
  readonly device_id: string;
  readonly hello: Hello;
  readonly ready: Ready;
  /** `monotonic()` when the hello arrived: its `elapsed_ms` was true then or a little before. */
  readonly hello_at_ms: number;
  /** Why a new ledger was asked for; every request open on the old one is `unknown` for good. */
  readonly turned_back: TurnedBack | null;
  /** The phone knows a higher `seq` than this host ever gave: this host was restored (rule 5). */
  readonly host_turned_back: boolean;
  /** To be stored before anything of this session is used. */
  readonly memory: HostMemory;
}

export type HostStep =
  | { readonly kind: 'send'; readonly message: HostMessage }
  | { readonly kind: 'opened'; readonly opened: Opened }
  /** To be said as `refused`, then the socket destroyed. `wrong_proof`: it counts as a failed attempt. */
  | {
      readonly kind: 'refuse';
      readonly code: LinkRefusalCode;
      readonly detail: string;
      readonly device_id: string | null;
      readonly wrong_proof: boolean;
    }
  /** The phone ended it itself. */
  | { readonly kind: 'ended'; readonly code: LinkRefusalCode; readonly detail: string };

const NO_SECRET = '0'.repeat(64);

type Phase =
  | { readonly name: 'silent' }
  | { readonly name: 'challenged'; readonly transcript: Transcript }
  | {
      readonly name: 'proved';
      readonly device_id: string;
      readonly sent_at_ms: number;
      /** What was remembered when the phone was asked about it: its hello answers that, and nothing newer. */
      readonly asked: HostMemory | null;
    }
  | {
      readonly name: 'greeted';
      readonly device_id: string;
      readonly hello: Hello;
      readonly hello_at_ms: number;
      readonly seen_at: number;
      readonly session: number;
      readonly turned_back: TurnedBack | null;
      readonly host_turned_back: boolean;
      readonly before: HostMemory | null;
    }
  | { readonly name: 'over' };

export class HostDialogue {
  readonly #given: HostDialogueGiven;
  #phase: Phase = { name: 'silent' };

  constructor(given: HostDialogueGiven) {
    this.#given = given;
  }

  /** Which phone it says it is; proven only from `hello` on. */
  get deviceId(): string | null {
    const phase = this.#phase;
    if (phase.name === 'challenged') return phase.transcript.device_id;
    return 'device_id' in phase ? phase.device_id : null;
  }

  /** Takes one text frame. After `opened`, `refuse` or `ended` no more may be given. */
  frame(text: string): HostStep {
    const parsed = parseCompanionFrame(text);
    if (!parsed.ok) {
      const version = this.#phase.name === 'silent' ? statedVersion(text) : null;
      if (version !== null && version !== PROTOCOL_VERSION) return this.#otherVersion(version);
      return this.#refuse(parsed.code === 'schema' ? 'bad_message' : 'too_large', parsed.detail);
    }
    const { message } = parsed;
    const phase = this.#phase;
    if (message.type === 'refused') {
      this.#phase = { name: 'over' };
      return { kind: 'ended', code: message.code, detail: message.detail };
    }
    if (phase.name === 'silent' && message.type === 'dial') return this.#dialled(message);
    if (phase.name === 'challenged' && message.type === 'proof')
      return this.#proved(message, phase.transcript);
    if (phase.name === 'proved' && message.type === 'hello') return this.#greeted(message, phase);
    if (phase.name === 'greeted' && message.type === 'ready') return this.#ready(message, phase);
    return this.#refuse('bad_message', `${message.type} has no place here`);
  }

  #dialled(dial: Extract<CompanionMessage, { type: 'dial' }>): HostStep {
    if (dial.protocol !== PROTOCOL_VERSION) return this.#otherVersion(dial.protocol);
    const { host_id, fingerprint, nonce } = this.#given;
    if (!this.#given.mayTry(dial.device_id))
      return this.#refuse('too_many_attempts', 'too many wrong proofs; wait a minute', dial.device_id);
    this.#phase = {
      name: 'challenged',
      transcript: {
        protocol: PROTOCOL_VERSION,
        device_id: dial.device_id,
        host_id,
        companion_nonce: dial.nonce,
        host_nonce: nonce,
        fingerprint,
      },
    };
    return this.#send({ type: 'challenge', protocol: PROTOCOL_VERSION, host_id, nonce });
  }

  #proved({ proof }: { proof: string }, transcript: Transcript): HostStep {
    const { device_id } = transcript;
    const phone = this.#given.phone(device_id);
    // The same answer, after the same work, for an unknown phone and a wrong secret: a stranger learns no names.
    const proven = provesSecret('companion', transcript, phone?.secret ?? NO_SECRET, proof);
    if (phone === null || !proven)
      return this.#refuse('auth_failed', 'not paired here, or the secret does not match', device_id, true);
    const { memory } = phone;
    this.#phase = { name: 'proved', device_id, sent_at_ms: this.#given.monotonic(), asked: memory };
    return this.#send({
      type: 'proof_back',
      proof: proofOf('host', transcript, phone.secret),
      remembered: memory === null ? null : { ledger_id: memory.ledger_id, length: memory.length },
    });
  }

  #greeted(hello: Hello, { device_id, sent_at_ms, asked }: Extract<Phase, { name: 'proved' }>): HostStep {
    const phone = this.#given.phone(device_id);
    if (phone === null)
      return this.#refuse('unknown_device', 'this phone is not paired here any more', device_id);
    const { memory, last_seq, settled_below } = phone;
    const helloAtMs = this.#given.monotonic();
    const seenAt = this.#given.now();
    // Another session of the same phone may have told more since: held against that, this hello would be
    // taken for a phone that forgot, and its ledger would be lost for nothing.
    const back = turnedBack(asked, hello, {
      sinceMs: asked === null ? 0 : seenAt - asked.seen_at,
      roundTripMs: helloAtMs - sent_at_ms,
    });
    const session = Math.max(memory?.session ?? 0, hello.last_session) + 1;
    this.#phase = {
      name: 'greeted',
      device_id,
      hello,
      hello_at_ms: helloAtMs,
      seen_at: seenAt,
      session,
      turned_back: back,
      host_turned_back: hello.highest_seq > last_seq,
      before: memory,
    };
    return this.#send({ type: 'session', session, settled_below, ledger_rolled_back: back !== null });
  }

  #ready(ready: Ready, phase: Extract<Phase, { name: 'greeted' }>): HostStep {
    const { device_id, hello, turned_back, host_turned_back, before } = phase;
    const sameLedger = ready.ledger_id === hello.ledger_id;
    const asAsked =
      turned_back === null
        ? sameLedger && ready.boot_id === hello.boot_id && ready.head.length > hello.head.length
        : !sameLedger && ready.boot_id !== hello.boot_id;
    if (ready.session !== phase.session || !asAsked)
      return this.#refuse('bad_message', 'ready does not fit what was asked', device_id);
    this.#phase = { name: 'over' };
    const memory = memoryAfter(before, hello, ready, phase.seen_at);
    const { hello_at_ms } = phase;
    return {
      kind: 'opened',
      opened: { device_id, hello, ready, hello_at_ms, turned_back, host_turned_back, memory },
    };
  }

  #otherVersion(theirs: number): HostStep {
    const update = theirs < PROTOCOL_VERSION ? 'the companion on the phone' : 'countersign on the computer';
    return this.#refuse(
      'protocol_version',
      `the companion speaks version ${theirs}, the host ${PROTOCOL_VERSION}: update ${update}`,
    );
  }

  #send(message: HostMessage): HostStep {
    return { kind: 'send', message };
  }

  #refuse(
    code: LinkRefusalCode,
    detail: string,
    deviceId: string | null = this.deviceId,
    wrongProof = false,
  ): HostStep {
    this.#phase = { name: 'over' };
    const said = detail.slice(0, 300);
    return { kind: 'refuse', code, detail: said, device_id: deviceId, wrong_proof: wrongProof };
  }
}
