#!/usr/bin/env node
/** The program `countersign`. Not for what its commands do (program.ts). */
import { run } from './program.ts';

// `countersign log | head` closes the pipe early: the rest of the output is not wanted, which is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

await run(process.argv.slice(2));
