/** `countersign call TOOL [JSON]`: one tool call through the same engine as every agent's. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Envelope } from '../../../device-protocol/envelope.ts';
import { isToolName } from '../../../device-protocol/tools/tools.ts';
import { textOf } from '../line-reader.ts';
import { type CommonOptions, carry, commandOf } from './commands.ts';
import { provenCaller } from './proven-caller.ts';
import { withHost } from './running-host.ts';
import { CannotRun, EXIT, plain } from './terminal.ts';

interface CallOptions extends CommonOptions {
  readonly key?: string;
  readonly newKey?: boolean;
  readonly device?: string;
  readonly help?: boolean;
}

/** Largest text read from standard input, bytes; the engine refuses far smaller arguments by their code. */
const INPUT_BYTES = 32 * 1024 * 1024;

async function readInput(): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > INPUT_BYTES)
      throw new CannotRun('input_too_large', `Standard input is above ${INPUT_BYTES} bytes.`);
    parts.push(chunk);
  }
  const text = textOf(Buffer.concat(parts));
  if (text === null) throw new CannotRun('input_not_utf8', 'Standard input is not UTF-8.');
  return text;
}

/** The arguments as the engine shall judge them: text that is not JSON goes on as the text it is. */
function parsed(text: string | undefined): unknown {
  if (text === undefined || text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Adds what the options say; a field that is there already is not silently replaced. */
function completed(args: unknown, added: Readonly<Record<string, string | undefined>>): unknown {
  const fields = Object.entries(added).filter(([, value]) => value !== undefined);
  if (fields.length === 0 || typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  for (const [name] of fields) {
    if (name in args)
      throw new CannotRun('given_twice', `${name} stands in the JSON and in an option; give it once.`);
  }
  return { ...args, ...Object.fromEntries(fields) };
}

/** The envelope for people: a screen as the agent reads it, everything else as indented JSON. */
function textFor(envelope: Envelope): string {
  const warnings = envelope.warnings.map((warning) => `\nNote: ${plain(warning)}`).join('');
  if (!envelope.ok) {
    return `${plain(envelope.message)} (${envelope.error_code})\n${plain(envelope.suggested_action.say)}${warnings}`;
  }
  const { result } = envelope;
  const text = result.text;
  if (typeof text === 'string' && typeof result.observation_id === 'string') {
    return `${result.observation_id}\n${text.split('\n').map(plain).join('\n')}${warnings}`;
  }
  return `${JSON.stringify(result, null, 2)}${warnings}`;
}

export function callCommand(): Command {
  return commandOf('call', 'Calls one tool; `call --help` lists them, `call TOOL --help` its arguments.')
    .helpOption(false)
    .argument('[tool]')
    .argument('[json]', 'arguments as one JSON object, or - to read them from standard input')
    .option('--key <key>')
    .option('--new-key')
    .option('--device <id>')
    .option('-h, --help')
    .action(async (tool: string | undefined, json: string | undefined, options: CallOptions) => {
      if (options.help || tool === undefined) {
        const { toolHelp, toolsHelp } = await import('./tool-help.ts');
        const known = tool !== undefined && isToolName(tool);
        (options.help ? process.stdout : process.stderr).write(`${known ? toolHelp(tool) : toolsHelp()}\n`);
        if (!options.help) process.exitCode = EXIT.couldNotRun;
        return;
      }
      await carry(options.json === true, async (terminal) => {
        if (options.key !== undefined && options.newKey) {
          throw new CannotRun('given_twice', 'Give --key or --new-key, not both.');
        }
        const key = options.newKey ? randomUUID() : options.key;
        if (options.newKey) terminal.progress(`idempotency_key: ${key}`);
        const args = completed(parsed(json === '-' ? await readInput() : json), {
          idempotency_key: key,
          device_id: options.device,
        });
        const envelope = await withHost(options.data, async (engine) =>
          engine.call(await provenCaller(engine, 'cli'), tool, args, { onProgress: terminal.progress }),
        );
        return { text: textFor(envelope), object: envelope, exit: envelope.ok ? EXIT.held : EXIT.didNotHold };
      });
    });
}
