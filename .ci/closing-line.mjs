// Prints the one closing line of a CI run and decides its exit status: vitest's own status, and no test
// skipped except where the shared measuring data is missing (those say "shared" in their title).
import { readFileSync } from 'node:fs';

const [file, status, seconds] = process.argv.slice(2);
let report;
try {
  report = JSON.parse(readFileSync(file, 'utf8'));
} catch {
  console.log('CI FAILED: no test report was written');
  process.exit(1);
}
const tests = report.testResults.flatMap((suite) => suite.assertionResults);
const count = (state) => tests.filter((test) => test.status === state).length;
const skipped = tests.filter(
  (test) => test.status === 'pending' || test.status === 'skipped' || test.status === 'todo',
);
const unexpected = skipped.filter((test) => !/\(shared\)/.test(test.fullName));
for (const test of unexpected) console.log(`SKIPPED WITHOUT LEAVE: ${test.fullName}`);
const ok =
  status === '0' &&
  report.success === true &&
  count('failed') === 0 &&
  unexpected.length === 0 &&
  tests.length > 0;
console.log(
  `CI ${ok ? 'PASSED' : 'FAILED'}: ${report.testResults.length} files, ${tests.length} tests, ${count('passed')} passed, ` +
    `${count('failed')} failed, ${skipped.length} skipped (${skipped.length - unexpected.length} for missing shared data), ${seconds} s`,
);
process.exit(ok ? 0 : 1);
