/**
 * Where another program on this machine orders faults: `GET` and `POST /sandbox/faults`. No airline has this address, and
 * `sandbox` in its answer proves who answers.
 */
import type { IncomingMessage } from 'node:http';
import { jsonReply, type Reply } from '../reply.ts';
import type { CarrierState } from '../state.ts';
import { orderedFaults, placeFault, type SandboxFault } from './orders.ts';

export const CONTROL_PATH = '/sandbox/faults';
/** `sandbox` of every answer. */
export const CONTROL_MARK = 'fareclerk';

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
/** Most calls that one order strikes. */
const MOST_TIMES = 1000;

function isFault(value: unknown): value is SandboxFault {
  if (typeof value !== 'object' || value === null) return false;
  const { message, kind, times = 1 } = value as Partial<SandboxFault>;
  const isCount = Number.isInteger(times) && times >= 1 && times <= MOST_TIMES;
  return typeof message === 'string' && typeof kind === 'string' && isCount;
}

/** Undefined for other addresses. Browsers send an origin, and a page of theirs has no business here. */
export function controlReply(state: CarrierState, request: IncomingMessage, body: string): Reply | undefined {
  if (request.url !== CONTROL_PATH) return undefined;
  const isLocal = LOOPBACK.test(request.socket.remoteAddress ?? '') && request.headers.origin === undefined;
  if (!isLocal) return jsonReply(403, { error: 'only programs on this machine may order faults' });
  if (request.method === 'POST') {
    try {
      const fault: unknown = JSON.parse(body);
      if (!isFault(fault)) throw new Error('expected a message, a kind, and times from 1 to 1000');
      placeFault(state, fault);
    } catch (error) {
      return jsonReply(400, { error: error instanceof Error ? error.message : String(error) });
    }
  }
  return jsonReply(200, { sandbox: CONTROL_MARK, ordered: orderedFaults(state) });
}
