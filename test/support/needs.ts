/**
 * What a test needs that may be missing on a machine. Missing is said aloud; where everything is required
 * (CI sets COUNTERSIGN_REQUIRE_ALL=1) it is a failure. Shared measuring data has its own rule (shared.ts).
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Absolute path of a program on PATH, or null. */
export function programPath(name: string): string | null {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder: look in the next.
    }
  }
  return null;
}

/** True when the test must be skipped: `it.skipIf(isMissing('chromium', found))`. Throws where all is required. */
export function isMissing(what: string, found: unknown): boolean {
  if (found !== null && found !== undefined && found !== false) return false;
  if (process.env.COUNTERSIGN_REQUIRE_ALL === '1') throw new Error(`required here, but missing: ${what}`);
  process.stderr.write(`SKIPPED (not on this machine): ${what}\n`);
  return true;
}
