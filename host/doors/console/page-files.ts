/** The built page as it is served: read once, compressed once, named by what it holds. Not for building it. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
  /** The name holds a hash of the content, so it never changes. */
  readonly lasting: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Every file below `folder` by its path from there; null where the page was not built. */
export function pageFiles(folder: string): ReadonlyMap<string, PageFile> | null {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return null;
  }
  const files = new Map<string, PageFile>();
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const bytes = readFileSync(join(folder, name));
    const path = `/${relative('.', name).split(sep).join('/')}`;
    files.set(path, { type, bytes, gzip: gzipSync(bytes), lasting: path.startsWith('/assets/') });
  }
  return files.has('/index.html') ? files : null;
}
