/** A whole clerk in this process, and an airline made of replies that are handed to it. No socket, no wire. */

import { isConfirmed } from '../../../src/approvals/confirmed.ts';
import { remembersRoutes } from '../../../src/clerk/airline-cache.ts';
import { behind } from '../../../src/core/layers.ts';
import { createOtaAirline } from '../../../src/ota/airline.ts';
import type { HttpRequest } from '../../../src/ota/transport/http.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { handedOver } from '../fuzz/bench.ts';
import { PAY } from '../support/acts.ts';
import { type Answer, type Ask, clerkOn, runtimeOf, yesTo } from '../support/office.ts';
import { readings } from './rows.ts';

export type { Answer };
export type Dialect = 'rail' | 'airline';

/** Gives the reply to a request. Undefined: it is refused. */
export type Asking = (request: HttpRequest) => unknown;

export interface DeskOptions {
  readonly dialect: Dialect;
  /** Now, ms epoch. */
  readonly at: number;
  readonly currency: string;
  readonly carrier: string | undefined;
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;
export type Person = ReturnType<Desk['person']>;

/** With which a desk lets itself in. */
export const CREDENTIALS = { apiKey: 'key', agentId: 'agent', agencyId: 'agency' };

const BASE = 'https://air.example';
const REFUSED = { status: 422, text: JSON.stringify({ errors: { error: [{ code: '320' }] } }) };

/** The name of a message; of a plain request the end of its path. */
export function messageOf({ headers, url }: Pick<HttpRequest, 'headers' | 'url'>): string {
  return headers['local-name'] ?? new URL(url).pathname.split('/').at(-1) ?? '';
}

/** Turns of the event loop in which nothing goes on. */
const IDLE_TURNS = 25;

interface Sleeper {
  readonly until: number;
  wake(): void;
}

/** A clock that only goes on while everybody sleeps: nothing depends on how busy the machine is, and no wait takes time. */
function eventClock(begun: number) {
  let time = begun;
  const sleepers = new Set<Sleeper>();
  const wakeNext = () => {
    const [next] = [...sleepers].toSorted((a, b) => a.until - b.until);
    if (next === undefined) return;
    time = Math.max(time, next.until);
    next.wake();
  };
  return {
    now: () => time,
    set(to: number) {
      time = to;
    },
    sleep: (ms: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const sleeper: Sleeper = {
          until: time + Math.max(0, ms),
          wake() {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        sleepers.add(sleeper);
        if (signal?.aborted === true) sleeper.wake();
        else signal?.addEventListener('abort', sleeper.wake);
      }),
    /** Lets the time go on until the work ends. */
    async during<T>(work: Promise<T>): Promise<T> {
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      work.then(over, over);
      time += 1;
      for (let turns = 1; !isOver; turns += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        if (!isOver && turns % IDLE_TURNS === 0) wakeNext();
      }
      return work;
    },
  };
}

export async function openDesk({ dialect, at, currency, carrier }: DeskOptions) {
  let ask: Asking = () => undefined;
  const transport = handedOver(async (request) => {
    const reply = await ask(request);
    return reply === undefined ? REFUSED : { status: 200, text: JSON.stringify(reply) };
  });
  const { apiKey, agentId, agencyId } = CREDENTIALS;
  const airline = createOtaAirline({
    ...{ baseUrl: `${BASE}/v2015b/OTA`, gatewayUrl: BASE, restUrl: BASE, credentials: { mode: 'key', apiKey } },
    ...{ pointOfSale: { agentId, agencyId, currency }, isConfirmed, dialect, transport },
    ...(carrier !== undefined && { carrier }),
    ...{ sleep: async () => undefined, random: () => 0 },
  });
  const clock = eventClock(at);
  const { now } = clock;
  const opened = await openSqliteState(':memory:', { now });
  const state = { ...opened, clock };
  const runtime = runtimeOf({
    ...{ airline: behind([remembersRoutes(now)], airline), state },
    readings: (ofProgram) => ({
      compareReading: async (...read) =>
        readings.areCompared ? ofProgram.compareReading(...read) : { isQuiet: false, seen: [] },
      readSoon: async (...reply) => (readings.areCompared ? ofProgram.readSoon(...reply) : undefined),
    }),
  });
  const failures: unknown[] = [];
  const settings = {
    currency,
    dialect,
    assumedOperations: true,
    ...(carrier !== undefined && { carrier }),
  };
  const plans = { leases: state.leases, owner: 'campaign', running: new Map(), ending: new AbortController().signal };
  const clerk = clerkOn({ ...runtime, plans }, failures, { settings, answerMs: 2_000, waitMs: 5 });
  let tenants = 0;
  return {
    /** Mistakes inside the clerk. */
    failures: failures as readonly unknown[],
    /** A person of a tenant of their own, who knows nothing of earlier calls, and the airline that answers them from now on. */
    person(answers: Asking) {
      // Each begins at the same moment, so that nothing that is shown depends on how long others took.
      clock.set(at);
      let paid = false;
      ask = (request) => {
        paid ||= messageOf(request) === PAY;
        return answers(request);
      };
      const caller = { tenant: `t${++tenants}`, id: 'ann' };
      const how = { caller, canElicit: true, canOpenUrls: false };
      return {
        call: (tool: string, args: object, signal?: AbortSignal): Promise<Answer> =>
          clock.during(clerk.call(tool, args, { ...how, ...(signal && { signal }) })),
        yes: (tool: string, args: object, asked: Ask, signal?: AbortSignal): Promise<Answer> =>
          clock.during(
            clerk.call(tool, args, {
              ...how,
              ...(signal && { signal }),
              dialog: { handle: asked.handle, raw: yesTo(asked) },
            }),
          ),
        /** Whether a payment was sent. */
        hasPaid: () => paid,
      };
    },
    async close() {
      await clock.during(clerk.idle());
      await airline.close();
      await state.close();
    },
  };
}
