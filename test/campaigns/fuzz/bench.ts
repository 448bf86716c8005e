/**
 * The clerk on a bench: its own adapter, journal and store, and an airline made of replies that are handed to it.
 */
import { isConfirmed } from '../../../src/approvals/confirmed.ts';
import { systemClock } from '../../../src/journal/clock.ts';
import { createOtaAirline } from '../../../src/ota/airline.ts';
import { TransportFailure } from '../../../src/ota/errors/transport-failure.ts';
import type { HttpReply, HttpRequest, Transport } from '../../../src/ota/transport/http.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { SENDING } from '../support/acts.ts';
import { type Answer, clerkOn, runtimeOf } from '../support/office.ts';

/** Answers a message; undefined: nobody is there. */
export type Airline = (message: string, request: HttpRequest) => HttpReply | undefined;

export type Bench = Awaited<ReturnType<typeof openBench>>;

const HOW = { caller: { tenant: 'fuzz', id: 'ann' }, canElicit: true, canOpenUrls: false };
const DEADLINES = ['read', 'fare_search', 'seat_map', 'routes', 'calendar', 'ticket', 'book', 'modify'] as const;

export interface BenchOptions {
  /** Now, ms epoch. */
  readonly at: number;
  readonly currency: string;
  readonly restUrl: string;
  readonly carrier?: string;
}

/** Replies without a wire. Undefined: nobody is there. */
export function handedOver(
  answer: (request: HttpRequest) => HttpReply | undefined | Promise<HttpReply | undefined>,
): Transport {
  return {
    async exchange(request) {
      // As over a wire: the answer comes in a later turn, and the fence is asked first.
      await Promise.resolve();
      if (request.mayStart?.() === false) throw new TransportFailure('fenced', false);
      const reply = await answer(request);
      if (reply === undefined) throw new TransportFailure('unreachable', false);
      return reply;
    },
    replaceConnections() {},
    async close() {},
  };
}

export async function openBench({ at, currency, restUrl, carrier }: BenchOptions) {
  let airline: Airline = () => undefined;
  /** Messages that book, pay or change. */
  const sent: string[] = [];
  /** As the airline gets it. */
  const answer = (request: HttpRequest): HttpReply | undefined => {
    const message = request.headers['local-name'] ?? new URL(request.url).pathname.split('/').at(-1) ?? '';
    if (SENDING.includes(message)) sent.push(message);
    return airline(message, request);
  };
  const transport = handedOver(answer);
  const base = 'https://air.example';
  const named = carrier === undefined ? {} : { carrier };
  const ota = createOtaAirline({
    ...{ baseUrl: `${base}/v2015b/OTA`, gatewayUrl: base, restUrl, credentials: { mode: 'key', apiKey: 'k' } },
    ...{ pointOfSale: { agentId: 'a', agencyId: 'b', currency }, isConfirmed, dialect: 'rail', ...named, transport },
    ...{ sleep: async () => undefined, random: () => 0 },
    deadlines: Object.fromEntries(DEADLINES.map((kind) => [kind, 400])) as Record<(typeof DEADLINES)[number], number>,
  });
  const clock = { now: () => at, sleep: systemClock.sleep };
  const state = await openSqliteState(':memory:', { now: clock.now });
  const failures: unknown[] = [];
  const settings = { currency, ...named };
  const clerk = clerkOn(runtimeOf({ airline: ota, state, clock }), failures, { settings, answerMs: 300, waitMs: 5 });
  return {
    clerk,
    /** What went wrong inside, where a call ended in E_INTERNAL. */
    failures,
    sent,
    answerWith(next: Airline): void {
      airline = next;
    },
    async close(): Promise<void> {
      await clerk.idle();
      await ota.close();
      await state.close();
    },
  };
}

export const callOnly = ({ clerk }: Pick<Bench, 'clerk'>, tool: string, args: unknown): Promise<Answer> =>
  clerk.call(tool, args, HOW);
