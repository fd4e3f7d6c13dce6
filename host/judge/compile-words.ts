/** Last step of the build: compiles the word files, so that a start need not. Not needed to run from the sources. */
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';
import { writeCompiled } from './load-words.ts';

writeCompiled(join(packageRoot(), 'policies'));
