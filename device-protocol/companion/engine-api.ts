/**
 * What whoever carries the companion (virtual phone, simulation, Android app) may ask of its engine and of
 * a dialogue, and what they answer. Not for what the engine needs of the world (ports.ts).
 *
 * How to carry one:
 *
 *     const engine = new CompanionEngine(ports, settings);   // engine.ts
 *     engine.open();                                         // recovery; an act in progress is `interrupted`
 *     engine.whenReady(() => {                               // at once, unless the disk refuses just now
 *       const dialogue = new CompanionDialogue(engine, ports, pairing, socket);   // dialogue.ts, one per socket
 *       dialogue.start();                                    // once the socket is open: sends `dial`
 *       // every text frame: dialogue.frame(text); when the socket is gone: dialogue.gone()
 *     });
 *
 * Everything is synchronous. Time comes only through `ports.clock`; the engine sets its own timers there.
 * Any error other than `DiskError` that a port throws passes through the engine unhandled: the process
 * must end, and the next `open()` finds out what was going on.
 */
import type {
  CompanionMessage,
  Hello,
  HostMessage,
  LinkRefusalCode,
  Ready,
  SessionMessage,
} from '../messages.ts';
import type { WireFault } from '../wire.ts';

export interface CompanionSettings {
  /** Emulators and virtual phones, whose disk can be put back to an earlier day. */
  readonly can_be_turned_back: boolean;
  readonly companion: Hello['companion'];
  readonly phone: Hello['phone'];
  /**
   * Names a key that exists on this phone only (a Keystore key's fingerprint); a journal that was begun
   * under another one was copied from another phone, and a new ledger begins. Null: there is no such key.
   */
  readonly ledger_key: string | null;
  /** Records kept before the oldest final ones go. Default LIMITS.ledgerRecords. */
  readonly ledgerRecords?: number;
  /** Default LIMITS.journalBytes. */
  readonly journalBytes?: number;
  /** The journal is written anew once it has grown by half, but not before by this much. Default 1 MiB. */
  readonly compactAfterBytes?: number;
}

export interface LinkRefusal {
  readonly refused: LinkRefusalCode;
  readonly detail: string;
}

/** One session's way out. `close` ends it; the engine never uses it again after that. */
export interface SessionLink {
  send(message: CompanionMessage): void;
  /** Code null: without a word, because nothing may be answered. */
  close(code: LinkRefusalCode | null, detail: string): void;
}

/** A journal that could not be gone on with: why a new ledger was begun. */
export type LedgerBegan = 'first' | 'damaged' | 'other_phone' | 'rolled_back';

/** For the phone's own screen and health; nothing here may be waited for. */
export interface EngineView {
  readonly ready: boolean;
  readonly ledger_id: string | null;
  readonly ledger_began: LedgerBegan | null;
  readonly boot_id: string | null;
  readonly stop_counter: number | null;
  readonly stopped_by: Hello['stopped_by'];
  /** The host that may control this phone; null until one had a session. */
  readonly holder: string | null;
  readonly in_session: boolean;
  /** request_id of the act that is running. */
  readonly running: string | null;
  /** Accepted and waiting. */
  readonly waiting: number;
  readonly records: number;
}

export interface CompanionEngineApi {
  /** Recovery. Where the disk refuses, it is tried again by itself, and nothing is answered until then. */
  open(): void;
  /** Calls `then` as soon as recovery is over: at once where it is. */
  whenReady(then: () => void): void;
  view(): EngineView;

  /* for the dialogue: one call each, in this order */
  /**
   * Ends every older session, so that what it still delivers counts no more. Null, here and in `begin`:
   * recovery is under way, and nothing may be said.
   */
  hello(hostId: string, remembered: { ledger_id: string; length: number } | null): Hello | LinkRefusal | null;
  begin(hostId: string, message: SessionMessage, link: SessionLink): Ready | LinkRefusal | null;
  /** A message of the session; already parsed (wire.ts). Answers go to the current session of its host. */
  receive(link: SessionLink, message: HostMessage): void;
  /** A frame of the session that could not be read as a message. */
  receiveFault(link: SessionLink, fault: WireFault): void;
  gone(link: SessionLink): void;

  /* the owner, on the phone itself */
  /** Latched: cuts what runs, voids what waits. */
  stopOnPhone(): void;
  /** Lifts any stop; the only way to lift one that was pressed on the phone. */
  resumeOnPhone(): void;
  /** Lets another host control this phone; null: whoever comes first. Ends the current session. */
  changeHolder(hostId: string | null): void;

  /* Android */
  /** The accessibility service was bound (the state after `open`) or unbound: then nothing starts. */
  bodyBound(bound: boolean): void;
  /** Ends timers; nothing is written. */
  close(): void;
}

/** The socket as the dialogue sees it. */
export interface DialogueSocket {
  send(text: string): void;
  /** Ends the socket at once, without a closing handshake (D-34). */
  destroy(why: string): void;
}

/** What pairing left on the phone. */
export interface Pairing {
  readonly device_id: string;
  /** 64 hex digits, shared with the host. */
  readonly secret: string;
  /** SHA-256 of the host certificate's DER, lower-case hex, as pinned; the transport compares it too. */
  readonly fingerprint: string;
  /** Null: not known beforehand; the secret proves it anyway. */
  readonly host_id: string | null;
}

export interface CompanionDialogueApi {
  start(): void;
  frame(text: string): void;
  gone(): void;
  /** In session: `ready` was sent. */
  readonly inSession: boolean;
}
