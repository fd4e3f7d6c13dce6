/**
 * What a command prints, and where: for people on standard output; with --json one object as the last
 * line there, and everything for people on standard error. Not for what is said.
 */

export interface Terminal {
  readonly json: boolean;
  /** For people. */
  say(text: string): void;
  /** How it goes on: always standard error. */
  progress(text: string): void;
  /** For programs: only with --json. */
  result(object: object): void;
}

export function terminalOf(json: boolean): Terminal {
  const { stdout, stderr } = process;
  return {
    json,
    say: (text) => void (json ? stderr : stdout).write(`${text}\n`),
    progress: (text) => void stderr.write(`${text}\n`),
    result: (object) => {
      if (json) stdout.write(`${JSON.stringify(object)}\n`);
    },
  };
}

/** Exit statuses (figures.md): it held; it ran and something did not hold; it could not run. */
export const EXIT = { held: 0, didNotHold: 1, couldNotRun: 2 } as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** Why a command could not run: coded, with the next step in the sentence. */
export class CannotRun extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Text that came from a screen or an agent, for a terminal: control characters would move the cursor,
 * colour over what the owner must read, or turn the line's direction round.
 */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) =>
    sign === '\n' || sign === '\t' ? ' ' : '\ufffd',
  );
}
