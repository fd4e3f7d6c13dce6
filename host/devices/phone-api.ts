/**
 * What the engine may ask of phones beside tracked requests: looks, apps, clipboard, health; and of the
 * server they dial. Not for tracked acts (link.ts).
 */
import type { Hello, SnapshotMessage } from '../../device-protocol/messages.ts';
import type { Link, Links } from './link.ts';

export type AppEntry = {
  readonly package: string;
  readonly label: string;
  readonly user: number;
  readonly components: readonly string[];
  readonly system: boolean;
};
export interface ClipboardAnswer {
  readonly text: string | null;
  readonly refused: 'empty' | 'not_text' | 'not_allowed' | 'withheld' | null;
}

/** A question that got no answer. Nothing ran: looking never runs anything. */
export class PhoneError extends Error {
  /** Codes of errors.ts. */
  readonly code: 'device_offline' | 'look_failed';
  constructor(code: 'device_offline' | 'look_failed', message: string) {
    super(message);
    this.code = code;
  }
}

export interface LookOptions {
  /** Wait until the screen rests, at most this long; 0 looks at once. */
  readonly settleMs: number;
  readonly screenshot: boolean;
  /** Give up after this long; settling included. Default settleMs + 10 s. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}
export interface AskOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A live session. It rejects everything with `device_offline` once it is no longer the current one. */
export interface Phone extends Link {
  readonly hello: Hello;
  look(options: LookOptions): Promise<SnapshotMessage>;
  listApps(options?: AskOptions): Promise<readonly AppEntry[]>;
  readClipboard(options?: AskOptions): Promise<ClipboardAnswer>;
}

/** Facts about one known phone, as seen; never a guess. */
export interface PhoneHealth {
  readonly device_id: string;
  readonly connected: boolean;
  /** Wall clock of the last message; null when it never was here. */
  readonly last_seen_at: number | null;
  /** Wall clock since when the current session is up. */
  readonly since: number | null;
  readonly companion_version: string | null;
  readonly kind: 'virtual' | 'android' | 'jvm' | null;
  readonly model: string | null;
  readonly can_be_turned_back: boolean | null;
  readonly stopped_by: 'owner_on_phone' | 'host' | null;
  /** Why the last attempt to connect was turned away; null when the last one worked. */
  readonly last_refusal: { readonly code: string; readonly at: number } | null;
}

export interface PhonesApi extends Links {
  of(deviceId: string): Phone | null;
  all(): Phone[];
  /** Health of every registered phone, by device_id. */
  health(): PhoneHealth[];
  /** Makes a phone known: from now on it may connect with this secret (64 hex digits). */
  registerDevice(deviceId: string, secret: string): void;
  /** Resolves with the phone as soon as it is connected; rejects with PhoneError after `timeoutMs`. */
  connected(deviceId: string, timeoutMs: number, signal?: AbortSignal): Promise<Phone>;
}

export interface ListeningServer {
  readonly host: string;
  readonly port: number;
  /** SHA-256 of the certificate's DER, lower-case hex: what pairing pins. */
  readonly fingerprint: string;
  close(): Promise<void>;
}
