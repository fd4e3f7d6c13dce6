/**
 * Keeps standard output for the protocol alone: from here on whatever else this process prints there
 * (console.log, a library's banner) goes to standard error (D-55). Not for children: they get pipes.
 */
import type { WriteLine } from './stdio-transport.ts';

/** Takes standard output; the answer is the only way left to write to it. */
export function claimStdout(): WriteLine {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout) as (text: string, done: (error?: Error | null) => void) => boolean;
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // A reader that went away shows in each write's own answer; unheard, this event would end the process.
  stdout.on('error', () => {});
  return (text) =>
    new Promise((resolve, reject) => {
      write(text, (error) => (error ? reject(error) : resolve()));
    });
}
