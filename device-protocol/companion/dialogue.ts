/**
 * The companion's side of one socket, from `dial` to the end of the session: who proves what first, which
 * message has its place when, how long a silence may last. Any transport carries it: it gives text frames
 * and sends text frames. Not for what messages of a session do (engine.ts) or for when to dial again.
 *
 * A wrong or unexpected frame before the session ends the socket; nothing but the handshake is answered.
 */
import { proofOf, provesSecret, type Transcript } from '../auth.ts';
import { HEARTBEAT, PROTOCOL_VERSION } from '../limits.ts';
import type { CompanionMessage, HostMessage, LinkRefusalCode } from '../messages.ts';
import { frameOf, parseHostFrame, statedVersion, type WireFault } from '../wire.ts';
import type {
  CompanionDialogueApi,
  CompanionEngineApi,
  DialogueSocket,
  Pairing,
  SessionLink,
} from './engine-api.ts';
import type { CompanionChance, CompanionClock } from './ports.ts';

type Phase =
  | { readonly name: 'new' }
  | { readonly name: 'dialled'; readonly nonce: string }
  | { readonly name: 'proved'; readonly transcript: Transcript }
  | { readonly name: 'greeted'; readonly host_id: string }
  | { readonly name: 'session'; readonly link: SessionLink }
  | { readonly name: 'over' };

export interface DialoguePorts {
  readonly clock: CompanionClock;
  readonly chance: CompanionChance;
}

export class CompanionDialogue implements CompanionDialogueApi {
  readonly #engine: CompanionEngineApi;
  readonly #ports: DialoguePorts;
  readonly #pairing: Pairing;
  readonly #socket: DialogueSocket;
  #phase: Phase = { name: 'new' };
  #heardMs = 0;
  #cancelWatch: () => void = () => {};

  constructor(engine: CompanionEngineApi, ports: DialoguePorts, pairing: Pairing, socket: DialogueSocket) {
    this.#engine = engine;
    this.#ports = ports;
    this.#pairing = pairing;
    this.#socket = socket;
  }

  get inSession(): boolean {
    return this.#phase.name === 'session';
  }

  start(): void {
    const nonce = this.#ports.chance.hex(32);
    this.#phase = { name: 'dialled', nonce };
    this.#heardMs = this.#ports.clock.elapsedMs();
    this.#watch();
    this.#send({ type: 'dial', protocol: PROTOCOL_VERSION, device_id: this.#pairing.device_id, nonce });
  }

  frame(text: string): void {
    if (this.#phase.name === 'over' || this.#phase.name === 'new') return;
    this.#heardMs = this.#ports.clock.elapsedMs();
    const parsed = parseHostFrame(text);
    if (!parsed.ok) this.#fault(parsed, text);
    else if (parsed.message.type === 'refused') this.#over(`host: ${parsed.message.code}`);
    else this.#take(parsed.message);
  }

  gone(): void {
    this.#end();
  }

  #take(message: HostMessage): void {
    const phase = this.#phase;
    if (phase.name === 'session') this.#engine.receive(phase.link, message);
    else if (phase.name === 'dialled' && message.type === 'challenge') this.#challenged(message, phase.nonce);
    else if (phase.name === 'proved' && message.type === 'proof_back') {
      if (provesSecret('host', phase.transcript, this.#pairing.secret, message.proof))
        this.#greet(phase.transcript.host_id, message.remembered);
      else this.#refuse('auth_failed', 'the host does not know the pairing secret');
    } else if (phase.name === 'greeted' && message.type === 'session') this.#begin(phase.host_id, message);
    else this.#refuse('bad_message', `${message.type} has no place here`);
  }

  #challenged(challenge: Extract<HostMessage, { type: 'challenge' }>, nonce: string): void {
    const { device_id, secret, fingerprint, host_id } = this.#pairing;
    if (challenge.protocol !== PROTOCOL_VERSION) this.#otherVersion(challenge.protocol);
    else if (host_id !== null && host_id !== challenge.host_id)
      this.#refuse('auth_failed', 'this is not the host that was paired');
    else {
      const transcript: Transcript = {
        protocol: PROTOCOL_VERSION,
        device_id,
        host_id: challenge.host_id,
        companion_nonce: nonce,
        host_nonce: challenge.nonce,
        fingerprint,
      };
      this.#phase = { name: 'proved', transcript };
      this.#send({ type: 'proof', proof: proofOf('companion', transcript, secret) });
    }
  }

  #greet(hostId: string, remembered: { ledger_id: string; length: number } | null): void {
    const hello = this.#engine.hello(hostId, remembered);
    if (hello === null) this.#over('recovering');
    else if ('refused' in hello) this.#refuse(hello.refused, hello.detail);
    else {
      this.#phase = { name: 'greeted', host_id: hostId };
      this.#send(hello);
    }
  }

