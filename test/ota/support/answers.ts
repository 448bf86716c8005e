/**
 * Answers of a test's airline.
 */
import { type Answer, type Received, reply } from './wire-server.ts';

export const locatorAsked = (request: Received): string =>
  (request.body.readRequests as { readRequest: [{ uniqueID: { id: string } }] }).readRequest[0].uniqueID.id;

export const json =
  (status: number, body: unknown, headers = {}): Answer =>
  (_, socket) =>
    socket.write(reply(status, body, headers));

/** Answers in turn; the last one for all further calls. */
export const inTurn =
  (...answers: readonly Answer[]): Answer =>
  (request, socket) =>
    answers[Math.min(request.index, answers.length - 1)]?.(request, socket);
