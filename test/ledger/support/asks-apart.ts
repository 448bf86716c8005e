/** A server that asks one question without an end, for tests that kill it: says who reads, then waits. Argument: the file of the state. */
import { rowsApartFrom } from '../../../src/ledger/run-apart.ts';
import { ENDLESS, questionOn } from './apart.ts';

const [file = ''] = process.argv.slice(2);
await rowsApartFrom({ file })(questionOn(ENDLESS), 60_000, () => {
  process.stdout.write('asked\n');
});
