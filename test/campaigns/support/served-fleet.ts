/**
 * Two instances of the published program on one PostgreSQL, callers at the address of the proxy before them, and the airline's
 * books as the judge.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { startIssuer } from '../../auth/callers/issuer.ts';
import { mcpCaller } from '../../support/mcp-http.ts';
import { newFolder } from './folders.ts';
import { startCluster } from './postgres.ts';
import { ended, paymentsIn, sandboxProcess, startMember, tokenFor } from './stage.ts';
import { pairOf } from './trip.ts';

/** @param connect the proxy to instances on these ports; returns its certificate authority, PEM, where it has its own */
export async function openServedFleet(
  publicUrl: string,
  callerCount: number,
  connect: (ports: readonly number[]) => Promise<string | undefined>,
) {
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
  const members = await Promise.all([startMember(settings), startMember(settings)] as const);
  const ports = members.map(({ port }) => port);
  const ca = await connect(ports);
  const names = Array.from({ length: callerCount }, (_, n) => `caller-${n}`);
  const tokens = await Promise.all(names.map((name) => tokenFor(issuer, publicUrl, name)));
  const callers = tokens.map((token) => mcpCaller(`${publicUrl}/mcp`, token, ca));
  return {
    callers,
    /** Stations that callers book between. */
    pair: await pairOf(callers[0] ?? mcpCaller(publicUrl)),
    ports,
    members,
    /** Stops each instance in turn and starts it again, as an upgrade does. Returns their exit codes. */
    async replace(rounds: number, pauseMs: number) {
      const codes: (number | null)[] = [];
      for (let round = 0; round < rounds; round++) {
        for (const member of members) {
          codes.push(await member.restart());
          await wait(pauseMs);
        }
      }
      return codes;
    },
    payments: () => paymentsIn(books),
    async close() {
      for (const caller of callers) caller.close();
      await Promise.all(members.map((member) => ended(member.process)));
      await issuer.close();
      await sandbox.close();
      await cluster.close();
    },
  };
}
