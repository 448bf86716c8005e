/**
 * OTA operations: POST {base_url} with `local-name`, or POST to an address per message (docs/wire/interface.md, OTA
 * messages; docs/wire/notes.md, Addressing).
 */
import { admit, type Call, type Incoming, jsonReply } from '../calls.ts';
import { carrierNow, type SandboxContext } from '../carrier.ts';
import { noteUnknown } from '../ledger.ts';
import { Refusal } from '../refusal.ts';
import { type Envelope, modificationType, readEnvelope } from '../requests/parse.ts';
import { isRecord, type Wire, without } from '../wire.ts';
import { MESSAGES, type Message, MODIFY, SEAT_MAP } from './messages.ts';

/** Path of the OTA operations; the seat map is at {base_url}/v2015b/OTA_AirSeatMapRQ. */
export const OTA_PATH = '/v2015b/OTA';

/** The message name replaces the last path element: never `/OTA/OTA_ReadRQ` (docs/wire/notes.md, Addressing). */
const PATH = /^(?:\/v2015b)?(?:\/OTA|\/(OTA_\w+))?\/?$/;

export function otaCall(context: SandboxContext, incoming: Incoming): Call | undefined {
  const match = PATH.exec(incoming.url.pathname);
  if (match === null) return undefined;
  const name = messageName(match[1], incoming.headers['local-name']);
  return {
    name,
    answer: () => {
      admit(context, incoming, 'POST', 'OTA operations are');
      const message = MESSAGES[name];
      if (message === undefined) throw new Refusal('320', `no operation ${name === '' ? 'named' : name}`);
      return jsonReply(200, answer(context, name, message, parse(incoming)));
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
    throw new Refusal('320', 'content-type application/json is due', 415);
  }
  let body: unknown;
  try {
    body = JSON.parse(incoming.body);
  } catch {
    throw new Refusal('320', '$: no JSON');
  }
  if (!isRecord(body)) throw new Refusal('320', '$: a JSON object is due');
  return body;
}

/** Type 10 and the seat map spell `isocurrency`; elsewhere both are seen (docs/wire/notes.md, Shapes sent). */
function checkSpelling(context: SandboxContext, name: string, body: Wire, { spelling }: Envelope): void {
  const isStrict = name === SEAT_MAP || (name === MODIFY && modificationType(body) === '10');
  if (context.dialect === 'rail' && isStrict && spelling !== 'isocurrency') {
    throw new Refusal('321', '$.pos.source[0].isocurrency: missing');
  }
}

function checkSeller({ credentials, timetable }: SandboxContext, { agentId, agencyId, currency }: Envelope): void {
  const isOther = (sent: string | undefined, known: string): boolean => sent !== undefined && sent !== known;
  if (isOther(agentId, credentials.agentId) || isOther(agencyId, credentials.agencyId)) {
    throw new Refusal('189', '$.pos.source[0].requestorID: not this agent and agency');
  }
  if (isOther(currency, timetable.network.currency)) throw new Refusal('61', `${timetable.network.currency} is sold`);
}

function answer(context: SandboxContext, name: string, message: Message, request: Wire): Wire {
  const { state, dialect, clock } = context;
  const envelope = readEnvelope(request, dialect);
  checkSeller(context, envelope.value);
  const body = without(request, 'version', 'pos');
  checkSpelling(context, name, body, envelope.value);
  const { value: run, unknown } = message.read(body, dialect);
  const strange = [...envelope.unknown, ...unknown];
  if (strange.length > 0) state.change(() => noteUnknown(state, clock.now(), name, strange));
  const act = (): Wire => {
    const carrier = carrierNow(context);
    return context.rewrite(run(carrier, context), { name, request: body, carrier });
  };
  return message.writes ? state.change(act) : state.view(act);
}
