/**
 * Two instances of the published program on one PostgreSQL, callers at the address of the proxy before them, and the airline's
 * books as the judge.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { startIssuer } from '../../auth/callers/issuer.ts';
import { freePort } from '../../server/http/support/openid.ts';
import { type McpCaller, mcpCaller } from '../../support/mcp-http.ts';
import { paymentsIn } from './fleet-at-work.ts';
import { newFolder } from './folders.ts';
import { startCluster } from './postgres.ts';
import { ended, sandboxProcess, startInstance, tokenFor } from './stage.ts';
import { type Pair, pairOf } from './trip.ts';

export interface ServedFleet {
  readonly callers: readonly McpCaller[];
  /** Stations that callers book between. */
  readonly pair: Pair;
  readonly ports: readonly number[];
  instance(n: number): ChildProcess;
  /** Starts an instance on its port. */
  start(n: number): Promise<void>;
  /** Stops each instance in turn and starts it again, as an upgrade does. Returns their exit codes. */
  replace(rounds: number, pauseMs: number): Promise<readonly (number | null)[]>;
  /** Locators of the payments in the airline's books. */
  payments(): readonly (string | undefined)[];
  close(): Promise<void>;
}

/** @param connect the proxy to instances on these ports; returns its certificate authority, PEM, where it has its own */
export async function openServedFleet(
  publicUrl: string,
  callerCount: number,
  connect: (ports: readonly number[]) => Promise<string | undefined>,
): Promise<ServedFleet> {
  const cluster = await startCluster();
  const books = `${newFolder('airline')}/airline.sqlite`;
  const sandbox = await sandboxProcess(books);
  const issuer = await startIssuer();
  const settings = {
    ...sandbox.settings,
    FARECLERK_PUBLIC_URL: publicUrl,
    FARECLERK_ISSUER: issuer.issuer,
    FARECLERK_DATABASE_URL: await cluster.database('fleet'),
  };
  const ports = [await freePort(), await freePort()];
  // The one that takes an instance's place takes its folder too: second records outlive it.
  const started = ports.map((port) => {
    const folder = newFolder('instance');
    return () => startInstance(folder, port, settings);
  });
  const instances = await Promise.all(started.map((start) => start()));
  const instance = (n: number) => instances[n] as ChildProcess;
  const start = async (n: number) => {
    const fresh = await started[n]?.();
    if (fresh !== undefined) instances[n] = fresh;
  };
  const ca = await connect(ports);
  const callers = await Promise.all(
    Array.from({ length: callerCount }, async (_, n) =>
      mcpCaller(`${publicUrl}/mcp`, await tokenFor(issuer, publicUrl, `caller-${n}`), ca),
    ),
  );
  return {
    callers,
    pair: await pairOf(callers[0] as McpCaller),
    ports,
    instance,
    start,
    async replace(rounds, pauseMs) {
      const codes: (number | null)[] = [];
      for (let turn = 0; turn < rounds * ports.length; turn++) {
        const n = turn % ports.length;
        await ended(instance(n));
        codes.push(instance(n).exitCode);
        await start(n);
        await wait(pauseMs);
      }
      return codes;
    },
    payments: () => paymentsIn(books),
    async close() {
      for (const caller of callers) caller.close();
      await Promise.all(instances.map(ended));
      await issuer.close();
      await sandbox.close();
      await cluster.close();
    },
  };
}
