/**
 * The calls of each agent that are only waiting, so that the end of its task ends them. Ending a wait never
 * ends what was waited for. Not for acts: those end by the phone's answer.
 */
export class Waits {
  readonly #open = new Map<string, Set<AbortController>>();

  /** A signal that fires with the caller's own, or when the agent's waits are ended. Call `end` when done. */
  begin(agent: string, own: AbortSignal | undefined): { readonly signal: AbortSignal; end(): void } {
    const controller = new AbortController();
    const abort = () => controller.abort();
    if (own?.aborted === true) abort();
    own?.addEventListener('abort', abort, { once: true });
    const set = this.#open.get(agent) ?? new Set();
    this.#open.set(agent, set.add(controller));
    return {
      signal: controller.signal,
      end: () => {
        own?.removeEventListener('abort', abort);
        set.delete(controller);
        if (set.size === 0 && this.#open.get(agent) === set) this.#open.delete(agent);
      },
    };
  }

  /** Ends every wait of the agent but the one of this very call. */
  endAll(agent: string, but: AbortSignal): void {
    for (const controller of [...(this.#open.get(agent) ?? [])])
      if (controller.signal !== but) controller.abort();
  }
}
