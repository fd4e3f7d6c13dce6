/** Brings an agent to the composer of a conversation on the virtual phone, with a text typed. */
import type { ControlConnection } from '../../host/virtual-phone/control-socket.ts';
import type { Agent } from './mcp.ts';
import { refOf } from './mcp.ts';

let keys = 0;
/** A new idempotency key. */
export const newKey = (): string => `walk-${process.pid}-${keys++}`;

type Observation = Record<string, unknown>;

export async function observe(agent: Agent): Promise<Observation> {
  const look = await agent.call('screen_observe');
  if (!look.ok) throw new Error(JSON.stringify(look));
  return look.result;
}

export async function tapOn(agent: Agent, label: string | RegExp, key = newKey()) {
  const look = await observe(agent);
  return agent.call('tap', {
    ref: refOf(look, label),
    observation_id: look.observation_id,
    idempotency_key: key,
  });
}

async function must(envelope: Promise<{ ok: boolean }>): Promise<void> {
  const got = await envelope;
  if (!got.ok) throw new Error(JSON.stringify(got));
}

/** Home, Messages, the conversation with `who`, `text` in the composer. */
export async function composeTo(agent: Agent, who: string, text: string): Promise<void> {
  await must(agent.call('go', { to: 'home', idempotency_key: newKey() }));
  await must(tapOn(agent, 'Messages'));
  let look = await observe(agent);
  if (String(look.text).includes('Navigate up')) {
    await must(tapOn(agent, 'Navigate up'));
    look = await observe(agent);
  }
  await must(tapOn(agent, who));
  look = await observe(agent);
  await must(
    agent.call('set_text', {
      ref: refOf(look, /field/i),
      observation_id: look.observation_id,
      text,
      idempotency_key: newKey(),
    }),
  );
}

/** How many messages the phone really sent. */
export async function sentCount(control: ControlConnection): Promise<number> {
  const state = (await control.state('com.android.messaging')) as { sent: number };
  return state.sent;
}
