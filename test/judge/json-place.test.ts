/** The line a message names is the line an editor shows. */
import { describe, expect, it } from 'vitest';
import { lineAt } from '../../host/judge/json-place.ts';

const TEXT = `{
  "why": "a \\"quoted\\" } brace, a [bracket] and a back\\\\slash \\\\",
  "none": [],
  "list": [
    1, -2.5e3, true, null,
    { "say": "x", "deep": { "er": [
      "löschen"
    ] } }
  ], "last":
    "here"
}`;

describe('a place in a file', () => {
  it.each([
    [[], 1],
    [['why'], 2],
    [['none'], 3],
    [['list'], 4],
    [['list', 3], 5],
    [['list', 4], 6],
    [['list', 4, 'deep', 'er', 0], 7],
    [['last'], 10],
  ] as const)('%j stands on line %d', (path, line) => {
    JSON.parse(TEXT);
    expect(lineAt(TEXT, path)).toBe(line);
  });

  it('that is not there is told by what holds it', () => {
    expect(lineAt(TEXT, ['list', 9, 'say'])).toBe(4);
    expect(lineAt(TEXT, ['list', 4, 'missing'])).toBe(6);
    expect(lineAt(TEXT, ['nothing'])).toBe(1);
    expect(lineAt(TEXT, ['why', 'deeper'])).toBe(2);
    expect(lineAt('{}', ['a'])).toBe(1);
  });
});
