/**
 * An event, which tells other systems what happened to a booking, a question or an operation, and the JSON that they get. It has ids and
 * times, and no names of travellers.
 */

/** Named as the Standard Webhooks specification recommends. */
type EventType =
  | 'booking.changed'
  | 'hold.lapsing'
  | 'names.due'
  | 'question.waiting'
  | 'question.lapsing'
  | 'question.lapsed'
  | 'operation.settled'
  | 'operation.needs_person'
  | 'refund.arrived';

export interface NewEvent {
  /** `operation/UUID/3/succeeded`: the same for the same fact, whichever process notices it. Visible ASCII. */
  readonly id: string;
  readonly type: EventType;
  /** When it happened, milliseconds since 1970. */
  readonly at: number;
  readonly tenant: string;
  /** Who asked, or whose booking it is. */
  readonly caller?: string;
  readonly tool?: string;
  readonly locator?: string;
  readonly operationId?: string;
  readonly findingId?: string;
  /** Detail within its type: a state, a kind of finding, `2h`, `page`. */
  readonly kind?: string;
  /** A limit that lies ahead, milliseconds since 1970. */
  readonly dueAt?: number;
}

/** A stored event. `n` is its number in the outbox. In a restored older copy another event may get that number. */
export type DeskEvent = NewEvent & { readonly n: number };

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The JSON that a receiver gets, the same for each try. Leaves out the caller, who may be a person. */
export function eventPayload(event: NewEvent) {
  const { type, at, tenant, tool, locator, operationId, findingId, kind, dueAt } = event;
  const data = {
    tenant,
    locator,
    kind,
    tool,
    operation_id: operationId,
    finding_id: findingId,
    due_at: dueAt === undefined ? undefined : isoTime(dueAt),
  };
  return { type, timestamp: isoTime(at), data };
}
