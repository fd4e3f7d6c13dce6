/** An agent's question reaches its owner as the agent's own words, and the answer comes back; nothing of it stays. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../support/mcp.ts';
import { done, OwnerRig, refused, until } from './rig.ts';

const rig = new OwnerRig();
let agent: Agent;

beforeAll(async () => {
  await rig.start();
  // Read-only: an agent that may not act may still ask.
  agent = await rig.agent(await rig.token('asker'));
});
afterAll(() => rig.end());

const waiting = async () => (await rig.owner('pending')).questions as Record<string, string>[];

describe('a question to the owner', () => {
  it('is shown framed as the agent’s words, answered, and handed back to whoever waits', async () => {
    const asked = await done(agent.call('ask_owner', { question: 'Blue or \u202eder\u202c?' }));
    expect(asked).toMatchObject({
      state: 'waiting',
      answer: null,
      next_action: { tool: 'ask_owner', args: { question_id: asked.question_id } },
    });
    const wait = agent.call('ask_owner', { question_id: asked.question_id, wait_ms: 45_000 });
    const shown = await rig.run('pending');
    expect(shown.stdout).toContain('Agent asker asks, in its own words:');
    // No sign turns the line round, and it is one line whatever it holds.
    expect(shown.stdout).toContain('| Blue or \ufffdder\ufffd?');
    expect(await rig.owner('answer', String(asked.question_id), 'Blue, please')).toMatchObject({ ok: true });
    expect(await done(wait)).toMatchObject({ state: 'answered', answer: 'Blue, please', next_action: null });
    // The same question again is told the same.
    expect(await done(agent.call('ask_owner', { question_id: asked.question_id }))).toMatchObject({
      answer: 'Blue, please',
    });
    expect(await waiting()).toEqual([]);
    expect(await rig.ask('answer', String(asked.question_id), 'Red')).toMatchObject({
      ok: false,
      error_code: 'question_unknown',
    });
  });

  it('is the same while it waits, and a new one once its answer was told', async () => {
    const first = await done(agent.call('ask_owner', { question: 'Go on?' }));
    const again = await done(agent.call('ask_owner', { question: 'Go on?' }));
    expect(again.question_id).toBe(first.question_id);
    await rig.owner('answer', String(first.question_id), 'yes');
    expect(await done(agent.call('ask_owner', { question: 'Go on?' }))).toMatchObject({
      state: 'answered',
      answer: 'yes',
    });
    // An earlier yes is no answer to the next step.
    const next = await done(agent.call('ask_owner', { question: 'Go on?' }));
    expect(next).toMatchObject({ state: 'waiting', answer: null });
    expect(next.question_id).not.toBe(first.question_id);
    await rig.owner('answer', String(next.question_id), '--decline');
    expect(await done(agent.call('ask_owner', { question_id: next.question_id }))).toMatchObject({
      state: 'declined',
      answer: null,
    });
  });

  it('warns the owner where it asks for a password or a code, in any language', async () => {
    const asked = [];
    for (const question of [
      'What is your banking password?',
      'Bitte den sechsstelligen Code aus der SMS',
      '暗証番号は？',
    ]) {
      asked.push(await done(agent.call('ask_owner', { question })));
    }
    expect((await waiting()).map((one) => one.warning)).toEqual(
      asked.map(() => expect.stringContaining('Do not answer with it')),
    );
    expect((await rig.run('pending')).stdout).toContain('WARNING: This asks for a code or a password');
    // At most three wait.
    expect(await refused(agent.call('ask_owner', { question: 'A fourth?' }))).toBe('too_many_pending');
    await done(agent.call('task_complete', { outcome: 'cancelled' }));
    expect(await waiting()).toEqual([]);
    await done(agent.call('ask_owner', { question: 'Which train?' }));
    expect((await waiting())[0]).toMatchObject({ question: 'Which train?', warning: null, agent: 'asker' });
    await done(agent.call('task_complete', { outcome: 'done' }));
  });

  it('survives the host, with its answer, until the task is over', async () => {
    const asked = await done(agent.call('ask_owner', { question: 'Still there?' }));
    const { token } = await rig.owner('agent', 'renew', 'asker');
    await rig.stop('kill');
    await rig.start();
    agent = await rig.agent(String(token));
    expect(await waiting()).toHaveLength(1);
    await rig.owner('answer', String(asked.question_id), 'I am');
    expect(await done(agent.call('task_status'))).toMatchObject({
      questions: [{ question_id: asked.question_id, state: 'answered' }],
      next_action: { tool: 'ask_owner', args: { question_id: asked.question_id } },
    });
    expect(await done(agent.call('ask_owner', { question_id: asked.question_id }))).toMatchObject({
      answer: 'I am',
    });
  });

  it('needs a question or the id of one, and answers for another agent’s as for none', async () => {
    expect(await agent.call('ask_owner', {})).toMatchObject({
      ok: false,
      error_code: 'argument_missing',
      field: 'question',
    });
    expect(await refused(agent.call('ask_owner', { question: 'a', question_id: 'b' }))).toBe(
      'argument_wrong',
    );
    const mine = await done(agent.call('ask_owner', { question: 'Mine?' }));
    const other = await rig.agent();
    expect(await refused(other.call('ask_owner', { question_id: mine.question_id }))).toBe(
      'question_unknown',
    );
    expect(await refused(other.call('ask_owner', { question_id: 'q0' }))).toBe('question_unknown');
  });

  it('leaves no answer behind: not in the log, and not on the disk once the task is over', async () => {
    const secret = 'Kestrel-Umbrella-77';
    const asked = await done(agent.call('ask_owner', { question: 'Which word?' }));
    await rig.owner('answer', String(asked.question_id), secret);
    expect(await done(agent.call('ask_owner', { question_id: asked.question_id }))).toMatchObject({
      answer: secret,
    });
    const rows = (await rig.owner('log', '--last', '500')).items as Record<string, unknown>[];
    const row = rows.find(
      (one) => one.tool === 'answer' && JSON.stringify(one.arguments).includes(String(asked.question_id)),
    );
    expect(row?.arguments).toMatchObject({ text: { redacted: 'string', length: secret.length } });
    expect(JSON.stringify(rows).includes(secret)).toBe(false);
    await done(agent.call('task_complete', { outcome: 'done' }));
    await until(async () => {
      const files = readdirSync(rig.data.path).filter((name) => name.startsWith('countersign.db'));
      return files.every((name) => !readFileSync(join(rig.data.path, name)).includes(secret));
    });
  });
});
