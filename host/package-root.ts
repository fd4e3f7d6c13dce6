/** Finds the folder our package.json stands in, from the sources and from the build alike. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the package's root: where `policies/` and `device-protocol/vectors/` lie. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error('countersign: its own package.json was not found');
    folder = above;
  }
  return folder;
}
