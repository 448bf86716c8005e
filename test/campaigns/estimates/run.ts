/**
 * Random airlines and bookings until so many quotes were compared with the terms and with the independent sandbox's own arithmetic, to
 * the minor unit, now and in every later window, and every fourth booking rebooked. Then, in both dialects alike, bookings of which a
 * search says what a change costs, which the terms and the airline must say too, and connections of which all flights are changed. Exit 1 on a difference.
 *
 * usage: node test/campaigns/estimates/run.ts [--cases 10000] [--changes 500] [--flights 300] [--seed S]
 */
import * as fc from 'fast-check';
import { world } from '../../ota/against-sandbox/worlds.ts';
import { flags, tell, treeSeed } from '../support/report.ts';
import { changeConnections, emptyConnectionTally } from './connections.ts';
import { emptyQuoteTally, quoteWorld, rebookWorld } from './quoted.ts';

const BOOKINGS = 10;
/** Of so many airlines, one at least sells the flight and class that a booking has already. Always played. */
const AIRLINES_WITH_OWN = 20;

const MOST_UNBOUNDED = 0.2;
/** Bookings of an airline are alike, so that a few airlines may have more by chance: three standard deviations. */
const mostUnbounded = (changes: number) =>
  MOST_UNBOUNDED + 3 * Math.sqrt((MOST_UNBOUNDED * (1 - MOST_UNBOUNDED) * BOOKINGS) / changes);
const MOST_MEDIAN = 1.15;
/** Of so many quotes, some are of each kind. */
const FEW = 200;

const { cases, changes, flights, seed: first } = flags({ cases: 10_000, changes: 500, flights: 300, seed: treeSeed });
const tally = emptyQuoteTally();
let seed = first;
await tell('quotes', async () => {
  for (; tally.quotes < cases && tally.differences.length === 0; seed += 1) {
    const [one] = fc.sample(world(BOOKINGS), { numRuns: 1, seed });
    if (one !== undefined) await quoteWorld(tally, one);
  }
  const { differences, ...counts } = tally;
  const seen = `airlines ${seed - first}, ${Object.entries(counts).map(([what, count]) => `${what} ${count}`)}`;
  const { quotes, exact, refused, windows, split, cancelled } = tally;
  const unseen = Object.entries({ exact, refused, windows, split, cancelled }).filter(([, count]) => count === 0);
  return {
    seen,
    problems: [
      ...differences.map((one) => `--seed ${seed - 1} --cases 1: ${one}`),
      ...(quotes < FEW ? [] : unseen.map(([what]) => `no quote of ${quotes} was ${what}`)),
    ],
  };
});

await tell('an offer that the booking has already', async () => {
  const own = emptyQuoteTally();
  let airlines = 0;
  for (; airlines < AIRLINES_WITH_OWN && own.already === 0 && own.differences.length === 0; airlines += 1) {
    const [one] = fc.sample(world(BOOKINGS), { numRuns: 1, seed: first + airlines });
    if (one !== undefined) await rebookWorld(own, one, true);
  }

  const { already, told, differences } = own;
  const problems = differences.map((one) => `--seed ${first + airlines - 1} --cases 0 --changes 0 --flights 0: ${one}`);
  return {
    seen: `${already} of ${told}, airlines ${airlines}`,
    problems: already > 0 ? problems : [...problems, 'no booking was refused the flight and class that it has'],
  };
});

const told = { rail: emptyQuoteTally(), airline: emptyQuoteTally() };
let next = first;
await tell('changes', async () => {
  const problems = () => Object.values(told).flatMap(({ differences }) => differences);
  const isLeft = () => Object.values(told).some((tally) => tally.told < changes / 2);
  for (; isLeft() && problems().length === 0; next += 1) {
    const [one] = fc.sample(world(BOOKINGS), { numRuns: 1, seed: next });
    const dialect = next % 2 === 0 ? 'rail' : 'airline';
    if (one !== undefined) await rebookWorld(told[dialect], { ...one, dialect });
  }
  const seen = Object.entries(told).map(
    ([dialect, { rebooked, rebookRefused, unbounded, charged, told, anew, cheaper, already }]) => {
      const counts = { told, rebooked, rebookRefused, unbounded, charged, anew, cheaper, already };
      return `${dialect}: ${Object.entries(counts).map(([what, count]) => `${what} ${count}`)}`;
    },
  );
  // A bound must stay of use, over both dialects.
  const all = Object.values(told);
  const sum = (field: 'rebooked' | 'unbounded') => all.reduce((sum, tally) => sum + tally[field], 0);
  const unbounded = sum('unbounded') / Math.max(1, sum('rebooked'));
  const most = mostUnbounded(changes);
  const bounds = all.flatMap((tally) => tally.bounds).sort((a, b) => a - b);
  const median = bounds[Math.floor(bounds.length / 2)] ?? 1;
  seen.push(
    `without a bound ${(100 * unbounded).toFixed(1)} % (at most ${(100 * most).toFixed(1)} %), median bound ${median.toFixed(3)} × the charge of ${bounds.length} (at most ${MOST_MEDIAN} ×)`,
  );
  return {
    seen: seen.join('; '),
    problems: [
      ...problems().map((one) => `--seed ${next - 1} --cases 0 --changes 2: ${one}`),
      ...(unbounded > most ? [`${(100 * unbounded).toFixed(1)} % have no bound`] : []),
      ...(median > MOST_MEDIAN ? [`the median bound is ${median.toFixed(3)} × the charge`] : []),
    ],
  };
});

const connections = emptyConnectionTally();
let airline = first;
await tell('connections', async () => {
  for (; connections.asked < flights && connections.differences.length === 0; airline += 1) {
    const [one] = fc.sample(world(BOOKINGS), { numRuns: 1, seed: airline });
    if (one !== undefined) await changeConnections(connections, { ...one, dialect: 'airline' });
  }
  const { differences, ...counts } = connections;
  return {
    seen: Object.entries(counts)
      .map(([what, count]) => `${what} ${count}`)
      .join(', '),
    problems: differences.map((one) => `--seed ${airline - 1} --cases 0 --changes 0 --flights 1: ${one}`),
  };
});
