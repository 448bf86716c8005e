/**
 * A server that asks one question, for tests: says when the statement runs, then the answer, if there is one. Arguments: the file of
 * the state, and the statement; without one it has no end.
 */
import { rowsApartFrom } from '../../../src/ledger/run-apart.ts';
import { ENDLESS, questionOn } from './apart.ts';

const [file = '', sql = ENDLESS] = process.argv.slice(2);
const prepare = async () => {
  process.stdout.write('asked\n');
  return {};
};
const end = await rowsApartFrom({ file })(questionOn(sql, { prepare }), 60_000);
process.stdout.write(`${JSON.stringify(end)}\n`);
