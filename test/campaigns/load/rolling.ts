/**
 * A fleet that is replaced while it works: two instances on one PostgreSQL behind a balancer, each stopped and started
 * again in turn, as an upgrade does. `node test/campaigns/load/rolling.ts [--rounds 2]`
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isLost, putToWork } from '../support/fleet-at-work.ts';
import { conclude, quantile } from '../support/report.ts';
import { openServedFleet } from '../support/served-fleet.ts';
import { startBalancer } from './support/balancer.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2' }, strict: { type: 'boolean' } } });
const ROUNDS = Math.min(20, Number(values.rounds));
const CALLERS = 8;

const balancer = await startBalancer();
const fleet = await openServedFleet(balancer.url, CALLERS, async (ports) => balancer.use(ports) as undefined);
const { callers, pair, ports } = fleet;
const work = putToWork(callers, pair);
await wait(2_000);
const codes = await fleet.replace(ROUNDS, 2_000);
await work.end();

const { calls, paid } = work;
const payments = fleet.payments();
conclude(
  `${ROUNDS * ports.length} restarts of a fleet of two while it works`,
  [
    { what: 'calls answered', value: calls.length, atLeast: 50 },
    { what: 'of them lost, refused or not known', value: calls.filter(isLost).length, atMost: 0 },
    {
      what: 'calls that each instance got, least',
      value: Math.min(...ports.map((p) => balancer.passed.get(p) ?? 0)),
      atLeast: 20,
    },
    { what: 'instances that did not stop in order', value: codes.filter((code) => code !== 0).length, atMost: 0 },
    { what: 'payments told as done', value: paid.length, atLeast: 5 },
    { what: 'in the books of the airline', value: new Set(payments).size, atLeast: paid.length, atMost: paid.length },
    { what: 'booked twice', value: payments.length - new Set(payments).size, atMost: 0 },
    {
      what: 'p99 of a call',
      value: quantile(
        calls.map(({ ms }) => ms),
        0.99,
      ),
      unit: 'ms',
    },
  ],
  values.strict === true,
);
await fleet.close();
await balancer.close();
