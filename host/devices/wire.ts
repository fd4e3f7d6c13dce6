/**
 * A socket as sessions see it, whatever carries it: the server's WebSocket, or a simulation's queue. Not
 * for frames' content (device-protocol/wire.ts).
 */
export interface Wire {
  /** False where the socket is gone: then nothing of `text` was written. */
  send(text: string): boolean;
  /** Ends it at once, without a closing handshake that a dead peer would never answer (D-34). */
  destroy(): void;
  /** Sends a last frame and destroys the socket as soon as that has left, or soon anyway. */
  endWith(text: string): void;
  /** Where it comes from, for limiting attempts; not an identity. */
  readonly from: string;
}

/** What a carrier tells about one socket. After `gone` nothing more is told. */
export interface WireEvents {
  frame(text: string): void;
  gone(): void;
}
