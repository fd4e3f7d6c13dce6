/**
 * Where the owner socket of a data directory lies: a unix socket in it, a named pipe on Windows. Not for
 * what is said over it.
 */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, the closing zero among them. */
const PATH_BYTES = 103;

/** The same directory by another name (a link, a relative path) must lead to the same socket. */
function realPath(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    // It is not there yet, so nobody listens in it: the name as given does.
    return directory;
  }
}

export function ownerSocketPath(dataDir: string): string {
  const real = realPath(dataDir);
  const short = createHash('sha256').update(real).digest('hex').slice(0, 24);
  if (process.platform === 'win32') return `\\\\.\\pipe\\countersign-${short}`;
  const path = join(real, 'owner.sock');
  if (Buffer.byteLength(path) <= PATH_BYTES) return path;
  // Too deep for a socket's name: a folder of this user's own, in the place for such things.
  return join(tmpdir(), `countersign-${userInfo().uid}`, `${short}.sock`);
}

/**
 * Makes the socket's folder where it is ours to make, and refuses one that others can enter: with only
 * the file's mode between them, another user could connect before it is set.
 */
export function secureFolderOf(path: string): void {
  if (process.platform === 'win32') return;
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const open = (found.mode & 0o077) !== 0;
  if (!found.isDirectory() || open || found.uid !== userInfo().uid) {
    throw new Error('the folder of the owner socket can be entered by others; it must be yours alone (0700)');
  }
}
