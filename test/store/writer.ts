/** A process of its own that stores names without end and tells each one once it is stored. For kill.test.ts. */
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openStore } from '../../host/store/store.ts';

const [directory = '', turn = ''] = process.argv.slice(2);
const store = openStore(directory, { hex: (count) => randomBytes(count).toString('hex') });
for (let i = 0; ; i++) {
  const name = `n${turn}-${i}`;
  store.transaction(() => {
    store.settings.set(name, name);
    store.audit.open({
      at: i,
      agent: 'writer',
      door: 'cli',
      tool: name,
      kind: 'call',
      schema_version: 1,
      task_id: null,
      device_id: null,
      arguments: {},
    });
  });
  // The parent reads what is stored; written at once, so that a kill never takes a told line back.
  writeSync(1, `${name}\n`);
}
