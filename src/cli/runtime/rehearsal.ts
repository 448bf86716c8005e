/**
 * `serve --rehearsal SECONDS`: the waits of a server in a test. A real airline may act minutes later, and a person reads before
 * saying yes, so this is for the embedded sandbox, and for an airline on this machine that says in every reply that it is a
 * test double. A tunnel to a real one does not say it.
 */
import { type AirlineConfig, type Config, UsageError } from '../../config/load.ts';
import { ClerkError } from '../../core/errors.ts';
import type { HttpReply, Transport } from '../../ota/transport/http.ts';

/** A test double sends this header, with any value, in every reply. The sandbox airline does. */
const TEST_DOUBLE = 'fareclerk-test-double';
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
const isOnThisMachine = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(host);

/**
 * Ends the rehearsal with the first reply that is not of a test double: asks and sends nothing after it. Passes on the reply to a
 * message that moves money, because its outcome counts.
 */
export function onlyTestDoubles(transport: Transport): Transport {
  let state: 'unproven' | 'proven' | 'over' = 'unproven';
  const judge = (reply: HttpReply) => {
    if (reply.headers?.[TEST_DOUBLE] === undefined) state = 'over';
    else if (state !== 'over') state = 'proven';
  };
  const isOver = () => state === 'over';
  return {
    ...transport,
    async send(request) {
      // Asks for the sign of a test double before the first message that changes something. A process may begin with one,
      // because its offers were kept by an earlier process.
      if (state === 'unproven' && request.purpose === 'money')
        judge(
          await transport.send({ method: 'GET', purpose: 'read', url: request.url, headers: {}, deadlineMs: 5_000 }),
        );
      if (isOver()) throw rehearsalOver();
      const reply = await transport.send(request);
      judge(reply);
      if (isOver() && request.purpose !== 'money') throw rehearsalOver();
      return reply;
    },
  };
}

function rehearsalOver(): ClerkError {
  const what = `The airline answered without the header ${TEST_DOUBLE}, so it may be a real one: the rehearsal is over.`;
  return new ClerkError('E_CONFIG', `${what} Nothing was sent.`, {
    next: 'The operator starts the server without --rehearsal, or tests with the sandbox airline.',
  });
}
