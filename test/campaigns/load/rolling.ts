/**
 * A fleet that is replaced while it works: two instances on one PostgreSQL behind a balancer, each stopped and started
 * again in turn, as an upgrade does. `node test/campaigns/load/rolling.ts [--rounds 2]`
 */
import { setTimeout as wait } from 'node:timers/promises';
import { isLost, putToWork } from '../support/clerks-at-work.ts';
import { conclude, exactly, flags, least, none, quantile, told } from '../support/report.ts';
import { openServedFleet } from '../support/served-fleet.ts';
import { startBalancer } from './support/balancer.ts';

const { rounds } = flags({ rounds: 2 });
const balancer = await startBalancer();
const fleet = await openServedFleet(balancer.url, 8, async (ports) => balancer.use(ports) as undefined);
const work = putToWork(fleet.callers, fleet.pair);
await wait(2_000);
const codes = await fleet.replace(rounds, 2_000);
await work.end();

const { calls, sales } = work;
const paid = sales.filter((sale) => sale.told).length;
const payments = await fleet.payments();
conclude(`${codes.length} restarts of a fleet of two while it works`, [
  least('calls answered', calls.length, 50),
  none('of them lost, refused or not known', calls.filter(isLost).length),
  least('calls that each instance got, least', Math.min(...fleet.ports.map((p) => balancer.passed.get(p) ?? 0)), 20),
  none('instances that did not stop in order', codes.filter((code) => code !== 0).length),
  least('payments told as done', paid, 5),
  exactly('in the books of the airline', new Set(payments).size, paid),
  none('booked twice', payments.length - new Set(payments).size),
  told(
    'p99 of a call',
    quantile(
      calls.map(({ ms }) => ms),
      0.99,
    ),
    'ms',
  ),
]);
await fleet.close();
await balancer.close();
