/**
 * OTA operations: POST {base_url} with `local-name`, or POST {base_url}/<Message> (interface.md, endpoints;
 * field-notes.md, addressing).
 */
import { readEnvelope } from '../../ota/messages/parts/envelope.ts';
import { isRecord, type Wire } from '../../ota/messages/parts/reader.ts';
import { applyTolerances } from '../dialects.ts';
import { Fault } from '../fault.ts';
import { carrierOf, type House } from '../house.ts';
import { type Call, type Incoming, jsonReply } from '../reply.ts';
import { checkCredentials } from './credentials.ts';
import { MESSAGES, type Message } from './messages.ts';
import { MODIFY } from './modify.ts';
import { strictly } from './refusal.ts';

/** Path of the OTA operations; the seat map lies beside it, at {base_url}/v2015b/OTA_AirSeatMapRQ. */
export const OTA_PATH = '/v2015b/OTA';

const PATH = /^(?:\/v2015b(?:\/OTA)?)?(?:\/(OTA_\w+))?\/?$/;

export function otaCall(house: House, incoming: Incoming): Call | undefined {
  const match = PATH.exec(incoming.url.pathname);
  if (match === null) return undefined;
  const name = messageName(match[1], incoming.headers['local-name']);
  return {
    name,
    answer: () => {
      if (incoming.method !== 'POST') throw new Fault('320', 'OTA operations are POST', 405);
      checkCredentials(house, incoming);
      const message = MESSAGES[name];
      if (message === undefined) throw new Fault('320', `no operation ${name === '' ? 'named' : name}`);
      return jsonReply(200, answer(house, name, message, parse(incoming)));
    },
  };
}

function messageName(inPath: string | undefined, header: string | string[] | undefined): string {
  const named = typeof header === 'string' ? header : undefined;
  if (inPath !== undefined && named !== undefined && named !== inPath) return `${inPath} and ${named}`;
  return inPath ?? named ?? '';
}

function parse(incoming: Incoming): Wire {
  if (!/^application\/json\b/.test(incoming.headers['content-type'] ?? '')) {
    throw new Fault('320', 'content-type application/json is due', 415);
  }
  let body: unknown;
  try {
    body = JSON.parse(incoming.body);
  } catch {
    throw new Fault('320', '$: no JSON');
  }
  if (!isRecord(body)) throw new Fault('320', '$: a JSON object is due');
  return body;
}

function answer(house: House, name: string, message: Message, request: Wire): Wire {
  const { body, pos, spelling } = strictly(request, () => readEnvelope(request));
  const { credentials, timetable, state } = house;
  if (pos.agentId !== credentials.agentId || pos.agencyId !== credentials.agencyId) {
    throw new Fault('189', '$.pos.source[0].requestorID: not this agent and agency');
  }
  if (pos.currency !== undefined && pos.currency !== timetable.network.currency) {
    throw new Fault('61', `${timetable.network.currency} is sold`);
  }
  // Only modify requires it, in this spelling (interface.md, point of sale).
  if (name === MODIFY && spelling !== 'isocurrency') throw new Fault('321', '$.pos.source[0].isocurrency: missing');
  const run = (): Wire => strictly(body, () => message.run(carrierOf(house), body, house));
  const reply = message.writes ? state.change(run) : state.view(run);
  return applyTolerances(house.tolerances, reply);
}
