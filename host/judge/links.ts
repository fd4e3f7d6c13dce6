/** What opening an address does, by its scheme and host. Not for what becomes of it (judge.ts). */
import { z } from 'zod';
import { RISK_CLASSES, type RiskClass } from '../../device-protocol/verdict.ts';

const scheme = z.string().regex(/^[a-z][a-z0-9+.-]*$/);
const why = z.string().min(3).max(240);

export const linksSchema = z.strictObject({
  why: z.string(),
  schemes: z.array(z.strictObject({ scheme, class: z.enum(RISK_CLASSES), why })),
  refused: z.array(z.strictObject({ scheme, why })),
});

export type Links = { schemes: ReadonlyMap<string, RiskClass>; refused: ReadonlySet<string> };

export function compileLinks(data: z.infer<typeof linksSchema>): Links {
  return {
    schemes: new Map(data.schemes.map((one) => [one.scheme, one.class])),
    refused: new Set(data.refused.map((one) => one.scheme)),
  };
}

export type LinkMeaning =
  | { kind: 'web'; host: string }
  /** An act by its scheme, or one of an app nobody here knows (class null). */
  | { kind: 'app'; scheme: string; class: RiskClass | null }
  /** Not one address, or of a kind that is never opened. */
  | { kind: 'refused'; because: string };

/** Reads an address strictly: nothing may stand in it that a shell or a lenient parser could read otherwise. */
export function readLink(url: string, links: Links): LinkMeaning {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\s\u0000-\u001f\u007f"'<>\\^`{|}]/u.test(url)) return { kind: 'refused', because: 'not one address' };
  const found = /^([A-Za-z][A-Za-z0-9+.-]*):/u.exec(url);
  if (found === null) return { kind: 'refused', because: 'no scheme' };
  const name = (found[1] as string).toLowerCase();
  if (links.refused.has(name)) return { kind: 'refused', because: `${name}: is never opened` };
  if (name !== 'http' && name !== 'https') {
    return { kind: 'app', scheme: name, class: links.schemes.get(name) ?? null };
  }
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    // The parser's words say no more than that it is none.
    return { kind: 'refused', because: 'not one address' };
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return { kind: 'refused', because: 'a name before the host, which makes another host look like it' };
  }
  return { kind: 'web', host: parsed.hostname };
}

/** Whether `host` is one of `hosts`, or below one that is written with a leading dot (".example.org"). */
export function isAllowedHost(host: string, hosts: readonly string[]): boolean {
  return hosts.some((one) =>
    one.startsWith('.') ? host.endsWith(one) || host === one.slice(1) : host === one,
  );
}
