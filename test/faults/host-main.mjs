// A host as the product composes it, on a port that stays the same over restarts. Says when it is ready.
import { startHost } from '../../dist/host/composition.js';

const [dataDir, port] = process.argv.slice(2);
const log = (line) => process.stderr.write(`${line}\n`);
await startHost({ dataDir, port: Number(port), consolePort: 0, log });
process.stdout.write('ready\n');
