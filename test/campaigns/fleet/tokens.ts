/** An expired token, and a thousand calls at once in each of several processes: the identity provider is asked once. */
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { reply } from '../../ota/support/wire-server.ts';
import { startChild } from '../support/child.ts';
import type { Proved } from '../support/report.ts';
import type { Fleet } from './support/fleet.ts';

const PROCESS = fileURLToPath(new URL('./support/token-process.ts', import.meta.url));
const PROCESSES = 4;
const CALLS = 1_000;
const SHORT_SECONDS = 2;

export async function tokenStorm({ relay, env }: Fleet): Promise<Proved> {
  const starting = Array.from({ length: PROCESSES }, () => startChild<number, readonly string[]>(PROCESS, env));
  const children = await Promise.all(starting);
  const all = (calls: number) => Promise.all(children.map((child) => child.tell(calls)));
  relay.clear();
  relay.interfere(async ({ name, socket, forward }) => {
    if (name !== 'token') return false;
    const { status, body } = await forward();
    socket.write(reply(status, { ...JSON.parse(body), expires_in: SHORT_SECONDS }));
    return true;
  });
  await all(1);
  const first = relay.times('token');
  relay.interfere(undefined);
  await wait(SHORT_SECONDS * 1_000);
  const tokens = new Set((await all(CALLS)).flat()).size;
  const storm = relay.times('token') - first;
  await Promise.all(children.map((child) => child.close()));
  const seen = `${PROCESSES} × ${CALLS} calls: ${first} and ${storm} token requests, ${tokens} tokens`;
  return { seen, problems: first === 1 && storm === 1 && tokens === 1 ? [] : [seen] };
}
