/** Answers one statement over rows that come by stdin: as the process of the program does, without a state. */
import { createInterface } from 'node:readline';
import type { AnswerLine } from '../../src/ledger/run-sql.ts';
import { answerStatement } from '../../src/ledger/statement.ts';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const first = await lines.next();
const write = (line: AnswerLine, after?: () => void) => process.stdout.write(`${JSON.stringify(line)}\n`, after);
const end = await answerStatement(JSON.parse(first.value ?? ''), {
  async *rowsOf(reads) {
    write({ reads });
    for (let line = await lines.next(); line.value !== 'null'; line = await lines.next()) {
      // Who sends rows has died.
      if (line.done) process.exit(1);
      yield JSON.parse(line.value);
    }
  },
  starts: () => void write({ starts: true }),
});
write({ end: 'failed' in end ? end : { ...end, seen: { unsettled: 0, from: 0, stillOpen: 0 } } }, () => process.exit());
