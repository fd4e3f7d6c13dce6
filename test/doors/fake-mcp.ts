/** A program: the real stdio door over the engine without a phone, with a noisy library beside it. */
import type { ListingOptions } from '../../device-protocol/tools/listing.ts';
import { askedHere } from '../../host/doors/asked-engine.ts';
import { claimStdout } from '../../host/doors/mcp/claim-stdout.ts';
import { serveClient } from '../../host/doors/mcp/serve-stdio.ts';
import { fakeEngine } from './fake-engine.ts';

const write = claimStdout();
console.log('a banner on standard output');
process.stdout.write('* daemon not running; starting now at tcp:5037\n');
const tier = (process.argv[2] ?? 'core') as ListingOptions['tier'];
const engine = fakeEngine();
const { call } = engine;
engine.call = (...args) => {
  console.log('a library prints at every call');
  return call(...args);
};
if (process.argv[3] === 'faulty') {
  engine.call = () => Promise.reject(new Error('broken in /secret/path'));
  engine.tools = () => {
    throw new Error('broken in /secret/path');
  };
}
const service = serveClient(
  {
    engine: askedHere(engine),
    caller: { agent: 'local', door: 'mcp_stdio' },
    listing: { tier, small: process.argv[3] === 'small' },
    version: '0.0.0',
    ...(process.argv[3] === 'impatient' ? { longestWaitMs: 100 } : {}),
    log: (line) => void process.stderr.write(`${line}\n`),
  },
  process.stdin,
  write,
);
await service.ended;
