/** Runs the official suite against an address and reads what its scenarios found. Not for which to run. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const SUITE = here('node_modules/@modelcontextprotocol/conformance');

export const isInstalled = () => existsSync(join(SUITE, 'dist/index.js'));

/** Fetches the suite, exactly as its lock file says; it is no dependency of the product. */
export function install(): Promise<void> {
  return new Promise((resolve, reject) => {
    const args = ['ci', '--no-audit', '--no-fund', '--prefix', here('.')];
    const child = spawn('npm', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    child.on('error', reject);
    child.on('close', (status) =>
      status === 0 ? resolve() : reject(new Error(`npm could not install the suite (exit status ${status})`)),
    );
  });
}

/** Scenarios that the frozen requirements of `revision` score for servers. */
export function requiredScenarios(revision: string): string[] {
  const text = readFileSync(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8');
  return z.object({ server: z.array(z.string()) }).parse(parse(text)).server;
}

const checksSchema = z.array(
  z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);

export interface Ran {
  readonly scenario: string;
  readonly succeeded: number;
  /** Checks that failed, with the suite's own words. */
  readonly failed: readonly { readonly id: string; readonly say: string }[];
}

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const all = ['--import', here('node20-shim.mjs'), join(SUITE, 'dist/index.js'), ...args];
    const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    }
    child.on('error', reject);
    // Its exit status says whether all passed; what passed is read from its reports.
    child.on('close', () => resolve(said));
  });
}

/** What the suite found at `url`, by scenario. Throws where it wrote no report at all. */
export async function runSuite(url: string, which: readonly string[]): Promise<Ran[]> {
  const out = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const said = await run(['server', '--url', url, ...which, '-o', out]);
    const found = readdirSync(out).map((folder) => {
      const scenario = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1] ?? folder;
      const checks = checksSchema.parse(JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8')));
      return {
        scenario,
        succeeded: checks.filter((check) => check.status === 'SUCCESS').length,
        failed: checks
          .filter((check) => check.status === 'FAILURE')
          .map((check) => ({ id: check.id, say: check.errorMessage ?? '' })),
      };
    });
    if (found.length === 0) throw new Error(`the suite reported nothing: ${said.slice(-2_000)}`);
    return found;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** A scenario that skipped everything has shown nothing. */
export const hasPassed = (ran: Ran) => ran.succeeded > 0 && ran.failed.length === 0;
