/**
 * One process logs in, and the others use its token. Then the token expires, and a thousand calls at once in each of them ask the identity
 * provider once a process at most.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { reply } from '../../ota/support/wire-server.ts';
import { READ } from '../support/acts.ts';
import type { Proved } from '../support/report.ts';
import type { Fleet } from './support/fleet.ts';

const PROCESSES = 4;
const CALLS = 1_000;
const SHORT_SECONDS = 8;
const READING = { tool: 'read_booking', args: { locator: 'ZZZZZ9' } };

export async function tokenStorm({ relay, start }: Fleet): Promise<Proved> {
  const instances = await start(PROCESSES);
  const readings = (count: number) => Array.from({ length: count }, () => READING);
  const all = (calls: number) => Promise.all(instances.map((instance) => instance.calls(readings(calls))));
  let expires = SHORT_SECONDS;
  const tokens = new Set<string | undefined>();
  relay.clear();
  relay.interfere(async ({ name, request, socket, forward }) => {
    if (name === READ) tokens.add(request.headers.authorization);
    if (name !== 'token') return false;
    const { status, body } = await forward();
    socket.write(reply(status, { ...JSON.parse(body), ...(expires > 0 && { expires_in: expires }) }));
    return true;
  });
  await instances[0].calls(readings(1));
  await all(1);
  const first = relay.times('token');
  expires = 0;
  await wait(SHORT_SECONDS * 1_000);
  tokens.clear();
  await all(CALLS);
  const storm = relay.times('token') - first;
  relay.interfere(undefined);
  const seen = `${PROCESSES} × ${CALLS} calls: ${first} and ${storm} token requests, ${tokens.size} tokens, ${relay.times(READ)} readings`;
  return { seen, problems: first === 1 && storm >= 1 && storm <= PROCESSES && tokens.size <= storm ? [] : [seen] };
}
