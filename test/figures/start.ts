/**
 * `npm run figures:start [-- --times N] [--json]`: how long a newcomer waits, measured from outside, median of
 * N (10): host with the virtual phone to its first observation, a client's spawn to its first tools/list, and
 * the memory of each process. Times say something of this machine only.
 */
import { readFileSync } from 'node:fs';
import { connectEngine } from '../../host/doors/owner-socket/client.ts';
import { freshFolder, startHostProcess } from '../support/host-process.ts';
import { agentOn } from '../support/mcp.ts';

const median = (numbers: readonly number[]) =>
  Math.round([...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN);

/** Resident memory in MiB; null where the system does not tell (only Linux has /proc). */
function residentOf(pid: number | undefined): number | null {
  try {
    const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line === null ? null : Math.round(Number(line[1]) / 1_024);
  } catch {
    return null;
  }
}

function childOf(pid: number | undefined): number | undefined {
  try {
    return (
      Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]) || undefined
    );
  } catch {
    return undefined;
  }
}

async function once(): Promise<{ first: number; list: number; host: number | null; phone: number | null }> {
  const folder = freshFolder();
  try {
    const began = performance.now();
    const host = await startHostProcess(folder.path, ['--virtual', '--console-port', '0', '--mcp-port', '0']);
    const engine = await connectEngine(folder.path);
    const seen = await engine.call({ agent: 'local', door: 'cli' }, 'screen_observe', {});
    const first = performance.now() - began;
    engine.close();
    if (!seen.ok) throw new Error(`no observation: ${seen.error_code}`);
    const memory = { host: residentOf(host.child.pid), phone: residentOf(childOf(host.child.pid)) };
    const spawned = performance.now();
    const agent = await agentOn(folder.path);
    await agent.tools();
    const list = performance.now() - spawned;
    await agent.close();
    await host.stop();
    return { first, list, ...memory };
  } finally {
    folder.remove();
  }
}

const at = process.argv.indexOf('--times');
const times = at < 0 ? 10 : Number(process.argv[at + 1]);
const runs = [];
for (let n = 0; n < times; n += 1) {
  runs.push(await once());
  process.stderr.write(`${n + 1} of ${times}\n`);
}
const known = (numbers: (number | null)[]) => numbers.filter((one) => one !== null);
const mebibytes = (numbers: (number | null)[]) =>
  known(numbers).length === 0 ? null : median(known(numbers));
const figures = {
  times,
  first_observation_ms_p50: median(runs.map(({ first }) => first)),
  tools_list_ms_p50: median(runs.map(({ list }) => list)),
  rss_mb: {
    host: mebibytes(runs.map(({ host }) => host)),
    virtual_phone: mebibytes(runs.map(({ phone }) => phone)),
  },
};
if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(figures)}\n`);
else {
  process.stdout.write(
    `host and virtual phone to first observation: ${figures.first_observation_ms_p50} ms\nclient's spawn to first tools/list: ${figures.tools_list_ms_p50} ms\nmemory: host ${figures.rss_mb.host} MiB, virtual phone ${figures.rss_mb.virtual_phone} MiB\n`,
  );
}
process.exit(0);
