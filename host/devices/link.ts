/**
 * One live session with one phone, as the tracker sees it: three things to send, and what may come back.
 * Not for looking at the screen (phone.ts), sockets (server.ts) or deciding what an answer proves
 * (host/engine/tracker).
 */
import type {
  NotARecord,
  RecordMessage,
  Seal,
  StatusAnswer,
  Submit,
} from '../../device-protocol/messages.ts';
import type { DeviceMemory } from '../store/rows.ts';

/** What the owner's switch on the phone says: the counter requests are bound to, and why it is stopped. */
export interface StopState {
  readonly stop_counter: number;
  readonly stopped_by: 'owner_on_phone' | 'host' | null;
}

export interface Link {
  readonly device_id: string;
  /** This host's number of the session; the newest one is the only one that counts. */
  readonly session: number;
  /** As the companion stated them for this session; a request is bound to both. */
  readonly ledger_id: string;
  readonly boot_id: string;
  /** Emulators: absent after another boot proves nothing (rule 4). */
  readonly can_be_turned_back: boolean;
  /** Highest `seq` the ledger ever saw from this host, as stated in hello (rule 5). */
  readonly highest_seq: number;
  /** False as soon as the socket is gone or a newer session took over. */
  readonly alive: boolean;
  stopState(): StopState;
  /** Estimate of the phone's elapsedRealtime now: hello's value plus our monotonic clock. Never ahead. */
  phoneNow(): number;
  /** What is worth remembering of the phone as of its newest answer: stored with the evidence it came with. */
  memory(): DeviceMemory;
  /** Each send answers false where the socket is gone: then not one byte of it was written. */
  submit(request: Submit['request'], approval: Submit['approval']): boolean;
  /** At most LIMITS.statusIds ids; the answer repeats `ask`. */
  status(ask: number, ids: readonly { readonly request_id: string; readonly seq: number }[]): boolean;
  seal(of: Omit<Seal, 'type'>): boolean;
  stop(): boolean;
  resume(stopCounter: number): boolean;
}

/**
 * Events of sessions that are no longer the newest of their phone are never delivered. Where a newer
 * session takes over, `closed` of the old one comes before `opened` of the new one.
 */
export interface LinkListener {
  opened(link: Link): void;
  closed(link: Link): void;
  record(link: Link, message: RecordMessage): void;
  notARecord(link: Link, message: NotARecord): void;
  statusAnswer(link: Link, message: StatusAnswer): void;
  stopChanged(link: Link, state: StopState): void;
}

export interface Links {
  /** The current session of a phone; null while it is away. */
  of(deviceId: string): Link | null;
  all(): Link[];
  /** The tracker is the only listener; set once, before the first phone connects. */
  listen(listener: LinkListener): void;
}
