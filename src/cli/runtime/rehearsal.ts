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

/** @throws UsageError if an address of the airline is on another machine */
export function rehearsed(config: Config, seconds: number): Config {
  const { airline, watching, environment } = config;
  for (const [setting, address] of Object.entries(airline === undefined ? {} : airlineAddresses(airline))) {
    if (address === undefined || isHere(new URL(address).hostname)) continue;
    throw new UsageError(`--rehearsal: is for an airline on this machine, and ${setting} is on another.`);
  }
  const settleMs = seconds * 1_000;
  return {
    ...config,
    environment: environment === 'sandbox' ? 'sandbox' : 'rehearsal',
    settleMs,
    answerMs: settleMs / 2,
    // A program answers dialogs at once.
    dialogFloorMs: 0,
    watching: { ...watching, paces: [{ withinMs: Number.POSITIVE_INFINITY, everyMs: settleMs / 6 }] },
  };
}

const airlineAddresses = ({ baseUrl, gatewayUrl, restUrl, login }: AirlineConfig) => ({
  FARECLERK_BASE_URL: baseUrl,
  FARECLERK_GATEWAY_URL: gatewayUrl,
  FARECLERK_REST_URL: restUrl,
  FARECLERK_AUTH_URL: login?.authUrl,
});

/** Names under `localhost` lead where a name server says. */
const isHere = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(host);

/**
 * Ends the rehearsal with the first reply that is not of a test double: nothing is asked or sent after it. The reply to a
 * message that moves money is passed on, because its outcome counts.
 */
export function onlyTestDoubles(transport: Transport): Transport {
  let [isProven, isOver] = [false, false];
  const judge = (reply: HttpReply) => {
    isProven = reply.headers?.[TEST_DOUBLE] !== undefined;
    isOver ||= !isProven;
  };
  return {
    ...transport,
    async send(request) {
      // Asks for the sign of a test double before the first message that changes something. A process may begin with one,
      // because its offers were kept by an earlier process.
      if (!isProven && !isOver && request.purpose === 'money')
        judge(
          await transport.send({ method: 'GET', purpose: 'read', url: request.url, headers: {}, deadlineMs: 5_000 }),
        );
      if (isOver) throw rehearsalOver();
      const reply = await transport.send(request);
      judge(reply);
      if (isOver && request.purpose !== 'money') throw rehearsalOver();
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
