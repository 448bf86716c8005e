/**
 * Writes one line into the log and one count for each request, with who sent it or why the caller was refused. No query, no token,
 * no name. The log adds the trace.
 */
import type { IncomingMessage } from 'node:http';
import { keyedDigest } from '../approvals/digest.ts';
import type { Clerk } from '../clerk/clerk.ts';
import type { Caller, TokenProblem } from '../domain/people/caller.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** A closed list, so that nothing of the request reaches the log. Problems of a token have the words of the metric. */
export type CallerRefusal =
  | TokenProblem
  /** No token, or not as a bearer token. */
  | 'no_token'
  /** Not the token of the settings. */
  | 'wrong_token'
  /** The issuer's keys cannot be fetched. */
  | 'unavailable'
  /** The token grants no such tool. */
  | 'scope'
  /** Too many calls. */
  | 'rate'
  | 'other_machine'
  | 'host'
  | 'origin';

export interface AccessLine {
  readonly method: string;
  /** The route, not the address: `/approve/` for every question. */
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
  /** Sent to the client, headers included. */
  readonly bytes: number;
  /** A digest that is the same for all requests of a caller. */
  readonly caller?: string;
  /** Why the caller was refused. */
  readonly refused?: CallerRefusal;
}

interface AccessLogOptions {
  readonly clerk: Pick<Clerk, 'runtime'>;
  readonly metrics?: Metrics;
  readonly log?: { answered(line: AccessLine): void };
}

/** Who sent a request, and why the caller was refused, as far as its handling has noted it: both are in its line. */
const callers = new WeakMap<IncomingMessage, Caller>();
const refusals = new WeakMap<IncomingMessage, CallerRefusal>();

/** Begins the line of a request. Returns the function to call at its end, with the status. */
export function beginAccessLine(
  request: IncomingMessage,
  route: string,
  { clerk, metrics, log }: AccessLogOptions,
): (status: number) => void {
  const startedAt = performance.now();
  const { socket } = request;
  const bytesBefore = socket.bytesWritten;

  return (status) => {
    const ms = performance.now() - startedAt;
    const refused = refusals.get(request);

    metrics?.countRequest(route, status, ms / 1000);
    if (refused !== undefined) metrics?.countRefusal(refused);
    if (log === undefined) return;

    const line = {
      method: knownMethod(request),
      route,
      status,
      duration_ms: Math.round(ms),
      bytes: socket.bytesWritten - bytesBefore,
      ...(refused !== undefined && { refused }),
    };
    const write = (digest: string | undefined) => log.answered({ ...line, caller: digest });
    const caller = callers.get(request);

    if (caller === undefined) write(undefined);
    // Without the state there is no digest: the line is written all the same.
    else callerDigest(clerk, caller).then(write, () => write(undefined));
  };
}

/** Writes a pseudonym of a caller. It is keyed by the state, so it is useless elsewhere. */
export async function callerDigest(clerk: Pick<Clerk, 'runtime'>, { tenant, id }: Caller): Promise<string> {
  const { state } = await clerk.runtime();
  return keyedDigest(state.digestKey, JSON.stringify(['caller', tenant, id])).slice(0, 16);
}

/** Returns the method if it is a usual one, else `other`: methods are free text on the wire. */
export function knownMethod({ method }: IncomingMessage): string {
  return ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT'].find((known) => known === method) ?? 'other';
}

/** Notes for the log who sent a request. */
export function noteCaller(request: IncomingMessage, caller: Caller): void {
  callers.set(request, caller);
}

/** Notes for the log why a caller is refused. Returns the reply. */
export function refusedFor(request: IncomingMessage, why: CallerRefusal, reply: Response): Response {
  refusals.set(request, why);
  return reply;
}
