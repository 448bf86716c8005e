/**
 * deploy/Caddyfile tried with the real Caddy: what it refuses and lets through, then two instances on one PostgreSQL that
 * are replaced and killed at work. `node test/campaigns/deploy/caddy.ts [--rounds 2] [--slow 61]`
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startIssuer } from '../../auth/callers/issuer.ts';
import { freePort } from '../../server/http/support/openid.ts';
import { type McpCaller, mcpCaller } from '../../support/mcp-http.ts';
import { startCluster } from '../fleet/support/cluster.ts';
import { type Call, isLost, paymentsIn, putToWork } from '../load/support/fleet-at-work.ts';
import { ended, sandboxProcess, startInstance, tokenFor } from '../load/support/stage.ts';
import { pairOf } from '../load/support/trip.ts';
import { newFolder } from '../support/folders.ts';
import { conclude } from '../support/report.ts';
import { freePorts, startCaddy } from './support/caddy.ts';
import { doorFigures } from './support/door.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1' }, slow: { type: 'string', default: '12' } },
});
const ROUNDS = Math.min(20, Number(values.rounds));
const KILLS = 3;
const CALLERS = 8;

const door = await doorFigures(Number(values.slow) * 1000);

const cluster = await startCluster();
const books = `${newFolder('airline')}/airline.sqlite`;
const sandbox = await sandboxProcess(books);
const issuer = await startIssuer();
const address = await freePorts();
const ports = [await freePort(), await freePort()];
const settings = {
  ...sandbox.settings,
  FARECLERK_PUBLIC_URL: `https://localhost:${address.port}`,
  FARECLERK_ISSUER: issuer.issuer,
  FARECLERK_DATABASE_URL: await cluster.database('fleet'),
};
// The one that takes an instance's place takes its folder too: second records outlive it.
const folders = new Map(ports.map((port) => [port, newFolder('instance')]));
const start = (port: number) => startInstance(folders.get(port) ?? newFolder('instance'), port, settings);
const instances: ChildProcess[] = await Promise.all(ports.map(start));
const proxy = await startCaddy(ports, address);
const callers = await Promise.all(
  Array.from({ length: CALLERS }, async (_, n) =>
    mcpCaller(`${proxy.url}/mcp`, await tokenFor(issuer, proxy.url, `caller-${n}`), proxy.ca),
  ),
);
const pair = await pairOf(callers[0] as McpCaller);

const rolling = putToWork(callers, pair);
await wait(2_000);
const codes: (number | null)[] = [];
for (let round = 0; round < ROUNDS; round++) {
  for (const [n, port] of ports.entries()) {
    const old = instances[n] as ChildProcess;
    await ended(old);
    codes.push(old.exitCode);
    instances[n] = await start(port);
    await wait(3_000);
  }
}
await rolling.end();

const beside = putToWork(callers, pair);
const ends: { readonly from: number; readonly to: number }[] = [];
for (let kill = 0; kill < KILLS; kill++) {
  await wait(3_000);
  const victim = instances[kill % 2] as ChildProcess;
  const from = performance.now();
  victim.kill('SIGKILL');
  await once(victim, 'exit');
  ends.push({ from, to: performance.now() });
  await wait(3_000);
  instances[kill % 2] = await start(ports[kill % 2] as number);
}
await wait(2_000);
await beside.end();
const isInFlight = ({ began, ms }: Call) => ends.some(({ from, to }) => began <= to && began + ms > from);
const [inFlight, untouched] = [beside.calls.filter(isInFlight), beside.calls.filter((call) => !isInFlight(call))];
const cut = inFlight.filter(isLost);
const isHonest = ({ outcome }: Call) => ['http 502', 'pending'].includes(outcome);

const payments = paymentsIn(books);
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
for (const caller of callers) caller.close();
await Promise.all(instances.map(ended));
await proxy.close();
await issuer.close();
await sandbox.close();
await cluster.close();
