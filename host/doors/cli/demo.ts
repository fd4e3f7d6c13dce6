/**
 * `countersign demo`: a scripted agent on a virtual phone, through the real MCP door, with the owner at
 * another terminal. Not for what the agent does (host/doors/demo).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { RunningHost } from '../../composition.ts';
import { connectEngine } from '../owner-socket/client.ts';
import { type CommonOptions, carry, commandOf, type Found } from './commands.ts';
import { logText } from './log.ts';
import { hostOptionsOf } from './start.ts';
import { EXIT, plain, type Terminal } from './terminal.ts';

interface DemoOptions extends CommonOptions {
  readonly approve?: boolean;
}

/** This very program, as another terminal or process would call it. */
const selfLine = (...args: string[]) => [...process.execArgv, process.argv[1] ?? 'countersign', ...args];
const shellLine = (words: readonly string[]) =>
  words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');

async function play(host: RunningHost, options: DemoOptions, terminal: Terminal): Promise<Found> {
  if (host.virtualPhone === null) throw new Error('the demo has no phone');
  const { dataDir } = host;
  const phone = await host.virtualPhone.control();
  const { AgentClient } = await import('../demo/agent-client.ts');
  const { tellStory } = await import('../demo/story.ts');
  const agent = await AgentClient.start(
    process.execPath,
    selfLine('mcp', '--data', dataDir),
    terminal.progress,
  );
  const story: string[] = [];
  /** What the phone itself counted, by no agent's word: touches of Send, fingers drawn. */
  const counted = async () => {
    const touches = await phone.touches();
    return {
      sends: touches.filter((touch) => touch.id === 'send_message_button').length,
      swipes: touches.filter((touch) => touch.how === 'swipe').length,
    };
  };
  const before = await counted();
  const owner = await connectEngine(dataDir);
  try {
    story.push(`The agent is connected over MCP and has ${(await agent.tools()).length} tools.`);
    terminal.progress(story[0] ?? '');
    const end = await tellStory(
      {
        call: (tool, args) => agent.call(tool, args),
        tell: (sentence) => {
          story.push(plain(sentence));
          terminal.progress(plain(sentence));
        },
        pending: async (id) => {
          if (options.approve) {
            await owner.owner.approve(id, 'demo --approve');
            return;
          }
          const line = shellLine([process.execPath, ...selfLine('approve', id, '--data', dataDir)]);
          terminal.progress(
            `\nYour answer is needed. In another terminal:\n\n  ${line}\n\n(or deny instead of approve)\n`,
          );
        },
        unplug: () => phone.unplug(),
        plug: () => phone.plug(),
      },
      Date.now,
    );
    const after = await counted();
    const sends = after.sends - before.sends;
    const swipes = after.swipes - before.swipes;
    const log = await owner.owner.log({ last: 200 });
    const verified = await owner.owner.verifyLog();
    const expectedSends = end.send === 'done' ? 1 : 0;
    const expectedSwipes = end.cut.then === 'done' ? 1 : 0;
    const known = end.cut.then !== 'unknown' && end.cut.then !== 'in_progress';
    const held = verified.ok && known && sends === expectedSends && swipes === expectedSwipes;
    return {
      text: [
        ...story.map((sentence, index) => `${index + 1}. ${sentence}`),
        `${story.length + 1}. The phone itself counted: Send touched ${sends}×, swiped ${swipes}×.`,
        '',
        'The log:',
        ...log.map(logText),
        verified.say,
      ].join('\n'),
      object: {
        ok: held,
        send: end.send,
        sends_on_phone: sends,
        swipes_on_phone: swipes,
        cut: end.cut,
        calls: end.calls,
        log_rows: log.length,
        log_verified: verified.ok,
        story,
      },
      exit: held ? EXIT.held : EXIT.didNotHold,
    };
  } finally {
    owner.close();
    await agent.close();
    phone.close();
  }
}

export function demoCommand(): Command {
  return commandOf('demo', 'Lets a scripted agent work on a virtual phone; you approve at another terminal.')
    .option('--approve', 'give the owner’s answer too, instead of waiting for it')
    .action((options: DemoOptions) =>
      carry(options.json === true, async (terminal) => {
        const own = options.data === undefined ? mkdtempSync(join(tmpdir(), 'countersign-demo-')) : null;
        try {
          const { startHost } = await import('../../composition.ts');
          // Of its own folder a part: the phone's state lies beside the data directory, and both go.
          const data = own === null ? options.data : join(own, 'data');
          const wishes = { virtual: true, phoneControl: true, ...(data === undefined ? {} : { data }) };
          const host = await startHost(hostOptionsOf(wishes, terminal.progress));
          try {
            return await play(host, options, terminal);
          } finally {
            await host.close();
          }
        } finally {
          if (own !== null) rmSync(own, { recursive: true, force: true });
        }
      }),
    );
}
