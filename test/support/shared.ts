/**
 * Finds the shared measuring data (real screens, real labels), which never live in this repository.
 * Not for fixtures of our own.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const base = process.env.COUNTERSIGN_SHARED ?? resolve(root, '../shared');

/** Absolute path below the shared folder, or null (said aloud once per path) where it is missing. */
export function sharedPath(...parts: string[]): string | null {
  const path = join(base, ...parts);
  if (existsSync(path)) return path;
  process.stderr.write(`SKIPPED (shared data not here): ${parts.join('/')}\n`);
  return null;
}
