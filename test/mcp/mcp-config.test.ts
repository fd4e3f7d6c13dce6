/** `countersign mcp-config`: what it prints starts a server that answers, and holds no secret. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { MCP_CLIENTS, mcpSettingsFor } from '../../host/doors/cli/mcp-settings.ts';
import { countersign, freshFolder } from '../support/host-process.ts';

describe.each(MCP_CLIENTS)('for %s', (client) => {
  it('names a token and never holds one', () => {
    const { settings, file, notes } = mcpSettingsFor(client, {
      command: 'npx',
      args: ['mcp'],
      agent: 'anna',
    });
    const text = JSON.stringify(settings);
    expect(text).toMatch(/COUNTERSIGN_TOKEN/);
    expect(text).toMatch(/\$\{|\/path\/to\/token/);
    expect(file).not.toBe('');
    expect(notes.length).toBeGreaterThan(0);
  });

  it('asks for no token where the built-in agent is enough', () => {
    const { settings } = mcpSettingsFor(client, { command: 'npx', args: ['mcp'], agent: null });
    expect(JSON.stringify(settings)).not.toMatch(/TOKEN|token/);
  });
});

it('prints settings by which a real client reaches a working server', async () => {
  const folder = freshFolder();
  try {
    const ran = await countersign(['mcp-config', '--client', 'cursor', '--data', folder.path, '--virtual']);
    expect(ran.status).toBe(0);
    const { countersign: server } = (
      JSON.parse(ran.stdout) as { mcpServers: Record<string, { command: string; args: string[] }> }
    ).mcpServers;
    const client = new Client({ name: 'pasted', version: '0' });
    await client.connect(
      new StdioClientTransport({ ...server, command: server?.command ?? '', stderr: 'ignore' }),
    );
    const answer = await client.callTool({ name: 'device_list', arguments: {} });
    expect(answer.structuredContent).toMatchObject({ ok: true, result: { count: 1 } });
    await client.close();
  } finally {
    folder.remove();
  }
});

it('answers a client it does not know with those it does', async () => {
  const ran = await countersign(['mcp-config', '--client', 'emacs', '--json']);
  expect(ran.status).toBe(2);
  expect(ran.json).toMatchObject({ ok: false, message: expect.stringContaining('claude-code') });
});
