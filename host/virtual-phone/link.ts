/**
 * Keeps the phone connected: dials the host, pins its certificate, hands frames to a dialogue, dials again.
 * Not for what the frames say or how long a peer may be silent (device-protocol/companion/dialogue).
 *
 * One union value is the link's whole life; each phase owns its timer and its socket, and an event of a
 * socket that is no longer the phase's own is ignored.
 */
import { createHash } from 'node:crypto';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { type ClientOptions, WebSocket } from 'ws';
import type { CompanionDialogueApi, DialogueSocket } from '../../device-protocol/companion/engine-api.ts';
import { LIMITS } from '../../device-protocol/limits.ts';

export interface LinkOptions {
  /** `wss://127.0.0.1:port/…` */
  readonly url: string;
  /** SHA-256 of the certificate's DER, lower-case hex. */
  readonly fingerprint: string;
  readonly dialogue: (socket: DialogueSocket) => CompanionDialogueApi;
  /** Between 0 and 1, for the jitter. */
  readonly chance: () => number;
  readonly log: (line: string) => void;
}

type Phase =
  | { readonly name: 'away'; readonly timer: NodeJS.Timeout }
  | {
      readonly name: 'dialled';
      readonly socket: WebSocket;
      readonly dialogue: CompanionDialogueApi;
      open: boolean;
    }
  | { readonly name: 'unplugged' };

const FIRST_WAIT_MS = 250;
/** With the handshake's own limit a phone is back within 10 s of the network (field report D-34). */
const LONGEST_WAIT_MS = 4_000;
const HANDSHAKE_MS = 4_000;

export class Link {
  private readonly options: LinkOptions;
  private phase: Phase = { name: 'unplugged' };
  private failures = 0;

  constructor(options: LinkOptions) {
    this.options = options;
  }

  get inSession(): boolean {
    return this.phase.name === 'dialled' && this.phase.dialogue.inSession;
  }

  plug(): void {
    if (this.phase.name === 'unplugged') this.dial();
  }

  /** Cuts the cable; nothing dials until `plug`. */
  unplug(): void {
    const { phase } = this;
    this.phase = { name: 'unplugged' };
    if (phase.name === 'away') clearTimeout(phase.timer);
    if (phase.name === 'dialled') {
      phase.socket.terminate();
      phase.dialogue.gone();
    }
  }

  /** Cuts the present connection and dials again, as a loose cable does. */
  cut(): void {
    if (this.phase.name === 'dialled') this.lost(this.phase, 'cut on purpose');
  }

  private dial(): void {
    const socket = new WebSocket(this.options.url, {
      createConnection: ((options: ConnectionOptions) => this.pinned(options)) as unknown as NonNullable<
        ClientOptions['createConnection']
      >,
      perMessageDeflate: false,
      maxPayload: LIMITS.messageBytes,
      handshakeTimeout: HANDSHAKE_MS,
    });
    const phase: Phase & { name: 'dialled' } = {
      name: 'dialled',
      socket,
      dialogue: this.options.dialogue({
        send: (text) => {
          if (this.phase === phase && socket.readyState === WebSocket.OPEN) socket.send(text);
        },
        destroy: (why) => this.lost(phase, why),
      }),
      open: false,
    };
    this.phase = phase;
    socket.on('open', () => {
      if (this.phase !== phase) return;
      phase.open = true;
      phase.dialogue.start();
    });
    socket.on('message', (data, binary) => {
      if (this.phase !== phase) return;
      if (binary) this.lost(phase, 'a binary frame came');
      else phase.dialogue.frame(data.toString());
      if (phase.dialogue.inSession) this.failures = 0;
    });
    socket.on('error', (error) => this.lost(phase, error.message));
    socket.on('close', (code) => this.lost(phase, `closed with ${code}`));
  }

  /** TLS to a certificate that is known by its fingerprint alone: checked before the first byte is written. */
  private pinned(options: ConnectionOptions): TLSSocket {
    const socket = connect({ ...options, rejectUnauthorized: false, servername: '' });
    socket.once('secureConnect', () => {
      const { raw } = socket.getPeerX509Certificate() ?? {};
      const seen = raw === undefined ? null : createHash('sha256').update(raw).digest('hex');
      if (seen !== this.options.fingerprint) socket.destroy(new Error('the host showed another certificate'));
    });
    return socket;
  }

  private lost(phase: Phase & { name: 'dialled' }, why: string): void {
    if (this.phase !== phase) return;
    const wait =
      Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.failures) * (0.5 + this.options.chance() / 2);
    this.failures += 1;
    this.phase = { name: 'away', timer: setTimeout(() => this.dial(), wait) };
    phase.socket.terminate();
    if (phase.open) phase.dialogue.gone();
    this.options.log(`link: ${why}; dialling again in ${Math.round(wait)} ms`);
  }
}
