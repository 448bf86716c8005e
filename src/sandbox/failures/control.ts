/**
 * Lets other programs on this machine order faults and mishaps: `GET` and `POST /sandbox/faults`, `/sandbox/mishaps`.
 * No real airline has these addresses, and the field `sandbox` of the answers proves that the sandbox answered.
 */
import type { IncomingMessage } from 'node:http';
import { jsonReply, type Reply } from '../calls.ts';
import { carrierNow, type SandboxContext } from '../carrier.ts';
import { disturb, readMishaps } from './booking-mishaps.ts';
import { mishapSchema } from './named.ts';
import { placeFault, readFaultOrders, type SandboxFault } from './wire-faults.ts';

export const CONTROL_PATH = '/sandbox/faults';
export const MISHAPS_PATH = '/sandbox/mishaps';
/** The value of `sandbox` in every answer. */
export const CONTROL_MARK = 'fareclerk';

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
/** The most calls that one order can strike. */
const MOST_TIMES = 1000;

/** What each address answers. `posted` is the body of a POST, and undefined for a GET, which only reads. */
const CONTROLS: Readonly<Record<string, (context: SandboxContext, posted: unknown) => object>> = {
  [CONTROL_PATH]: answerFaults,
  [MISHAPS_PATH]: answerMishaps,
};

function isFault(value: unknown): value is SandboxFault {
  if (typeof value !== 'object' || value === null) return false;
  const { message, kind, times = 1 } = value as Partial<SandboxFault>;
  const isCount = Number.isInteger(times) && times >= 1 && times <= MOST_TIMES;
  return typeof message === 'string' && typeof kind === 'string' && isCount;
}

function answerFaults({ state }: SandboxContext, posted: unknown): object {
  if (posted !== undefined) {
    if (!isFault(posted)) throw new Error(`expected a message, a kind, and times from 1 to ${MOST_TIMES}`);
    placeFault(state, posted);
  }
  return { ordered: readFaultOrders(state) };
}

function answerMishaps(context: SandboxContext, posted: unknown): object {
  const happened = posted === undefined ? undefined : disturb(carrierNow(context), mishapSchema.parse(posted));
  return { mishaps: readMishaps(context.state), happened };
}

/** Answers a control address; undefined for others. Refuses pages in browsers, which send an origin. */
export function controlReply(context: SandboxContext, request: IncomingMessage, body: string): Reply | undefined {
  const { url = '', socket, headers, method } = request;
  const control = Object.hasOwn(CONTROLS, url) ? CONTROLS[url] : undefined;
  if (control === undefined) return undefined;
  const isLocal = LOOPBACK.test(socket.remoteAddress ?? '') && headers.origin === undefined;
  if (!isLocal) return jsonReply(403, { error: 'only programs on this machine may order faults' });
  try {
    const reply = control(context, method === 'POST' ? JSON.parse(body) : undefined);
    return jsonReply(200, { sandbox: CONTROL_MARK, ...reply });
  } catch (error) {
    return jsonReply(400, { sandbox: CONTROL_MARK, error: error instanceof Error ? error.message : String(error) });
  }
}
