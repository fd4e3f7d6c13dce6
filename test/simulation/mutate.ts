/**
 * `npm run simulate:mutations [-- --json] [--seeds N] [--only WORDS]`: applies each deliberate fault to a copy
 * of the sources and plays schedules until one breaks a promise. Exit 0 where every fault was caught; the
 * working tree is never touched. Not for the list (mutations.ts).
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MUTATIONS, type Mutation, type Patch } from './mutations.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What a schedule needs of the house. */
const NEEDED = [
  'device-protocol',
  'host',
  'test/simulation',
  'test/support',
  'package.json',
  'tsconfig.json',
];
/** Schedules played before a fault counts as missed. */
const SEEDS = 3_000;

export interface Caught {
  readonly name: string;
  readonly caught: boolean;
  /** Schedules until the first violation; all that were played where none came. */
  readonly seeds: number;
  readonly violation: string | null;
  /** The rule that covers it, where both had to be taken out. */
  readonly covered_by: string | null;
}

/** `text` with the patch applied. Throws where it does not match exactly once: the list has gone stale. */
export function patched(text: string, { file, find, put }: Patch): string {
  const found = text.split(find).length - 1;
  if (found !== 1) throw new Error(`${file}: matches ${found} times: ${find.slice(0, 80)}`);
  return text.replace(find, () => put);
}

export const patchesOf = (mutation: Mutation): readonly Patch[] => [
  ...mutation.patches,
  ...(mutation.with?.patches ?? []),
];

/** A copy of the sources with the patches in it. */
function copyWith(patches: readonly Patch[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-mutation-'));
  for (const part of NEEDED) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const patch of patches) {
    const path = join(folder, patch.file);
    writeFileSync(path, patched(readFileSync(path, 'utf8'), patch));
  }
  return folder;
}

/** Plays schedules in the copy until the first violation. */
function hunt(folder: string, seeds: number): Promise<{ schedules: number; violation: string | null }> {
  return new Promise((resolve, reject) => {
    const args = [
      '--import',
      'tsx',
      'test/simulation/simulate.ts',
      '--seeds',
      `${seeds}`,
      '--until-first',
      '--json',
    ];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    let wrong = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (wrong = (wrong + text).slice(-2_000)));
    child.on('error', reject);
    child.on('close', () => {
      const line = said.trim().split('\n').at(-1) ?? '';
      try {
        const summary = JSON.parse(line) as {
          schedules: number;
          first_violation: { violation: string } | null;
        };
        resolve({ schedules: summary.schedules, violation: summary.first_violation?.violation ?? null });
      } catch {
        reject(new Error(`no summary: ${wrong}`));
      }
    });
  });
}

export async function tryMutation(mutation: Mutation, seeds = SEEDS): Promise<Caught> {
  const folder = copyWith(patchesOf(mutation));
  try {
    const { schedules, violation } = await hunt(folder, seeds);
    return {
      name: mutation.name,
      caught: violation !== null,
      seeds: schedules,
      violation,
      covered_by: mutation.with?.rule ?? null,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const value = (name: string) => {
    const at = process.argv.indexOf(name);
    return at < 0 ? undefined : process.argv[at + 1];
  };
  const only = value('--only');
  const seeds = Number(value('--seeds') ?? SEEDS);
  const wanted = MUTATIONS.filter(({ name }) => only === undefined || name.includes(only));
  const found = new Map<string, Caught>();
  const waiting = [...wanted];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const caught = await tryMutation(next, seeds);
      found.set(next.name, caught);
      const how = caught.caught
        ? `caught after ${caught.seeds}: ${caught.violation}`
        : `MISSED in ${caught.seeds}`;
      process.stderr.write(`${caught.name}: ${how}\n`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
  const mutations = wanted.map(({ name }) => found.get(name) as Caught);
  const caught = mutations.filter((one) => one.caught).length;
  if (process.argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify({ total: mutations.length, caught, mutations })}\n`);
  } else {
    for (const one of mutations) {
      process.stdout.write(`${one.caught ? String(one.seeds).padStart(6) : 'missed'}  ${one.name}\n`);
    }
    process.stdout.write(`${caught} of ${mutations.length} caught\n`);
  }
  process.exitCode = caught === mutations.length ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  });
}
