/**
 * Judges every regular expression of src thoroughly, and writes those that are safe to safe.txt, so that the tests need to judge only
 * new ones: `node test/repository/patterns/check.ts`, some 60 s. `--verify` writes nothing, and fails where one is not safe.
 */
import { writeFileSync } from 'node:fs';
import { mark, quickFinding, thoroughFinding } from './judge.ts';
import { LISTED, listedAs, SAFE, sourcePatterns } from './sources.ts';

const { patterns } = sourcePatterns();
const judged = patterns
  .filter((pattern) => !(listedAs(pattern) in LISTED))
  .map((pattern) => ({ pattern, finding: quickFinding(pattern) ?? thoroughFinding(pattern) }));
const unsafe = judged.filter(({ finding }) => finding !== undefined);
for (const { pattern, finding } of unsafe) process.stderr.write(`${finding}: ${listedAs(pattern)}\n`);
const safe = judged.filter(({ finding }) => finding === undefined).map(({ pattern }) => mark(pattern));
if (!process.argv.includes('--verify')) {
  const head = 'Regular expressions of src that are safe, by recheck 4.5.0: node test/repository/patterns/check.ts';
  writeFileSync(SAFE, `${[head, ...[...new Set(safe)].toSorted()].join('\n')}\n`);
}
process.stdout.write(`${safe.length} safe, ${unsafe.length} not\n`);
process.exitCode = unsafe.length > 0 ? 1 : 0;
