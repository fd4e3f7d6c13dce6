/** Holds the import arrows of the house against its sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PROTOCOL_PACKAGES, ROOMS } from './arrows.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

interface Import {
  readonly from: string;
  readonly what: string;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g,
    ),
  ].map((match) => ({ from: file, what: match[1] ?? match[2] ?? match[3] ?? '' }));
}

const names = Object.keys(ROOMS).sort((a, b) => b.length - a.length) as (keyof typeof ROOMS)[];
const roomOf = (path: string) =>
  names.find((name) => path === name || path.startsWith(`${name}/`) || path === `${name}.ts`);
const within = (path: string, allowed: string) =>
  path === allowed || path.startsWith(`${allowed}/`) || path.startsWith(`${allowed}.`);

const files = [...sources('device-protocol'), ...sources('host')];
const all = files.flatMap(importsOf);
const local = all
  .filter((one) => one.what.startsWith('.'))
  .map((one) => ({
    ...one,
    to: relative(root, resolve(root, dirname(one.from), one.what))
      .split(sep)
      .join('/'),
  }));

describe('the arrows between the rooms', () => {
  it('puts every source file into a room of the plan', () => {
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
  });

  it('lets a room import only what the plan allows', () => {
    const wrong = local.filter(({ from, to }) => {
      const room = roomOf(from);
      if (room === undefined || roomOf(to) === room) return false;
      return !ROOMS[room].some((allowed) => within(to, allowed));
    });
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('keeps device-protocol free of I/O, clocks and foreign packages', () => {
    const foreign = all.filter(
      ({ from, what }) =>
        from.startsWith('device-protocol/') &&
        !what.startsWith('.') &&
        !PROTOCOL_PACKAGES.some((name) => what === name || what.startsWith(`${name}/`)),
    );
    expect(foreign.map(({ from, what }) => `${from} -> ${what}`)).toEqual([]);
    const impure = sources('device-protocol').filter((file) =>
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bsetTimeout\(|\bprocess\./.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    );
    expect(impure).toEqual([]);
  });

  it('has no import cycle between files', () => {
    const graph = new Map<string, string[]>();
    for (const { from, to } of local) graph.set(from, [...(graph.get(from) ?? []), to]);
    const done = new Set<string>();
    const cycles: string[] = [];
    const walk = (file: string, path: string[]): void => {
      if (path.includes(file)) {
        cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
        return;
      }
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) walk(next, [...path, file]);
      done.add(file);
    };
    for (const file of files) walk(file, []);
    expect(cycles).toEqual([]);
  });

  it('lets nobody import from test', () => {
    expect(local.filter(({ to }) => to.startsWith('test/'))).toEqual([]);
  });
});
