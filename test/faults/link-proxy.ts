/**
 * The network between host and phone as a TCP proxy: passes, cuts, holds bytes back, swallows them. What is
 * inside TLS it can neither read nor repeat: a copied record would only break the connection, which is a cut.
 */
import { createConnection, createServer, type Server, type Socket } from 'node:net';

export class LinkProxy {
  #server: Server | null = null;
  readonly #pairs = new Set<{ readonly near: Socket; readonly far: Socket }>();
  /** Bytes travel this much later, milliseconds. */
  delayMs = 0;
  /** Bytes of both directions are swallowed while connections stay open. */
  swallows = false;
  cuts = 0;
  port = 0;

  async open(target: () => number): Promise<void> {
    const server = createServer((near) => {
      const far = createConnection({ host: '127.0.0.1', port: target() });
      const pair = { near, far };
      this.#pairs.add(pair);
      const end = () => {
        this.#pairs.delete(pair);
        near.destroy();
        far.destroy();
      };
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on('data', (bytes: Buffer) => this.#carry(bytes, to));
        from.on('close', end);
        // A reset is a close with another word.
        from.on('error', end);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
    this.#server = server;
  }

  #carry(bytes: Buffer, to: Socket): void {
    if (this.swallows) return;
    if (this.delayMs === 0) to.write(bytes);
    else setTimeout(() => to.writable && to.write(bytes), this.delayMs);
  }

  /** Every connection ends at once, without a goodbye. */
  cut(): void {
    this.cuts += 1;
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
    this.#pairs.clear();
  }

  heal(): void {
    const broken = this.swallows;
    this.swallows = false;
    this.delayMs = 0;
    // What was swallowed is missing inside TLS: such a connection can never go on.
    if (broken) this.cut();
  }

  close(): void {
    this.cut();
    this.#server?.close();
  }
}
