/**
 * deploy/Caddyfile tried with the real Caddy: what it refuses and lets through, then two instances on one PostgreSQL that
 * are replaced and killed at work. `node test/campaigns/deploy/caddy.ts [--rounds 1] [--slow 12]`
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Call, isLost, putToWork } from '../support/clerks-at-work.ts';
import { conclude, flags, least, none, print, told } from '../support/report.ts';
import { openServedFleet } from '../support/served-fleet.ts';
import { freePorts, startCaddy } from './support/caddy.ts';
import { doorFigures } from './support/door.ts';

const { rounds, slow } = flags({ rounds: 1, slow: 12 });
const KILLS = 3;

const door = await doorFigures(slow * 1000);

const address = await freePorts();
let proxy: Awaited<ReturnType<typeof startCaddy>> | undefined;
const fleet = await openServedFleet(`https://localhost:${address.port}`, 8, async (ports) => {
  proxy = await startCaddy(ports, address);
  return proxy.ca;
});

const rolling = putToWork(fleet.callers, fleet.pair);
await wait(2_000);
const codes = await fleet.replace(rounds, 3_000);
await rolling.end();

const beside = putToWork(fleet.callers, fleet.pair);
const ends: { readonly from: number; readonly to: number }[] = [];
for (let kill = 0; kill < KILLS; kill++) {
  await wait(3_000);
  const victim = fleet.members[kill % 2];
  const from = performance.now();
  await victim?.kill();
  ends.push({ from, to: performance.now() });
  await wait(3_000);
  await victim?.restart();
}
await wait(2_000);
await beside.end();
const isInFlight = ({ began, ms }: Call) => ends.some(({ from, to }) => began <= to && began + ms > from);
const [inFlight, untouched] = [beside.calls.filter(isInFlight), beside.calls.filter((call) => !isInFlight(call))];
const dishonest = inFlight.filter((call) => isLost(call) && !['http 502', 'pending'].includes(call.outcome));
const cut = new Set(inFlight.filter(isLost).flatMap(({ locator }) => locator ?? []));
/** A killed instance was sending this payment: nobody can say what became of it until the instance's lease ends. */
const isUnsettled = ({ locator, outcome }: Call) => outcome === 'pending' && locator !== undefined && cut.has(locator);
const lost = untouched.filter((call) => isLost(call) && !isUnsettled(call));
for (const { outcome, ms } of lost) print(`lost after ${ms.toFixed()} ms: ${outcome}`);

const payments = await fleet.payments();
const paid = [...rolling.sales, ...beside.sales].filter((sale) => sale.told);
conclude(`deploy/Caddyfile with Caddy, ${codes.length} restarts and ${KILLS} SIGKILLs`, [
  ...door,
  least('POSTs during the rolling restart', rolling.calls.length, 50),
  none('of them lost', rolling.calls.filter(isLost).length),
  none('instances that did not stop in order', codes.filter((code) => code !== 0).length),
  least(`POSTs in flight at ${KILLS} SIGKILLs`, inFlight.length, 1),
  none('of them without an honest error', dishonest.length),
  least('POSTs before and after the SIGKILLs', untouched.length, 50),
  none('of them lost', lost.length),
  told('of them pending, of payments that were cut', untouched.filter(isUnsettled).length),
  told('slowest of them', Math.max(...untouched.map(({ ms }) => ms)), 'ms'),
  least('payments reported as done', paid.length, 5),
  none('of them not in the books of the airline', paid.filter(({ locator }) => !payments.includes(locator)).length),
  none('booked twice', payments.length - new Set(payments).size),
]);
await fleet.close();
await proxy?.close();
