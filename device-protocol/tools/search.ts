/**
 * Which tools a few words ask for: ranking over names, purposes and fields. Pure, the same answer every
 * time. Not for names that were written wrong (host/engine/spelling.ts).
 */
import { fold } from '../fold.ts';
import { TOOL_NAMES, type ToolName, toolOf } from './tools.ts';

/** Words that say nothing of what is wanted. */
const EMPTY = new Set([
  'a',
  'an',
  'and',
  'the',
  'to',
  'of',
  'on',
  'in',
  'for',
  'with',
  'how',
  'do',
  'i',
  'it',
  'tool',
]);

const wordsIn = (text: string) =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !EMPTY.has(word));

/** What a hit is worth: in the name, in its purpose, among its fields, in what it is not for. */
const WORTH = { name: 8, purpose: 3, fields: 2, notFor: 1 } as const;

interface Entry {
  readonly tool: ToolName;
  readonly words: Readonly<Record<keyof typeof WORTH, ReadonlySet<string>>>;
}

const ENTRIES: readonly Entry[] = TOOL_NAMES.map((tool) => {
  const { purpose, notFor, input } = toolOf(tool);
  return {
    tool,
    words: {
      name: new Set(wordsIn(tool.replaceAll('_', ' '))),
      purpose: new Set(wordsIn(purpose)),
      fields: new Set(Object.keys(input.shape).flatMap((field) => wordsIn(field.replaceAll('_', ' ')))),
      notFor: new Set(wordsIn(notFor)),
    },
  };
});

/** A word counts whole, or by its start where it is long enough to be the same word in another form. */
function holds(words: ReadonlySet<string>, asked: string): boolean {
  if (words.has(asked)) return true;
  const stem = asked.slice(0, Math.max(4, asked.length - 3));
  return asked.length >= 4 && [...words].some((word) => word.startsWith(stem));
}

/** The tools among `allowed` that `query` asks for, best first; all of them, in their order, where none fits. */
export function searchTools(query: string, allowed: readonly ToolName[]): ToolName[] {
  const may = new Set(allowed);
  const asked = wordsIn(query.replaceAll('_', ' '));
  const scored = ENTRIES.filter(({ tool }) => may.has(tool)).map(({ tool, words }) => {
    let score = 0;
    for (const word of asked) {
      for (const [place, worth] of Object.entries(WORTH) as [keyof typeof WORTH, number][]) {
        if (holds(words[place], word)) score += worth;
      }
    }
    return { tool, score };
  });
  const found = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  return (found.length > 0 ? found : scored).map(({ tool }) => tool);
}