  #begin(hostId: string, message: Extract<HostMessage, { type: 'session' }>): void {
    const link: SessionLink = {
      send: (answer) => this.#send(answer),
      close: (code, detail) => {
        if (code === null) this.#over(detail);
        else this.#refuse(code, detail);
      },
    };
    const ready = this.#engine.begin(hostId, message, link);
    if (ready === null) this.#over('recovering');
    else if ('refused' in ready) this.#refuse(ready.refused, ready.detail);
    else {
      this.#phase = { name: 'session', link };
      this.#send(ready);
    }
  }

  #fault(fault: WireFault, text: string): void {
    const version = statedVersion(text);
    if (this.#phase.name === 'session') this.#engine.receiveFault(this.#phase.link, fault);
    else if (this.#phase.name === 'dialled' && version !== null && version !== PROTOCOL_VERSION)
      this.#otherVersion(version);
    else
      this.#refuse(fault.code === 'schema' ? 'bad_message' : 'too_large', `${fault.type}: ${fault.detail}`);
  }

  #otherVersion(theirs: number): void {
    this.#refuse('protocol_version', versionDetail(theirs));
  }

  #send(message: CompanionMessage): void {
    if (this.#phase.name === 'over') return;
    const text = frameOf(message);
    if (text !== null) this.#socket.send(text);
    // Too large for a frame: only the screen can make it so, and the record must arrive without it.
    else if (message.type === 'record') this.#send({ ...message, snapshot: null });
    else if ('look' in message) {
      const { look, head } = message;
      this.#send({ type: 'look_failed', look, code: 'too_large', detail: 'larger than a frame', head });
    } else throw new Error(`${message.type} outgrew a frame`);
  }

  #refuse(code: LinkRefusalCode, detail: string): void {
    this.#send({ type: 'refused', code, detail: detail.slice(0, 300) });
    this.#over(code);
  }

  #over(why: string): void {
    if (this.#phase.name === 'over') return;
    this.#end();
    this.#socket.destroy(why);
  }

  #end(): void {
    const phase = this.#phase;
    this.#phase = { name: 'over' };
    this.#cancelWatch();
    // By identity: the end of an old socket does not touch a newer session (D-33).
    if (phase.name === 'session') this.#engine.gone(phase.link);
  }

  /** A peer that says nothing for `goneAfterMs`, in the handshake as later, is gone (D-28). */
  #watch(): void {
    this.#cancelWatch = this.#ports.clock.at(this.#heardMs + HEARTBEAT.goneAfterMs, () => {
      if (this.#phase.name === 'over') return;
      const silentMs = this.#ports.clock.elapsedMs() - this.#heardMs;
      if (silentMs >= HEARTBEAT.goneAfterMs) this.#over(`silent for ${Math.round(silentMs)} ms`);
      else this.#watch();
    });
  }
}

/** Says which side to update; `theirs` is the host's version. */
function versionDetail(theirs: number): string {
  const older = theirs < PROTOCOL_VERSION ? 'countersign on the computer' : 'the companion on the phone';
  return `the host speaks version ${theirs}, the companion ${PROTOCOL_VERSION}: update ${older}`;
}
