/**
 * Last step of the build: compiles the policy files made of words, so that a start need not. Does nothing where that
 * is done already. Not needed to run from the sources.
 */
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';
import { keepCompiled } from './compiled.ts';
import { codesIn, signsIn } from './load-phrases.ts';
import { wordsIn } from './load-words.ts';

const policies = join(packageRoot(), 'policies');
for (const compilable of [wordsIn(policies), signsIn(policies).compilable, codesIn(policies)]) {
  if (keepCompiled(compilable) === 'written') process.stdout.write(`compiled ${compilable.name}\n`);
}
