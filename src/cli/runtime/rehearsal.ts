/**
 * `serve --rehearsal SECONDS` shortens the waits of a server for a test. A real airline may act minutes later, and a person reads
 * before saying yes. So it is only for the embedded sandbox, and for an airline on this machine that says in every reply that it
 * is a test double: a real airline behind a tunnel does not say so.
 */
import { type AirlineConfig, type Config, UsageError } from '../../config/load.ts';
import { ClerkError } from '../../core/errors.ts';
import { isLoopback } from '../../core/hosts.ts';
import type { HttpReply, Transport } from '../../ota/transport/http.ts';

/** A test double sends this header, with any value, in every reply. The sandbox airline does. */
const TEST_DOUBLE = 'fareclerk-test-double';
/** Limit for the reading that asks whether the airline is a test double, milliseconds. */
const PROBE_DEADLINE_MS = 5_000;
/** A call waits half the time of a settling for a person, so that a test sees both the answer and the settling. */
const ANSWERS_PER_SETTLING = 2;
/** Bookings are read several times within one settling. */
const READINGS_PER_SETTLING = 6;

/**
 * Sets the waits of a rehearsal: an operation settles within `seconds`.
 * @throws UsageError if an address of the airline is on another machine
 */
export function withRehearsalWaits(config: Config, seconds: number): Config {
  const { airline, watching, environment } = config;
  for (const [setting, address] of Object.entries(airline === undefined ? {} : airlineAddresses(airline))) {
    if (address === undefined || isOnThisMachine(new URL(address).hostname)) continue;
    throw new UsageError(`--rehearsal: is for an airline on this machine, and ${setting} is on another.`);
  }

  const settleMs = seconds * 1_000;
  return {
    ...config,
    environment: environment === 'sandbox' ? 'sandbox' : 'rehearsal',
    settleMs,
    answerMs: settleMs / ANSWERS_PER_SETTLING,
    // A program answers dialogs at once.
    dialogFloorMs: 0,
    watching: {
      ...watching,
      paces: [{ withinMs: Number.POSITIVE_INFINITY, everyMs: settleMs / READINGS_PER_SETTLING }],
    },
  };
}

const airlineAddresses = ({ baseUrl, gatewayUrl, restUrl, login }: AirlineConfig) => ({
  FARECLERK_BASE_URL: baseUrl,
  FARECLERK_GATEWAY_URL: gatewayUrl,
  FARECLERK_REST_URL: restUrl,
  FARECLERK_AUTH_URL: login?.authUrl,
});

/** Not `x.localhost`: a name server could resolve it to another machine. */
const isOnThisMachine = (host: string): boolean => isLoopback(host) && !/\.localhost$/i.test(host);

/**
 * Ends the rehearsal with the first reply that is not from a test double, and sends nothing after it. Returns the reply to a
 * message that moves money all the same, because its outcome counts.
 */
export function onlyTestDoubles(transport: Transport): Transport {
  /** Proven by the first reply, over with the first one that is not from a test double, and then for good. */
  let state: 'unproven' | 'proven' | 'over' = 'unproven';
  const judgeReply = (reply: HttpReply) => {
    if (reply.headers?.[TEST_DOUBLE] === undefined) state = 'over';
    else if (state === 'unproven') state = 'proven';
  };

  // Asked anew each time: another request may have ended the rehearsal meanwhile.
  const isOver = () => state === 'over';
  return {
    ...transport,
    async exchange(request) {
      // The first request of a process may already move money, because an earlier process found its offers: a reading comes
      // before it, to see whether this is a test double.
      if (state === 'unproven' && request.purpose === 'money') {
        const { url } = request;
        const deadlineMs = PROBE_DEADLINE_MS;
        judgeReply(await transport.exchange({ method: 'GET', purpose: 'read', url, headers: {}, deadlineMs }));
      }

      if (isOver()) throw rehearsalOver();

      const reply = await transport.exchange(request);
      judgeReply(reply);
      if (isOver() && request.purpose !== 'money') throw rehearsalOver();

      return reply;
    },
  };
}

function rehearsalOver(): ClerkError {
  const reason = `The airline answered without the header ${TEST_DOUBLE}, so it may be a real one: the rehearsal is over.`;
  return new ClerkError('E_CONFIG', `${reason} Nothing was changed.`, {
    next: 'The operator starts the server without --rehearsal, or tests with the sandbox airline.',
  });
}
