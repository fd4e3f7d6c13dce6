// Builds the page where a source is newer than what was built; a second run does nothing.
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const built = fileURLToPath(new URL('../../dist/console/index.html', import.meta.url));
const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const newest = Math.max(
  ...readdirSync(here, { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(`${here}${name}`).mtimeMs,
  ),
);
if (newest > builtAt) await build({ configFile: `${here}vite.config.ts` });
