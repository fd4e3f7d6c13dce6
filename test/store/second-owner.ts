/** A process of its own that tries to open a store, and says on stdout what came of it. For store.test.ts. */
import { randomBytes } from 'node:crypto';
import { openStore } from '../../host/store/store.ts';
import { StoreError } from '../../host/store/store-api.ts';

try {
  openStore(process.argv[2] ?? '', { hex: (count) => randomBytes(count).toString('hex') }).close();
  process.stdout.write('opened');
} catch (error) {
  process.stdout.write(error instanceof StoreError ? error.code : String(error));
}
