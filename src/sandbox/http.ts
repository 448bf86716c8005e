/**
 * The sandbox's HTTP side: finds the address of a call, answers it, and lets an ordered mishap have its way.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { notificationCall } from './addresses/notifications.ts';
import { otaCall } from './addresses/ota.ts';
import { scheduleCall } from './addresses/schedule.ts';
import { ticketCall } from './addresses/tickets.ts';
import { tokenCall } from './addresses/token.ts';
import type { SandboxContext } from './context.ts';
import { applyTolerances } from './dialects.ts';
import { takeMishap } from './faults/orders.ts';
import { type Pending, perform, send } from './faults/play.ts';
import { Fault, faultBody } from './refusal.ts';
import { type Call, faultReply, type Incoming, jsonReply, type Reply } from './reply.ts';

const BODY_LIMIT = 1 << 20;

const ADDRESSES = [tokenCall, scheduleCall, notificationCall, ticketCall, otaCall];

/** Reads a body whole. Undefined: over the limit. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > BODY_LIMIT) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function callOf(house: SandboxContext, incoming: Incoming): Call {
  for (const find of ADDRESSES) {
    const call = find(house, incoming);
    if (call !== undefined) return call;
  }
  return {
    name: '',
    answer: () => {
      throw new Fault('320', `no address ${incoming.url.pathname}`, 404);
    },
  };
}

/** A refusal is an answer; anything else that goes wrong in here is the sandbox's own fault, and said so. */
function answerOf(house: SandboxContext, call: Call): Reply {
  try {
    return call.answer();
  } catch (error) {
    const fault = error instanceof Fault ? error : new Fault('448', `sandbox: ${String(error)}`);
    return jsonReply(fault.status, applyTolerances(house.tolerances, faultBody(fault, house.clock.now())));
  }
}

async function serve(
  house: SandboxContext,
  pending: Pending,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request);
  if (body === undefined) {
    const fault = new Fault('320', `a body of at most ${BODY_LIMIT} bytes`, 413);
    send(response, faultReply(fault, house.clock.now()));
    return;
  }
  const { method = 'GET', headers, url = '/' } = request;
  const call = callOf(house, { method, headers, url: new URL(url, 'http://sandbox.invalid'), body });
  const mishap = takeMishap(house.state, call.name);
  const answer = (): Reply => answerOf(house, call);
  if (mishap === undefined) send(response, answer());
  else perform(mishap, { answer, now: () => house.clock.now(), response, pending });
}

export function createHttpServer(house: SandboxContext, pending: Pending): Server {
  return createServer((request, response) => {
    serve(house, pending, request, response).catch(() => response.destroy());
  });
}
