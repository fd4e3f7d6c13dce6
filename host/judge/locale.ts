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
  const primary = locale?.split(/[-_]/u)[0]?.toLowerCase();
  if (primary === undefined || primary === '') return null;
  if (languages.has(primary)) return primary;
  const alias = ALIASES[primary];
  return alias !== undefined && languages.has(alias) ? alias : null;
}
