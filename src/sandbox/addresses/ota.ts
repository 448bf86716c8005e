/**
 * Answers OTA messages: POST {base_url} with `local-name`, or POST to an address for each message
 * (docs/wire/interface.md, OTA messages; docs/wire/notes.md, Addressing).
 */
import { hash } from 'node:crypto';
import { admit, type Call, type Incoming, jsonReply, parseJson } from '../calls.ts';
import { carrierNow, type SandboxContext } from '../carrier.ts';
import { changeOnRecord } from '../ledger.ts';
import { Refusal } from '../refusal.ts';
import { type Envelope, modificationType, readEnvelope } from '../requests/parse.ts';
import { isRecord, type Wire, without } from '../wire.ts';
import { MESSAGES, type Message, MODIFY, SEAT_MAP } from './messages.ts';

/** Path of the OTA operations; the seat map is at {base_url}/v2015b/OTA_AirSeatMapRQ. */
export const OTA_PATH = '/v2015b/OTA';

/** The addresses of messages. A message's name replaces `/OTA` and never follows it. */
const MESSAGE_PATH = /^(?:\/v2015b)?(?:\/OTA|\/(OTA_\w+))?\/?$/;

/** Finds the message of a call. Undefined for any other address. */
export function otaCall(context: SandboxContext, incoming: Incoming): Call | undefined {
  const match = MESSAGE_PATH.exec(incoming.url.pathname);
  if (match === null) return undefined;

  const name = messageName(match[1], incoming.headers['local-name']);
  return {
    name,
    answer: () => {
      admit(context, incoming, 'POST', 'OTA operations are');
      const message = MESSAGES[name];
      if (message === undefined) throw new Refusal('320', `no operation ${name === '' ? 'named' : name}`);
      return jsonReply(200, runMessage(context, name, message, parseBody(incoming)));
    },
  };
}

/** Returns the name from the address or the header. If they differ, it is both, which no message has. */
function messageName(pathName: string | undefined, header: string | string[] | undefined): string {
  const headerName = typeof header === 'string' ? header : undefined;
  if (pathName !== undefined && headerName !== undefined && headerName !== pathName)
    return `${pathName} and ${headerName}`;
  return pathName ?? headerName ?? '';
}

function parseBody(incoming: Incoming): Wire {
  if (!/^application\/json\b/.test(incoming.headers['content-type'] ?? ''))
    throw new Refusal('320', 'content-type application/json is due', 415);
  const body = parseJson(incoming.body);
  if (!isRecord(body)) throw new Refusal('320', '$: a JSON object is due');
  return body;
}

/** Checks that rail's type 10 and seat map spell `isocurrency`. Other messages may use either spelling. */
function checkSpelling(context: SandboxContext, name: string, body: Wire, envelope: Envelope): void {
  const isStrict = name === SEAT_MAP || (name === MODIFY && modificationType(body) === '10');
  if (context.dialect === 'rail' && isStrict && !envelope.isStrictlySpelled)
    throw new Refusal('321', '$.pos.source[0].isocurrency: missing');
}

function checkSeller({ credentials, timetable }: SandboxContext, { agentId, agencyId, currency }: Envelope): void {
  // Each of them may be missing.
  const differs = (value: string | undefined, known: string): boolean => value !== undefined && value !== known;
  if (differs(agentId, credentials.agentId) || differs(agencyId, credentials.agencyId))
    throw new Refusal('189', '$.pos.source[0].requestorID: not this agent and agency');
  const { network } = timetable;
  if (differs(currency, network.currency)) throw new Refusal('61', `${network.currency} is sold`);
}

function runMessage(context: SandboxContext, name: string, message: Message, request: Wire): Wire {
  const { state, dialect, clock } = context;
  const envelope = readEnvelope(request, dialect);
  checkSeller(context, envelope);

  const body = without(request, 'version', 'pos');
  checkSpelling(context, name, body, envelope);
  const run = message.read(body, dialect);

  const answerMessage = (): Wire => {
    const carrier = carrierNow(context);
    return context.rewrite(run(carrier, context), { name, request: body, carrier });
  };
  if (!message.writes) return state.view(answerMessage);

  return changeOnRecord(state, clock, hash('sha256', `${name} ${JSON.stringify(request)}`), answerMessage);
}
