/**
 * The fuzzer from the command line:
 *
 *   node test/campaigns/fuzz/run.ts [--replies 100000] [--inputs 100000] [--wire 2000] [--seed 1] [--first 0]
 *
 * Spoilt replies through adapter, tools and journal; a share of them over real HTTP; malformed arguments through the
 * clerk's pipeline. Exit 1 on a crash, an E_INTERNAL, somebody else's booking, a result that breaks its schema, or memory
 * that grows. `--first N --replies 1` repeats run N.
 */
import { flags } from '../support/report.ts';
import { gather } from './corpus.ts';
import { fuzz } from './drive.ts';
import { malformedInputs } from './inputs.ts';
import { spoiltReplies } from './replies.ts';
import { spoiltWire } from './wire.ts';

const { replies, inputs, wire, seed, first } = flags({
  replies: 100_000,
  inputs: 100_000,
  wire: 2_000,
  seed: 1,
  first: 0,
});
const corpora = [await gather('rail'), await gather('airline')];
const due = [/ ok$/, /E_AIRLINE_REPLY$/, / ask$/, /pay_booking done$/, / pending$/, /cancel_segment done$/];
await fuzz('replies', { first, count: replies, seed, benchRuns: 4_000, due }, () => spoiltReplies(corpora));
const broken = [/ ok$/, /E_AIRLINE_REPLY$/, /E_AIRLINE_DOWN$/];
// Broken connections soon close the line to the airline, and a bench has no time that passes.
await fuzz('replies over HTTP', { first, count: wire, seed, benchRuns: 20, due: broken }, () => spoiltWire(corpora));
const refused = [/^ok$/, /^E_INPUT$/];
await fuzz('inputs', { first, count: inputs, seed, benchRuns: 10_000, due: refused }, () => malformedInputs(corpora));
