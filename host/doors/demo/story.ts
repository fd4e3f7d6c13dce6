/**
 * What the demo's agent does: looks, opens Messages, types, is stopped at Send, waits for the owner, loses
 * its phone in the middle of an act and finds out what became of it. Every sentence comes from an answer
 * that really came. Not for starting anything (host/doors/cli/demo.ts).
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Envelope } from '../../../device-protocol/envelope.ts';

/** What the story needs of the world. */
export interface Stage {
  call(tool: string, args: Record<string, unknown>): Promise<Envelope>;
  /** Told when something waits for the owner; resolves at once. */
  pending(confirmationId: string, summary: string): Promise<void>;
  /** The phone loses its link, and gets it back. */
  unplug(): Promise<void>;
  plug(): Promise<void>;
  /** One step of the story, for people. */
  tell(sentence: string): void;
}

export interface StoryEnd {
  /** State of the message's sending. */
  readonly send: string;
  /** How the act whose link was cut was first answered, and what became of it. */
  readonly cut: { readonly first: string; readonly later: string };
  readonly calls: number;
}

const foundSchema = z.looseObject({
  observation_id: z.string(),
  items: z.array(z.looseObject({ ref: z.string(), label: z.string() })),
});

const TEXT = 'Yes, six at the station. See you there!';
/** How long an owner is waited for: a confirmation's own life. */
const OWNER_MS = 5 * 60_000;
/** A slow finger, so that the link can be cut while it moves: it is down by then, and not yet up. */
const FINGER_MS = 3_000;
const CUT_AFTER_MS = 800;
const CUT_TIMEOUT_MS = 1_500;

export class StoryBroken extends Error {}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function tellStory(stage: Stage, now: () => number): Promise<StoryEnd> {
  let calls = 0;
  const call = async (tool: string, args: Record<string, unknown> = {}) => {
    calls += 1;
    return stage.call(tool, args);
  };
  const done = async (tool: string, args: Record<string, unknown> = {}) => {
    const envelope = await call(tool, args);
    if (!envelope.ok) throw new StoryBroken(`${tool}: ${envelope.message} (${envelope.error_code})`);
    return envelope.result;
  };
  /** An element by its words, or null; the observation it stands in makes its ref mean something. */
  const seek = async (text: string) => {
    const found = foundSchema.parse(await done('screen_find', { text }));
    const [first] = found.items;
    return first === undefined
      ? null
      : { ref: first.ref, observation_id: found.observation_id, label: first.label };
  };
  const find = async (text: string) => {
    const found = await seek(text);
    if (found === null) throw new StoryBroken(`“${text}” is not on the screen`);
    return found;
  };
  const tap = async (text: string, more: Record<string, unknown> = {}) => {
    const { label, ...aim } = await find(text);
    const outcome = await call('tap', { ...aim, ...more, idempotency_key: randomUUID() });
    return { label, outcome };
  };
  const open = async (text: string) => {
    const { label, outcome } = await tap(text);
    if (!outcome.ok) throw new StoryBroken(`tap: ${outcome.message} (${outcome.error_code})`);
    stage.tell(
      `Taps “${label}”: ${String(outcome.result.state)}, changed: ${String(outcome.result.changed)}.`,
    );
  };

  const look = await done('screen_observe');
  stage.tell(`Looks at the screen: ${String(look.text).split('\n').length} lines of it.`);
  await done('go', { to: 'home', idempotency_key: randomUUID() });
  await open('Messages');
  // A phone that was used before may still have the conversation open.
  if ((await seek('Text message')) === null) await open('Anna Beispiel');

  const field = await find('Text message');
  const typed = await done('set_text', {
    ref: field.ref,
    observation_id: field.observation_id,
    text: TEXT,
    idempotency_key: randomUUID(),
  });
  const back = typed.read_back as { value: string | null; matches: boolean | null } | null;
  stage.tell(`Types a message; the field reads back the same: ${String(back?.matches ?? null)}.`);

  const hands = { tap, done, call };
  const send = await sent(stage, hands, now);
  const cut = await cutShort(stage, hands);
  return { send, cut, calls };
}

interface Hands {
  done(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  tap(text: string): Promise<{ label: string; outcome: Envelope }>;
  call(tool: string, args: Record<string, unknown>): Promise<Envelope>;
}

const stateOf = (envelope: Envelope) =>
  String(envelope.result?.state ?? (envelope.ok ? '' : envelope.error_code));

/** Taps Send, is stopped, and waits for the owner without asking twice. */
async function sent(stage: Stage, { tap, call }: Hands, now: () => number): Promise<string> {
  const { label, outcome } = await tap('Send');
  if (!outcome.ok || outcome.result.state !== 'pending_confirmation') {
    throw new StoryBroken(`Tapping “${label}” was not stopped for the owner: ${stateOf(outcome)}`);
  }
  const { request_id, confirmation_id, summary } = outcome.result as Record<string, string>;
  stage.tell(`Taps “${label}” and is stopped: ${String(summary)}`);
  await stage.pending(String(confirmation_id), String(summary));
  const until = now() + OWNER_MS;
  for (;;) {
    const status = await call('request_status', { request_id, wait_ms: 20_000 });
    const state = stateOf(status);
    if (state !== 'pending_confirmation' && state !== 'in_progress') {
      stage.tell(`The owner’s answer came; the request is now: ${state}.`);
      return state;
    }
    if (now() > until + 30_000) throw new StoryBroken('the confirmation neither ended nor expired');
  }
}

/** Moves a finger while the link is cut; asks what became of it, and never does it twice. */
async function cutShort(stage: Stage, { done, call }: Hands): Promise<StoryEnd['cut']> {
  await done('go', { to: 'home', idempotency_key: randomUUID() });
  const swiping = call('swipe', {
    x: 900,
    y: 1_200,
    to_x: 200,
    to_y: 1_200,
    duration_ms: FINGER_MS,
    timeout_ms: CUT_TIMEOUT_MS,
    idempotency_key: randomUUID(),
  });
  await pause(CUT_AFTER_MS);
  await stage.unplug();
  const outcome = await swiping;
  const first = outcome.ok ? stateOf(outcome) : outcome.error_code;
  const effect = outcome.ok ? null : outcome.effect;
  stage.tell(
    `Goes home and swipes, and the link is cut meanwhile. The answer: ${first}, effect: ${String(effect)}.`,
  );
  await stage.plug();
  const request_id = outcome.result?.request_id;
  if (typeof request_id !== 'string') throw new StoryBroken('the answer names no request to ask for');
  const status = await call('request_status', { request_id, wait_ms: 25_000 });
  const later = stateOf(status);
  stage.tell(`The phone is back. Asked what became of it, without doing it again: ${later}.`);
  return { first, later };
}
