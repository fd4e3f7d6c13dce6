/**
 * `countersign demo`: a scripted agent on a virtual phone, through the real MCP door, with the owner at
 * another terminal. Not for what the agent does (host/doors/demo).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { RunningHost } from '../../composition.ts';
import type { StoryEnd } from '../demo/story.ts';
import { connectEngine, type RemoteEngine } from '../owner-socket/client.ts';
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

/** What the phone itself counted, by no agent's word: touches of Send, fingers drawn. */
async function counted(phone: Phone) {
  const touches = await phone.touches();
  return {
    sends: touches.filter((touch) => touch.id === 'send_message_button').length,
    swipes: touches.filter((touch) => touch.how === 'swipe').length,
  };
}

type Phone = Awaited<ReturnType<NonNullable<RunningHost['virtualPhone']>['control']>>;

interface Played {
  readonly story: readonly string[];
  /** Null where the story broke off; its last sentence says why. */
  readonly end: StoryEnd | null;
}

async function play(
  { dataDir }: RunningHost,
  phone: Phone,
  owner: RemoteEngine,
  approve: boolean,
  terminal: Terminal,
): Promise<Played> {
  const { AgentClient } = await import('../demo/agent-client.ts');
  const { StoryBroken, tellStory } = await import('../demo/story.ts');
  const story: string[] = [];
  const tell = (sentence: string) => {
    story.push(plain(sentence));
    terminal.say(`${story.length}. ${plain(sentence)}`);
  };
  const agent = await AgentClient.start(
    process.execPath,
    selfLine('mcp', '--data', dataDir),
    terminal.progress,
  );
  try {
    tell(`The agent is connected over MCP and has ${(await agent.tools()).length} tools.`);
    const end = await tellStory(
      {
        call: (tool, args) => agent.call(tool, args),
        tell,
        pending: async (id) => {
          if (approve) {
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
    return { story, end };
  } catch (error) {
    if (!(error instanceof StoryBroken)) throw error;
    tell(`Here the story broke off: ${error.message}`);
    return { story, end: null };
  } finally {
    await agent.close();
  }
}

/** The whole demo: the agent's story, then what the phone counted and what the log says. */
async function demonstrate(host: RunningHost, approve: boolean, terminal: Terminal): Promise<Found> {
  if (host.virtualPhone === null) throw new Error('the demo has no phone');
  const phone = await host.virtualPhone.control();
  const owner = await connectEngine(host.dataDir);
  try {
    const before = await counted(phone);
    const { story, end } = await play(host, phone, owner, approve, terminal);
    const after = await counted(phone);
    const sends = after.sends - before.sends;
    const swipes = after.swipes - before.swipes;
    const log = await owner.owner.log({ last: 200 });
    const verified = await owner.owner.verifyLog();
    const held =
      verified.ok &&
      end !== null &&
      end.cut.later !== 'unknown' &&
      end.cut.later !== 'in_progress' &&
      sends === (end.send === 'done' ? 1 : 0) &&
      swipes === (end.cut.later === 'done' ? 1 : 0);
    return {
      text: [
        `The phone itself counted: Send touched ${sends}×, swiped ${swipes}×.`,
        '',
        'The log:',
        ...log.map(logText),
        verified.say,
      ].join('\n'),
      object: {
        ok: held,
        send: end?.send ?? null,
        sends_on_phone: sends,
        swipes_on_phone: swipes,
        cut: end?.cut ?? null,
        calls: end?.calls ?? null,
        log_rows: log.length,
        log_verified: verified.ok,
        story,
      },
      exit: held ? EXIT.held : EXIT.didNotHold,
    };
  } finally {
    owner.close();
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
            return await demonstrate(host, options.approve === true, terminal);
          } finally {
            await host.close();
          }
        } finally {
          if (own !== null) rmSync(own, { recursive: true, force: true });
        }
      }),
    );
}
