/** What the desk tells others: that something happened to a booking, a question or an operation. Ids and times, no names of travellers. */

/** Named as the Standard Webhooks specification recommends. */
const EVENT_TYPES = [
  'booking.changed',
  'hold.lapsing',
  'names.due',
  'question.waiting',
  'question.lapsing',
  'question.lapsed',
  'operation.settled',
  'operation.needs_person',
  'refund.arrived',
] as const;

type EventType = (typeof EVENT_TYPES)[number];

export interface NewEvent {
  /** The same for the same fact, whoever notices it and however often: `operation/UUID/3/succeeded`. Visible ASCII. */
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
  /** What it is within its type: a state, a kind of finding, `2h`, `page`. */
  readonly kind?: string;
  /** A limit that lies ahead, milliseconds since 1970. */
  readonly dueAt?: number;
}

/** `n`: its place in the outbox, which an older copy of the state gives to another event. */
export type DeskEvent = NewEvent & { readonly n: number };

const instant = (ms: number): string => new Date(ms).toISOString();

/** What a receiver gets. The same for each try. Names nobody: who asked may be a person. */
export function payloadOf(event: NewEvent) {
  const { type, at, tenant, tool, locator, operationId, findingId, kind, dueAt } = event;
  const data = {
    tenant,
    locator,
    kind,
    tool,
    operation_id: operationId,
    finding_id: findingId,
    due_at: dueAt === undefined ? undefined : instant(dueAt),
  };
  return { type, timestamp: instant(at), data };
}
