/** What is not listed is found and reached all the same, by the one door; skills say how jobs are done. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SKILL_NAMES, SKILLS } from '../../device-protocol/skills.ts';
import { searchTools } from '../../device-protocol/tools/search.ts';
import { isToolName, TOOL_NAMES, toolOf } from '../../device-protocol/tools/tools.ts';
import {
  countersign,
  freshFolder,
  MAIN,
  type RunningHost,
  startHostProcess,
} from '../support/host-process.ts';
import { type Agent, agentOn } from '../support/mcp.ts';

describe('searching tools', () => {
  it.each(TOOL_NAMES)('finds %s by the words of its own purpose', (tool) => {
    expect(searchTools(toolOf(tool).purpose, TOOL_NAMES).slice(0, 2)).toContain(tool);
  });

  it.each([
    ['drag and drop an icon', 'drag'],
    ['switch wifi on', 'set_toggle'],
    ['what is on the clipboard', 'clipboard_read'],
    ['open a link', 'link_open'],
    ['several calls at once', 'batch'],
    ['dry run', 'action_preview'],
    ['take a picture', 'screen_screenshot'],
  ] as const)('understands “%s”', (query, tool) => {
    expect(searchTools(query, TOOL_NAMES).slice(0, 3)).toContain(tool);
  });

  it('answers with all, in their order, where nothing fits', () => {
    expect(searchTools('zzz', TOOL_NAMES)).toEqual(TOOL_NAMES);
    expect(searchTools('', TOOL_NAMES)).toEqual(TOOL_NAMES);
  });

  it('never names what the agent may not use', () => {
    const few = TOOL_NAMES.filter((tool) => tool !== 'drag');
    expect(searchTools('drag', few)).not.toContain('drag');
  });
});

describe('skills', () => {
  it('name only tools that there are', () => {
    for (const skill of SKILL_NAMES) {
      const named = SKILLS[skill].text.match(/\b[a-z]+_[a-z]+\b/g) ?? [];
      const fields = new Set(TOOL_NAMES.flatMap((tool) => Object.keys(toolOf(tool).input.shape)));
      const known = (word: string) =>
        isToolName(word) ||
        fields.has(word) ||
        /_(found|used|reached|back|confirmation|stale|ambiguous)$/.test(word);
      expect(named.filter((word) => !known(word))).toEqual([]);
    }
  });
});

const folder = freshFolder();
let host: RunningHost;
let agent: Agent;
beforeAll(async () => {
  host = await startHostProcess(folder.path);
  agent = await agentOn(folder.path);
});
afterAll(async () => {
  await agent?.close();
  await host?.stop();
  folder.remove();
});

describe('through the door', () => {
  it('an unlisted tool is found with its schema, called, and logged under its own name', async () => {
    const listed = (await agent.tools()).map(({ name }) => name);
    expect(listed).toContain('tools_search');
    expect(listed).not.toContain('clipboard_write');

    const found = await agent.call('tools_search', { query: 'write the clipboard' });
    expect(found).toMatchObject({
      ok: true,
      result: {
        items: expect.arrayContaining([
          expect.objectContaining({
            tool: 'clipboard_write',
            input_schema: expect.objectContaining({ required: expect.arrayContaining(['text']) }),
          }),
        ]),
      },
    });

    const args = { text: 'from afar', idempotency_key: 'reach-1' };
    const used = await agent.call('tool_use', { tool: 'clipboard_write', arguments: args });
    expect(used).toMatchObject({ ok: true, tool: 'clipboard_write', result: { state: 'done' } });
    const again = await agent.call('clipboard_write', args);
    expect(again).toMatchObject({ ok: true, result: { replayed: true } });

    const { stdout } = await countersign(['log', '--json', '--data', folder.path]);
    expect(stdout).toContain('clipboard_write');
    expect(stdout).not.toContain('"tool":"tool_use"');
  });

  it('tool_use changes nothing about what is refused', async () => {
    const bad = { x: 1, idempotency_key: 'reach-2' };
    const direct = await agent.call('tap', bad);
    const led = await agent.call('tool_use', { tool: 'tap', arguments: bad });
    expect(led).toEqual(direct);
    expect(await agent.call('tool_use', { tool: 'nope', arguments: {} })).toMatchObject({
      ok: false,
      kind: 'tool_not_found',
    });
    expect(await agent.call('tool_use', { tool: 'tap' })).toMatchObject({
      ok: false,
      error_code: 'argument_missing',
      field: 'arguments',
    });
  });

  it('tells a skill from a tool, and reads it by any of the three ways', async () => {
    const text = SKILLS.fill_a_form.text;
    expect(await agent.call('fill_a_form')).toMatchObject({
      ok: false,
      error_code: 'tool_is_skill',
      suggested_action: { tool: 'skill_read' },
    });
    expect(await agent.call('skill_read', { skill: 'fill_a_form' })).toMatchObject({
      ok: true,
      result: { text },
    });
    expect(await agent.call('skill_list')).toMatchObject({ ok: true, result: { count: SKILL_NAMES.length } });
    expect(await agent.call('skill_read', { skill: 'fly' })).toMatchObject({
      ok: false,
      error_code: 'skill_unknown',
    });

    const client = new Client({ name: 'test', version: '0' });
    const args = [MAIN, 'mcp', '--data', folder.path];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    try {
      expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(SKILL_NAMES);
      const prompt = await client.getPrompt({ name: 'fill_a_form' });
      expect(prompt.messages).toEqual([{ role: 'user', content: { type: 'text', text } }]);
      await expect(client.getPrompt({ name: 'fly' })).rejects.toMatchObject({ code: -32602 });
      const [first] = (await client.listResources()).resources;
      const read = await client.readResource({ uri: first?.uri ?? '' });
      expect(read.contents).toMatchObject([{ text: SKILLS[SKILL_NAMES[0] ?? 'fill_a_form'].text }]);
    } finally {
      await client.close();
    }
  });
});
