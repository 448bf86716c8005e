/** The process that reads the rows of one question (ledger/run-apart.ts). The bundle has it beside the program, whose code it runs. */
import { readLedger } from './cli/runtime/ledger-reader.ts';

readLedger().catch(() => {
  process.exitCode = 1;
});
