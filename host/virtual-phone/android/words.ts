/**
 * Languages of the small Android's interface, and how an app keeps its texts: one row a text, one column a
 * language. Not for the judge's words (policies/words).
 */
export const LANGUAGES = ['en', 'de', 'es', 'ar', 'ja', 'hi'] as const;
export type Language = (typeof LANGUAGES)[number];

/** One text in every language, in the order of `LANGUAGES`, parted by bars. */
export type Row = `${string} | ${string} | ${string} | ${string} | ${string} | ${string}`;

export type Texts<K extends string> = Readonly<Record<K, string>>;

export interface WordTable<K extends string> {
  in(language: Language): Texts<K>;
}

export function words<K extends string>(rows: Readonly<Record<K, Row>>): WordTable<K> {
  const tables = new Map<Language, Texts<K>>();
  const parted = Object.entries<Row>(rows).map(([key, row]) => ({ key, cells: row.split(' | ') }));
  for (const [column, language] of LANGUAGES.entries()) {
    const texts: Record<string, string> = {};
    for (const { key, cells } of parted) {
      const cell = cells[column];
      if (cell === undefined || cells.length !== LANGUAGES.length)
        throw new Error(`texts of "${key}": ${cells.length}`);
      texts[key] = cell;
    }
    tables.set(language, texts as Texts<K>);
  }
  return {
    in(language) {
      const table = tables.get(language);
      if (table === undefined) throw new Error(`no texts for ${language}`);
      return table;
    },
  };
}

/** Puts `values` into the places marked `{}`, one after another. */
export function fill(text: string, ...values: (string | number)[]): string {
  let next = 0;
  return text.replaceAll('{}', () => String(values[next++] ?? ''));
}

export function isRightToLeft(language: Language): boolean {
  return language === 'ar';
}
