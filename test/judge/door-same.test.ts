/** D-53: two entrances, two rule sets. The same acts through every door and by every aim have the same verdict. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '../../device-protocol/envelope.ts';
import type { Verdict } from '../../device-protocol/verdict.ts';
import { countersign } from '../support/host-process.ts';
import { refOf } from '../support/mcp.ts';
import { newKey } from '../support/messages-walk.ts';
import { DoorPhone } from './door-phone.ts';

/** What stands on each button, as an agent reads it, and the middle of its place. */
const BUTTONS: readonly (readonly [RegExp, number, 'high' | 'low'])[] = [
  [/^e\d+ Send$/mu, 360, 'high'],
  [/^e\d+ Settings$/mu, 510, 'low'],
  [/^e\d+ 删除$/mu, 660, 'high'],
  [/^e\d+ Zurück$/mu, 810, 'low'],
  [/^e\d+ Pay now$/mu, 960, 'high'],
  [/^e\d+ Details$/mu, 1110, 'low'],
  [/^e\d+ call$/mu, 1260, 'high'],
  [/^e\d+ Don't send$/mu, 1410, 'low'],
  [/^e\d+ Delete · account$/mu, 1560, 'high'],
  [/^e\d+ Sent items$/mu, 1710, 'low'],
];

let phone: DoorPhone;
beforeAll(async () => {
  phone = await DoorPhone.with('labels.yaml', 'org.example.labels');
  await phone.show('all');
});
afterAll(() => phone?.end());

type Call = (tool: string, args: Record<string, unknown>) => Promise<Envelope>;

const DOORS: Record<string, Call> = {
  'MCP over stdio': (tool, args) => phone.agent.call(tool, args),
  'the command line': async (tool, args) => {
    const ran = await countersign(['call', tool, JSON.stringify(args), '--data', phone.dataDir, '--json']);
    return ran.json as Envelope;
  },
};

/** Taps, takes back what waits, and tells the verdict without whatever differs from call to call. */
async function verdictOf(call: Call, aim: Record<string, unknown>): Promise<Verdict> {
  const answer = await call('tap', { ...aim, idempotency_key: newKey() });
  expect(answer.ok, JSON.stringify(answer)).toBe(true);
  const { request_id, state, risk } = (answer as { result: unknown }).result as {
    request_id: string;
    state: string;
    risk: Verdict;
  };
  expect(state).toBe(risk.level === 'high' ? 'pending_confirmation' : 'done');
  if (state === 'pending_confirmation') await call('request_withdraw', { request_id });
  return risk;
}

describe('D-53: the same forty acts', () => {
  it('have the same verdict on every door, by ref and by coordinate, and only the low ones reach the phone', async () => {
    const verdicts: Record<string, Verdict[]> = {};
    for (const [door, call] of Object.entries(DOORS)) {
      const byRef: Verdict[] = [];
      const byPoint: Verdict[] = [];
      for (const [label, y] of BUTTONS) {
        const look = await call('screen_observe', {});
        const { result } = look as { result: Record<string, unknown> };
        byRef.push(
          await verdictOf(call, { ref: refOf(result, label), observation_id: result.observation_id }),
        );
        byPoint.push(await verdictOf(call, { x: 540, y }));
      }
      verdicts[`${door}, by ref`] = byRef;
      verdicts[`${door}, by coordinate`] = byPoint;
    }
    const [first, ...others] = Object.values(verdicts);
    expect(others).toHaveLength(3);
    expect(first?.map((one) => one.level)).toEqual(BUTTONS.map(([, , level]) => level));
    for (const other of others) expect(other).toEqual(first);
    expect(await phone.values()).toEqual({ pressed: 5 * 4 });
  }, 120_000);

  it('ask at a coordinate of which nothing is known', async () => {
    await phone.waits(() => phone.call('tap', { x: 540, y: 2300 }), 'unknown_target');
  });
});
