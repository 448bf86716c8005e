/**
 * deploy/Caddyfile tried with the real Caddy: what it refuses and lets through, then two instances on one PostgreSQL that
 * are replaced and killed at work. `node test/campaigns/deploy/caddy.ts [--rounds 2] [--slow 61]`
 */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Call, isLost, putToWork } from '../support/fleet-at-work.ts';
import { conclude } from '../support/report.ts';
import { openServedFleet } from '../support/served-fleet.ts';
import { type Front, freePorts, startCaddy } from './support/caddy.ts';
import { doorFigures } from './support/door.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1' }, slow: { type: 'string', default: '12' } },
});
const ROUNDS = Math.min(20, Number(values.rounds));
const KILLS = 3;
const CALLERS = 8;

const door = await doorFigures(Number(values.slow) * 1000);

const address = await freePorts();
let proxy: Front | undefined;
const fleet = await openServedFleet(`https://localhost:${address.port}`, CALLERS, async (ports) => {
  proxy = await startCaddy(ports, address);
  return proxy.ca;
});
const { callers, pair, ports } = fleet;

const rolling = putToWork(callers, pair);
await wait(2_000);
const codes = await fleet.replace(ROUNDS, 3_000);
await rolling.end();

const beside = putToWork(callers, pair);
const ends: { readonly from: number; readonly to: number }[] = [];
for (let kill = 0; kill < KILLS; kill++) {
  await wait(3_000);
  const victim = fleet.instance(kill % 2);
  const from = performance.now();
  victim.kill('SIGKILL');
  await once(victim, 'exit');
  ends.push({ from, to: performance.now() });
  await wait(3_000);
  await fleet.start(kill % 2);
}
await wait(2_000);
await beside.end();
const isInFlight = ({ began, ms }: Call) => ends.some(({ from, to }) => began <= to && began + ms > from);
const [inFlight, untouched] = [beside.calls.filter(isInFlight), beside.calls.filter((call) => !isInFlight(call))];
const cut = inFlight.filter(isLost);
const isHonest = ({ outcome }: Call) => ['http 502', 'pending'].includes(outcome);

const payments = fleet.payments();
const paid = [...rolling.paid, ...beside.paid];
conclude(
  `deploy/Caddyfile with Caddy, ${ROUNDS * ports.length} restarts and ${KILLS} SIGKILLs`,
  [
    ...door,
    { what: 'POSTs during the rolling restart', value: rolling.calls.length, atLeast: 50 },
    { what: 'of them lost', value: rolling.calls.filter(isLost).length, atMost: 0 },
    { what: 'instances that did not stop in order', value: codes.filter((code) => code !== 0).length, atMost: 0 },
    { what: `POSTs in flight at ${KILLS} SIGKILLs`, value: inFlight.length, atLeast: 1 },
    { what: 'of them cut', value: cut.length },
    { what: 'of them without an honest error', value: cut.filter((call) => !isHonest(call)).length, atMost: 0 },
    { what: 'POSTs before and after the SIGKILLs', value: untouched.length, atLeast: 50 },
    { what: 'of them lost', value: untouched.filter(isLost).length, atMost: 0 },
    {
      what: 'slowest of them',
      value: Math.max(...untouched.map(({ ms }) => ms)),
      unit: 'ms',
      atMost: 2_000,
      timed: true,
    },
    { what: 'payments reported as done', value: paid.length, atLeast: 5 },
    {
      what: 'of them not in the books of the airline',
      value: paid.filter((one) => !payments.includes(one)).length,
      atMost: 0,
    },
    { what: 'booked twice', value: payments.length - new Set(payments).size, atMost: 0 },
  ],
  false,
);
await fleet.close();
await proxy?.close();
