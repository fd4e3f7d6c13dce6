/** Which word file speaks for a device's locale. Not for guessing the language of a label. */

/** Old and regional codes, and languages whose buttons are read with another language's file. */
const ALIASES: Readonly<Record<string, string>> = {
  iw: 'he',
  in: 'id',
  ji: 'yi',
  mo: 'ro',
  no: 'nb',
  tl: 'fil',
  sh: 'sr',
};

/** The language of the file for a BCP-47 or Android locale (`pt-BR`, `zh_TW`), null when there is none. */
export function languageOfLocale(locale: string | null, languages: ReadonlySet<string>): string | null {
  if (locale === null || locale === '') return null;
  const primary = primaryOf(locale);
  if (languages.has(primary)) return primary;
  const alias = ALIASES[primary];
  return alias !== undefined && languages.has(alias) ? alias : null;
}

const primaries = new Map<string, string>();
/** A phone has one locale, and keeps it: more than these are somebody's mischief. */
const MOST_PRIMARIES = 1_000;

function primaryOf(locale: string): string {
  const known = primaries.get(locale);
  if (known !== undefined) return known;
  const primary = (/^[^-_]*/u.exec(locale)?.[0] ?? '').toLowerCase();
  if (primaries.size < MOST_PRIMARIES) primaries.set(locale, primary);
  return primary;
}
