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

/** Begins a reply and goes on a byte at a time. */
export const drip: Answer = (_, socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n');
  const timer = setInterval(() => socket.write(' '), 20);
  socket.on('close', () => clearInterval(timer));
};
