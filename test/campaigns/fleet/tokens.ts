/**
 * An expired token, and a thousand calls at once in each of several processes: the identity provider is asked once.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { reply } from '../../ota/support/wire-server.ts';
import { startChild } from '../support/child.ts';
import type { Fleet } from './support/fleet.ts';
import type { TokenOrder, TokenReport } from './support/token-process.ts';

const PROCESS = fileURLToPath(new URL('./support/token-process.ts', import.meta.url));
const SHORT_SECONDS = 2;

export interface Storm {
  /** Token requests that the provider saw: for the first token, and for the storm. */
  readonly first: number;
  readonly storm: number;
  /** Distinct tokens that the storm was given. */
  readonly tokens: number;
  readonly slowest: number;
}

export async function tokenStorm({ relay, env }: Fleet, processes: number, calls: number): Promise<Storm> {
  const children = await Promise.all(
    Array.from({ length: processes }, () => startChild<TokenOrder, TokenReport>(PROCESS, env)),
  );
  const asked = () => relay.arrived.filter((name) => name === 'token').length;
  const tell = (order: TokenOrder) => Promise.all(children.map((child) => child.tell(order)));
  try {
    relay.clear();
    relay.interfere(async ({ name, socket, forward }) => {
      if (name !== 'token') return false;
      const { status, body } = await forward();
      socket.write(reply(status, { ...JSON.parse(body), expires_in: SHORT_SECONDS }));
      return true;
    });
    await tell({ calls: 1 });
    const first = asked();
    relay.interfere(undefined);
    await wait(SHORT_SECONDS * 1_000);
    const reports = await tell({ calls });
    return {
      first,
      storm: asked() - first,
      tokens: new Set(reports.flatMap((report) => report.tokens)).size,
      slowest: Math.max(...reports.map((report) => report.slowest)),
    };
  } finally {
    relay.interfere(undefined);
    await Promise.all(children.map((child) => child.close()));
  }
}
