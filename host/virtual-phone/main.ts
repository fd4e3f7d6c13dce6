/**
 * A virtual phone as a process of its own: reads its order from one line of standard input, answers one
 * line when it is up, logs on standard error, and dials the host until it is ended.
 */
import { createInterface } from 'node:readline';
import { serveControl } from './control-socket.ts';
import { phoneOptionsSchema } from './options.ts';
import { buildPhone } from './phone.ts';
import { readRecordedScreen } from './recording.ts';
import { readScenarioFile } from './scenario/read.ts';

const log = (line: string) => process.stderr.write(`virtual phone: ${line}\n`);

async function main(): Promise<void> {
  const lines = createInterface({ input: process.stdin });
  const first = await new Promise<string | null>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(null));
  });
  if (first === null) throw new Error('expected one line of JSON on standard input, nothing came');
  const parsed = phoneOptionsSchema.safeParse(readJson(first));
  if (!parsed.success) {
    // Only names and kinds: the line carries the secret.
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
    throw new Error(`the order is not valid: ${wrong}`);
  }
  const options = parsed.data;
  const recorded = options.recorded === null ? null : readRecordedScreen(options.recorded, log);
  const scenario = options.scenario === null ? null : readScenarioFile(options.scenario);
  if (recorded !== null && scenario !== null)
    throw new Error('either a recorded screen or a scenario, not both');
  const phone = buildPhone(options, { recorded, scenario }, log);
  const closeControl = options.control ? await serveControl(phone.folder, phone.control) : () => {};

  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    closeControl();
    phone.stop();
    process.exit(0);
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  if (options.live_with_stdin) lines.once('close', end);
  phone.start();
  process.stdout.write(`${JSON.stringify({ up: true, state_folder: phone.folder })}\n`);
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error('the order is not JSON');
  }
}

main().catch((error: unknown) => {
  log(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
