/**
 * Ten times the load that a slow airline can carry: what is still got done, how quickly the rest is turned away, and
 * what memory it takes. `node test/campaigns/load/overload.ts [--seconds 20]`
 */
import { setTimeout as wait } from 'node:timers/promises';
import { orderFault } from '../../../src/sandbox/start.ts';
import type { Called, McpCaller } from '../../support/mcp-http.ts';
import { READ } from '../support/acts.ts';
import { newFolder } from '../support/folders.ts';
import { conclude, exactly, flags, least, most, none, quantile, told } from '../support/report.ts';
import { openStage, sandboxProcess } from '../support/stage.ts';
import { hold, pairOf, SURNAME } from '../support/trip.ts';

const { seconds } = flags({ seconds: 20 });
/** Of the airline, for each read, milliseconds. */
const SLOW_MS = 3_000;
const CALLERS = 24;
const TIMES = 10;

const books = `${newFolder('airline')}/airline.sqlite`;
const sandbox = await sandboxProcess(books);
const stage = await openStage(sandbox.settings);
const callers = await Promise.all(Array.from({ length: CALLERS }, (_, n) => stage.caller(`caller-${n}`)));
const [first] = callers as [McpCaller];
const locator = await hold(first, await pairOf(first));
if (locator === undefined) throw new Error('no booking was made');
// Every caller claims the booking once, while the airline is quick.
for (const caller of callers) await caller.call('read_booking', { locator, surname: SURNAME });
orderFault(books, { message: READ, kind: 'commit-then-late', ms: SLOW_MS, times: 1_000_000 });

const read = (n: number) => (callers[n % CALLERS] as McpCaller).call('read_booking', { locator });

/** As many as are served, each caller asking again when answered: the most that gets done in a second. */
async function peak(forSeconds: number, atOnce: number): Promise<number> {
  let done = 0;
  const began = performance.now();
  const work = async (n: number) => {
    while (performance.now() < began + forSeconds * 1000) if ((await read(n)).outcome === 'ok') done += 1;
  };
  await Promise.all(Array.from({ length: atOnce }, (_, n) => work(n)));
  return done / ((performance.now() - began) / 1000);
}

const idleMb = stage.residentMb();
await peak(4, 32);
const best = await peak(Math.max(9, seconds / 2), 32);
// So many a second, whatever becomes of them.
const calls: Called[] = [];
const all: Promise<unknown>[] = [];
let mostMb = 0;
const began = performance.now();
while (performance.now() - began < seconds * 1000) {
  const due = Math.floor(((performance.now() - began) / 1000) * best * TIMES);
  while (all.length < due) all.push(read(all.length).then((call) => calls.push(call)));
  mostMb = Math.max(mostMb, stage.residentMb());
  await wait(10);
}
await Promise.all(all);
const took = (performance.now() - began) / 1000;
const good = calls.filter(({ outcome }) => outcome === 'ok');
const turnedAway = calls.filter(({ outcome }) => outcome === 'E_AIRLINE_BUSY' || outcome === 'http 429');
const p = (of: readonly Called[], q: number) =>
  quantile(
    of.map(({ ms }) => ms),
    q,
  );

conclude(`${TIMES} times the load of a slow airline (${SLOW_MS} ms a read), for ${seconds} s`, [
  told('most that gets done', best, '/s'),
  told('asked for', calls.length / seconds, '/s'),
  told('got done under that load', good.length / took, '/s'),
  least('of the most that gets done', (100 * good.length) / took / best, 40, '%'),
  told('turned away', turnedAway.length),
  none('neither done nor turned away', calls.length - good.length - turnedAway.length),
  told('turned away: median', p(turnedAway, 0.5), 'ms'),
  told('turned away: p99', p(turnedAway, 0.99), 'ms'),
  told('done: p99, without the airline’s own time', p(good, 0.99) - SLOW_MS, 'ms'),
  told('memory when idle', idleMb, 'MB'),
  most('most memory', mostMb, 512, 'MB'),
  exactly('a call afterwards is served', Number((await read(0)).outcome === 'ok'), 1),
]);
await stage.close();
await sandbox.close();
