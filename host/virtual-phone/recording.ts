/** Reads a recorded screen from a file for the phone to show. Not for its formats (host/screen/recorded). */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Snapshot } from '../../device-protocol/snapshot.ts';
import { readRecording } from '../screen/recorded/read-recording.ts';

/** Throws with the reader's own words where the file is no recording at all. */
export function readRecordedScreen(path: string, log: (line: string) => void): Snapshot {
  const read = readRecording(readFileSync(path), basename(path));
  if ('error_code' in read) throw new Error(read.message);
  for (const loss of read.snapshot.losses) log(`${basename(path)}: ${loss.code} ${loss.count}`);
  return read.snapshot;
}
