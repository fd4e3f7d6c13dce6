/** The page's language: what the browser asks for, or what the owner chose. Dates and numbers in its form. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ar } from './messages/ar.ts';
import { de } from './messages/de.ts';
import { en, type MessageName } from './messages/en.ts';
import { es } from './messages/es.ts';
import { hi } from './messages/hi.ts';
import { ja } from './messages/ja.ts';

export const LANGUAGES = { en, de, es, ar, ja, hi } as const satisfies Record<
  string,
  Record<MessageName, string>
>;
export type LanguageCode = keyof typeof LANGUAGES;
export const LANGUAGE_NAMES: Readonly<Record<LanguageCode, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  ar: 'العربية',
  ja: '日本語',
  hi: 'हिन्दी',
};
const RIGHT_TO_LEFT: ReadonlySet<LanguageCode> = new Set(['ar']);

export const isLanguage = (code: string): code is LanguageCode => Object.hasOwn(LANGUAGES, code);

/** The first of `wanted` (browser tags, best first) that we speak. */
export function languageFrom(wanted: readonly string[]): LanguageCode {
  for (const tag of wanted) {
    const code = tag.toLowerCase().split('-')[0] ?? '';
    if (isLanguage(code)) return code;
  }
  return 'en';
}

export const directionOf = (code: LanguageCode) => (RIGHT_TO_LEFT.has(code) ? 'rtl' : 'ltr');

export type Say = (name: MessageName, values?: Readonly<Record<string, string | number>>) => string;

/** Sentences of `code`, with `{names}` filled in and numbers in its form. */
export function sayIn(code: LanguageCode): Say {
  const numbers = new Intl.NumberFormat(code);
  return (name, values = {}) =>
    LANGUAGES[code][name].replace(/\{(\w+)\}/g, (_, key: string) => {
      const value = values[key];
      return typeof value === 'number' ? numbers.format(value) : (value ?? '');
    });
}

export const LanguageContext = createContext<LanguageCode>('en');
export const useLanguage = () => useContext(LanguageContext);
export const useMessages = (): Say => sayIn(useLanguage());

/** The reader's own form of a language (en-GB writes its hours otherwise than en-US). */
const formOf = (code: LanguageCode) =>
  navigator.languages.find((tag) => tag.toLowerCase().split('-')[0] === code) ?? code;

/** A moment as the reader writes it; today without its date. */
export function moment(code: LanguageCode, iso: string, now: number): string {
  const at = new Date(iso);
  const today = new Date(now).toDateString() === at.toDateString();
  const wanted = today
    ? ({ timeStyle: 'medium' } as const)
    : ({ dateStyle: 'medium', timeStyle: 'short' } as const);
  return new Intl.DateTimeFormat(formOf(code), wanted).format(at);
}
