/** PROTOCOL.md taken apart: its code blocks, its tables, its sections. Not for what they must say. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('../../device-protocol/PROTOCOL.md', import.meta.url));
export const text = readFileSync(path, 'utf8');

/** What each ```json KIND block holds. */
export function examples(kind: string): unknown[] {
  const blocks = text.matchAll(/```json (\w+)\n([\s\S]*?)\n```/g);
  return [...blocks].filter(([, name]) => name === kind).map(([, , json]) => JSON.parse(json ?? ''));
}

/** The text from a heading to the next one of its rank or above. */
export function section(heading: string): string {
  const from = text.indexOf(`\n${heading}\n`);
  if (from < 0) throw new Error(`no section ${heading}`);
  const rank = /^#+/.exec(heading)?.[0].length ?? 0;
  const rest = text.slice(from + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${rank}} `, 'm'));
  return end < 0 ? rest : rest.slice(0, end);
}

/** Rows of the first table behind a heading line: the cells of each, without the header. */
export function table(of: string, header: readonly string[]): string[][] {
  const lines = of.split('\n');
  const start = lines.findIndex((line) => cells(line).join('|') === header.join('|'));
  if (start < 0) throw new Error(`no table ${header.join(' | ')}`);
  const rows: string[][] = [];
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith('|')) break;
    rows.push(cells(line));
  }
  return rows;
}

const cells = (line: string): string[] =>
  line.startsWith('|')
    ? line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
    : [];

/** `word` → word; anything else stays. */
export const plain = (cell: string | undefined): string => (cell ?? '').replace(/^`(.*)`$/, '$1');

/** Every `word` in a text. */
export function words(of: string = text): Set<string> {
  return new Set([...of.matchAll(/`([^`\n]+)`/g)].map(([, word]) => word ?? ''));
}
