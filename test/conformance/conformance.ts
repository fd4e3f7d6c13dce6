/**
 * `npm run conformance [-- --json]`: the official MCP suite, once against its own fixtures behind our HTTP
 * door (which says something of that door and the SDK), once as far as it goes against the real server.
 * Exit 0 where everything required passed, 1 where something did not, 2 where the suite cannot be installed.
 */
import { fixtureDoor } from './door.ts';
import { realDoor } from './real-door.ts';
import { hasPassed, install, isInstalled, type Ran, requiredScenarios, runSuite } from './suite.ts';

/** Revisions, and how the suite is asked for each. The oldest has no frozen requirements: all of its scenarios. */
const SETS = {
  '2026-07-28': ['--requirements', '2026-07-28'],
  '2025-11-25': ['--requirements', '2025-11-25'],
  '2025-06-18': ['--suite', 'all', '--spec-version', '2025-06-18'],
} as const;

/** Scenarios that need no fixtures. */
const REAL = {
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'http-header-validation',
    'server-stateless',
    'caching',
  ],
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
  ],
} as const;

/** Checks that ask for a diagnostic tool of the suite's fixtures, which the real server does not have. */
const EXPECTED = new Set([
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
]);

export interface ConformanceFigures {
  readonly sets: Record<keyof typeof SETS, { required: number; passed: number; failed: string[] }>;
  readonly real_server: { scenarios: number; passed: number; failed: string[] };
  /** Failed for want of fixtures, by check; their scenarios are not counted as passed. */
  readonly expected_failures: string[];
}

const told = (set: string, ran: Ran) =>
  ran.failed.map(({ id, say }) => `${set} ${ran.scenario}: ${id}: ${say}`);

export async function conformance(log: (line: string) => void): Promise<ConformanceFigures> {
  const sets = {} as Record<keyof typeof SETS, { required: number; passed: number; failed: string[] }>;
  const fixtures = await fixtureDoor(log);
  try {
    for (const [revision, which] of Object.entries(SETS) as [keyof typeof SETS, readonly string[]][]) {
      const ran = await runSuite(fixtures.url, which);
      const required =
        revision === '2025-06-18' ? ran.map(({ scenario }) => scenario) : requiredScenarios(revision);
      const scored = ran.filter(({ scenario }) => required.includes(scenario));
      const missing = required.filter((name) => !scored.some(({ scenario }) => scenario === name));
      sets[revision] = {
        required: required.length,
        passed: scored.filter(hasPassed).length,
        failed: [
          ...scored.filter((one) => !hasPassed(one)).flatMap((one) => told(revision, one)),
          ...missing.map((name) => `${revision} ${name}: did not run`),
        ],
      };
      log(`${revision}: ${sets[revision].passed} of ${required.length} required scenarios`);
    }
  } finally {
    await fixtures.close();
  }
  const real = { scenarios: 0, passed: 0, failed: [] as string[] };
  const expected: string[] = [];
  const door = await realDoor(log);
  try {
    for (const [revision, names] of Object.entries(REAL)) {
      for (const name of names) {
        for (const one of await runSuite(door.url, ['--scenario', name, '--spec-version', revision])) {
          real.scenarios += 1;
          if (hasPassed(one)) real.passed += 1;
          for (const { id, say } of one.failed) {
            if (EXPECTED.has(id)) expected.push(`${revision} ${name}: ${id}`);
            else real.failed.push(`${revision} ${name}: ${id}: ${say}`);
          }
          if (one.failed.length === 0 && one.succeeded === 0) {
            real.failed.push(`${revision} ${name}: nothing was checked`);
          }
        }
      }
    }
  } finally {
    await door.close();
  }
  log(`real server: ${real.passed} of ${real.scenarios} scenarios; expected failures: ${expected.length}`);
  return { sets, real_server: real, expected_failures: expected };
}

export const held = ({ sets, real_server }: ConformanceFigures) =>
  real_server.failed.length === 0 && Object.values(sets).every((set) => set.passed === set.required);

if (process.argv[1] === new URL(import.meta.url).pathname) {
  try {
    if (!isInstalled()) await install();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
  const figures = await conformance((line) => void process.stderr.write(`${line}\n`));
  for (const line of [
    ...Object.values(figures.sets).flatMap((set) => set.failed),
    ...figures.real_server.failed,
  ]) {
    process.stderr.write(`failed: ${line}\n`);
  }
  for (const line of figures.expected_failures) process.stderr.write(`expected failure: ${line}\n`);
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(figures)}\n`);
  else {
    for (const [revision, set] of Object.entries(figures.sets)) {
      process.stdout.write(`${revision}: ${set.passed} of ${set.required}\n`);
    }
    const { passed, scenarios } = figures.real_server;
    process.stdout.write(`real server: ${passed} of ${scenarios}\n`);
  }
  process.exit(held(figures) ? 0 : 1);
}
