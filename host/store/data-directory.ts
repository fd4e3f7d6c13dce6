/** Where the host keeps its data, by the platform's convention or as told. Not for what lies in it. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** Absolute path of the data directory: `--data`, else the platform's place for "countersign". */
export function dataDirectory(given?: string): string {
  return given === undefined ? envPaths('countersign', { suffix: '' }).data : resolve(given);
}

/** Makes the directory, for its owner only (0700), and answers its path. */
export function openDataDirectory(given?: string): string {
  const directory = dataDirectory(given);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // An older umask or an earlier program may have left it open: secrets lie in it.
  chmodSync(directory, 0o700);
  return directory;
}

/** The database's file inside a data directory. */
export function databasePath(directory: string): string {
  return join(directory, 'countersign.db');
}
