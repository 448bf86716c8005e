/**
 * A fleet that is replaced while it works: two instances on one PostgreSQL behind a balancer, each stopped and started
 * again in turn, as an upgrade does. `node test/campaigns/load/rolling.ts [--rounds 2]`
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startIssuer } from '../../auth/callers/issuer.ts';
import { freePort } from '../../server/http/support/openid.ts';
import { type McpCaller, mcpCaller } from '../../support/mcp-http.ts';
import { startCluster } from '../fleet/support/cluster.ts';
import { newFolder } from '../support/folders.ts';
import { conclude, quantile } from '../support/report.ts';
import { startBalancer } from './support/balancer.ts';
import { isLost, paymentsIn, putToWork } from './support/fleet-at-work.ts';
import { ended, sandboxProcess, startInstance, tokenFor } from './support/stage.ts';
import { pairOf } from './support/trip.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2' }, strict: { type: 'boolean' } } });
const ROUNDS = Math.min(20, Number(values.rounds));
const CALLERS = 8;

const cluster = await startCluster();
const books = `${newFolder('airline')}/airline.sqlite`;
const sandbox = await sandboxProcess(books);
const issuer = await startIssuer();
const balancer = await startBalancer();
const settings = {
  ...sandbox.settings,
  FARECLERK_PUBLIC_URL: balancer.url,
  FARECLERK_ISSUER: issuer.issuer,
  FARECLERK_DATABASE_URL: await cluster.database('fleet'),
};
const ports = [await freePort(), await freePort()];
// The one that takes an instance's place takes its folder too: second records outlive it.
const folders = new Map(ports.map((port) => [port, newFolder('instance')]));
const start = (port: number) => startInstance(folders.get(port) ?? newFolder('instance'), port, settings);
const instances = await Promise.all(ports.map(start));
balancer.use(ports);

const callers = await Promise.all(
  Array.from({ length: CALLERS }, async (_, n) =>
    mcpCaller(`${balancer.url}/mcp`, await tokenFor(issuer, balancer.url, `caller-${n}`)),
  ),
);
const pair = await pairOf(callers[0] as McpCaller);

const work = putToWork(callers, pair);
await wait(2_000);
const codes: (number | null)[] = [];
for (let round = 0; round < ROUNDS; round++) {
  for (const [n, port] of ports.entries()) {
    const old = instances[n];
    if (old === undefined) continue;
    await ended(old);
    codes.push(old.exitCode);
    instances[n] = await start(port);
    await wait(2_000);
  }
}
await work.end();

const { calls, paid } = work;
const payments = paymentsIn(books);
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
for (const caller of callers) caller.close();
await Promise.all(instances.map(ended));
await balancer.close();
await issuer.close();
await sandbox.close();
await cluster.close();
