/** The sandbox's HTTP server: finds the address of a call, and answers it or lets a hook answer. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type Before,
  type Call,
  type HeldCall,
  type Incoming,
  jsonReply,
  type Reply,
  refusalReply,
  sendReply,
} from '../calls.ts';
import { carrierNow, type SandboxContext } from '../carrier.ts';
import { playOrderedFault } from '../faults.ts';
import { Refusal, refusalBody } from '../refusal.ts';
import { notificationCall, scheduleCall, ticketCall, tokenCall } from './gateway.ts';
import { otaCall } from './ota.ts';

const BODY_LIMIT_BYTES = 1 << 20;

/** Each finds the call of its addresses. The first one found is answered. */
const CALL_FINDERS = [tokenCall, scheduleCall, notificationCall, ticketCall, otaCall];

/** Reads a body; undefined if it is over the limit. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;

  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > BODY_LIMIT_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }

  return Buffer.concat(chunks).toString('utf8');
}

function findCall(context: SandboxContext, incoming: Incoming): Call {
  for (const find of CALL_FINDERS) {
    const call = find(context, incoming);
    if (call !== undefined) return call;
  }

  return {
    name: '',
    answer: () => {
      throw new Refusal('320', `no address ${incoming.url.pathname}`, 404);
    },
  };
}

/** Answers a refusal in its form, and any other error as a failure of the sandbox itself. */
function answerOrRefuse(context: SandboxContext, call: Call): Reply {
  try {
    return call.answer();
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal('448', `sandbox: ${String(error)}`);
    // The request may be what was refused, so a rewrite gets an empty one.
    const answered = { name: call.name, request: {}, carrier: carrierNow(context) };
    return jsonReply(refusal.status, context.rewrite(refusalBody(refusal, context.clock.now()), answered));
  }
}

/** Answers a request. `before` comes before the faults that are ordered. */
async function serve(
  context: SandboxContext,
  before: Before | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const now = () => context.clock.now();
  const body = await readBody(request);
  if (body === undefined) {
    const refusal = new Refusal('320', `a body of at most ${BODY_LIMIT_BYTES} bytes`, 413);
    return sendReply(response, refusalReply(refusal, now()));
  }

  const { method = 'GET', headers, url = '/' } = request;
  const incoming = { method, headers, url: new URL(url, 'http://sandbox.invalid'), body };
  const call = findCall(context, incoming);
  const act = (): Reply => answerOrRefuse(context, call);
  const held: HeldCall = { ...incoming, name: call.name, act, now, response };
  const reply = before?.(held) ?? playOrderedFault(context.state, held) ?? act();
  if (reply !== 'taken') sendReply(response, reply);
}

export function createHttpServer(context: SandboxContext, before: Before | undefined): Server {
  return createServer((request, response) => {
    // Marks every reply as not real, since the address may not show it.
    response.setHeader('fareclerk-test-double', 'sandbox');
    serve(context, before, request, response).catch(() => response.destroy());
  });
}
