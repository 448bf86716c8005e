/** What is learnt of a request while it is answered, for its line in the log. */
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../domain/people/caller.ts';

interface RequestNotes {
  readonly caller?: Caller;
  readonly traceId?: string;
}

const notes = new WeakMap<IncomingMessage, RequestNotes>();

export function noteRequest(request: IncomingMessage, more: RequestNotes): void {
  notes.set(request, { ...notes.get(request), ...more });
}

export function notesOf(request: IncomingMessage): RequestNotes {
  return notes.get(request) ?? {};
}
