/** A whole clerk in this process, and an airline made of replies that are handed to it. No socket, no wire. */

import { isConfirmed } from '../../../src/approvals/confirmed.ts';
import { keyedDigest } from '../../../src/approvals/digest.ts';
import { systemClock } from '../../../src/journal/clock.ts';
import { createOtaAirline } from '../../../src/ota/airline.ts';
import { TransportFailure } from '../../../src/ota/errors/transport-failure.ts';
import type { HttpRequest, Transport } from '../../../src/ota/transport/http.ts';
import { rememberRoutes } from '../../../src/server/airline-cache.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { compareReading, readSoon } from '../../../src/watching/compare-reading.ts';
import { ACTS } from '../../support/rules.ts';
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

export async function openDesk({ dialect, at, currency, carrier }: DeskOptions) {
  let ask: Asking = () => undefined;
  const transport: Transport = {
    async send(request) {
      // As over a wire: the answer comes in a later turn, and the fence is asked first.
      await Promise.resolve();
      if (request.mayStart?.() === false) throw new TransportFailure('fenced', false);
      const reply = await ask(request);
      return reply === undefined ? REFUSED : { status: 200, text: JSON.stringify(reply) };
    },
    replaceConnections() {},
    async close() {},
  };
  const { apiKey, agentId, agencyId } = CREDENTIALS;
  const airline = createOtaAirline({
    ...{ baseUrl: `${BASE}/v2015b/OTA`, gatewayUrl: BASE, restUrl: BASE, credentials: { mode: 'key', apiKey } },
    ...{ pointOfSale: { agentId, agencyId, currency }, isConfirmed, dialect, transport },
    ...(carrier !== undefined && { carrier }),
    ...{ sleep: async () => undefined, random: () => 0 },
  });
  // Each person begins at the same moment, so that nothing that is shown depends on how long others took.
  let begun = performance.now();
  const now = () => at + Math.floor(performance.now() - begun);
  const opened = await openSqliteState(':memory:', { now });
  const state = { ...opened, clock: { now, sleep: systemClock.sleep } };
  const comparer = { acts: ACTS, state, rules: {}, digest: (text: string) => keyedDigest(state.digestKey, text) };
  const runtime = runtimeOf({
    ...{ airline: rememberRoutes(airline, now), state },
    async see(caller, booking, begunAt, hold) {
      if (!readings.areCompared) return false;
      if (begunAt !== undefined) return (await compareReading(comparer, caller, booking, begunAt)).isQuiet;
      await readSoon(comparer, caller, booking, now(), hold);
      return false;
    },
  });
  const failures: unknown[] = [];
  const settings = {
    currency,
    dialect,
    priceCheck: true,
    assumedOperations: true,
    ...(carrier !== undefined && { carrier }),
  };
  const plans = { leases: state.leases, owner: 'campaign', running: new Map(), ending: new AbortController().signal };
  const clerk = clerkOn({ ...runtime, plans }, failures, { settings, answerMs: 2_000, waitMs: 5 });
  let tenants = 0;
  // What the clerk waits for keeps no process alive.
  const awake = setInterval(() => undefined, 1_000);
  return {
    /** Mistakes inside the clerk. */
    failures: failures as readonly unknown[],
    /** A person of a tenant of their own, who knows nothing of earlier calls, and the airline that answers them from now on. */
    person(answers: Asking) {
      begun = performance.now();
      let paid = false;
      ask = (request) => {
        paid ||= messageOf(request) === PAY;
        return answers(request);
      };
      const caller = { tenant: `t${++tenants}`, id: 'ann' };
      const how = { caller, canElicit: true, canOpenUrls: false };
      return {
        call: (tool: string, args: object, signal?: AbortSignal): Promise<Answer> =>
          clerk.call(tool, args, { ...how, ...(signal && { signal }) }),
        yes: (tool: string, args: object, asked: Ask, signal?: AbortSignal): Promise<Answer> =>
          clerk.call(tool, args, {
            ...how,
            ...(signal && { signal }),
            dialog: { handle: asked.handle, raw: yesTo(asked) },
          }),
        /** Whether a payment was sent. */
        hasPaid: () => paid,
      };
    },
    async close() {
      clearInterval(awake);
      await clerk.idle();
      await airline.close();
      await state.close();
    },
  };
}
