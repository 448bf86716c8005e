/**
 * How a guarded call stands, told from the journal and from evidence, never from hope.
 */
import type { Booking } from '../domain/booking/booking.ts';
import { utcText } from '../domain/time-and-text/times.ts';
import { ClerkError } from '../errors.ts';
import { type ACTIVE_STATES, isActive, locatorOf, type Operation } from '../journal/operation.ts';
import type { Evidence } from '../journal/ports.ts';
import { type AfterStatus, type Answer, type Result, sandboxed } from '../server/answer.ts';
import { type GuardedCall, WAIT_MS } from '../server/context.ts';
import { shortBooking, wholeBooking } from '../tools/views/booking.ts';
import { bookingAfter, isBare } from './booking-after.ts';
import type { Approval } from './ports.ts';
import { approvalStale } from './request.ts';
import type { Terms } from './terms.ts';

export interface Told {
  readonly operation: Operation;
  readonly evidence?: Evidence;
  readonly error?: ClerkError;
  /** As read again before sending, where this process sent. */
  readonly terms?: Terms;
  /** The operation was final before this call. */
  readonly repeat: boolean;
}

/** Follows an operation that exists already: the same approval again, or the same create again. */
export async function follow(
  call: GuardedCall,
  approval: Approval | undefined,
  handle: string | undefined,
  operation: Operation,
): Promise<Answer> {
  const { journal } = call.parts;
  const now = isActive(operation.state)
    ? await journal.follow(operation.id, call.options.waitMs ?? WAIT_MS, call.how.signal)
    : operation;
  // A create that was settled before, asked for again without its approval: a repeat by its nature.
  const repeat = !isActive(operation.state) && approval === undefined;
  return tell(call, approval, handle, { operation: now, repeat });
}

/** The answer for an operation in whatever state it is. Throws the error of one that was refused or not executed. */
export async function tell(
  call: GuardedCall,
  approval: Approval | undefined,
  handle: string | undefined,
  told: Told,
): Promise<Answer> {
  const { operation } = told;
  switch (operation.state) {
    case 'intent':
    case 'dispatched':
    case 'in_doubt':
      return pending(call, approval, handle, operation);
    case 'needs_person':
      return needsPerson(call, approval, handle, operation);
    case 'resolved':
      throw await closed(call, approval, handle, operation);
    case 'succeeded':
      return done(call, approval, handle, told);
    case 'refused':
    case 'not_executed':
      throw await failure(call, approval, handle, told);
  }
}

/** A person has checked it with the airline, and said so. */
async function closed(
  call: GuardedCall,
  approval: Approval | undefined,
  handle: string | undefined,
  { id, tool, outcome }: Operation,
): Promise<ClerkError> {
  if (approval) await spend(call, approval, handle);
  const when = outcome?.resolved === undefined ? '' : ` at ${utcText(outcome.resolved.at)}`;
  return new ClerkError(
    'E_ALREADY_DONE',
    `A person checked this ${tool} with the airline and closed it${when}. Nothing was sent now.`,
    {
      next:
        tool === 'create_booking'
          ? `Ask the operator what was found. If there is no such booking, call create_booking with again_after ${id}.`
          : 'Call read_booking to see how the booking stands, then decide again; the operator knows what was found.',
    },
  );
}

async function failure(call: GuardedCall, approval: Approval | undefined, handle: string | undefined, told: Told) {
  if (approval) await spend(call, approval, handle);
  if (told.error) return told.error;
  const kept = told.operation.outcome?.error;
  if (kept?.code === 'E_APPROVAL_STALE') return approvalStale(call.tool.name, approval?.staleLines ?? []);
  if (kept) return new ClerkError(kept.code, kept.message, kept);
  const again = call.tool.effect === 'commit' ? ' A new attempt needs a new approval.' : '';
  return new ClerkError(
    'E_AIRLINE_TIMEOUT',
    `Checked with the airline: ${call.tool.name} was not carried out.${again}`,
    {
      next: `Call ${call.tool.name} again without approval_id if it is still wanted.`,
    },
  );
}

async function done(
  call: GuardedCall,
  approval: Approval | undefined,
  handle: string | undefined,
  told: Told,
): Promise<Result> {
  const { tool, context } = call;
  const { operation, evidence } = told;
  const booking = await bookingAfter(call, operation, evidence?.booking);
  const facts = {
    args: call.args as never,
    operation,
    now: context.now(),
    ...(evidence && { evidence }),
    ...(told.terms && { terms: told.terms }),
    ...(booking && { booking }),
  };
  const report = tool.report(facts, context);
  const first = approval === undefined || (await spend(call, approval, handle));
  const repeat = told.repeat || !first;
  const status: AfterStatus = repeat ? 'already_done' : 'done';
  if (booking && !isBare(operation, booking)) await remember(call, booking);
  const note =
    (repeat ? 'Already done before; nothing was sent now.\n' : seenByReading(operation)) + unread(operation, booking);
  return {
    kind: 'result',
    text: sandboxed(context.environment, note + tool.text(report.added, facts)),
    structured: {
      environment: context.environment,
      status,
      operation_id: operation.id,
      ...approvalField(approval, handle),
      ...(booking ? { booking: await bookingField(call, booking, report.changed) } : nameOnly(operation)),
      ...report.added,
    },
    isError: false,
  };
}

/** Erases what the approval carried. True: its outcome is told to the caller for the first time. */
async function spend(call: GuardedCall, approval: Approval, handle: string | undefined): Promise<boolean> {
  const { approvals } = call.parts.state;
  // The page's own telling is not the caller's: the call that follows it is told first.
  if (handle !== undefined) return approvals.tell(approval.handleHash, call.parts.clock.now());
  await approvals.erase(approval.handleHash);
  return true;
}

/** Found by reading the booking: true whoever did it. */
function seenByReading(operation: Operation): string {
  return operation.outcome?.basis === 'read' ? 'No answer settled it; the booking read back shows it was done.\n' : '';
}

/** A booking that cannot be read just now is still named. */
function unread(operation: Operation, booking: Booking | undefined): string {
  const locator = locatorOf(operation);
  return booking === undefined && locator !== undefined ? `Booking ${locator} could not be read back just now.\n` : '';
}

function nameOnly(operation: Operation) {
  const locator = locatorOf(operation);
  return locator === undefined ? {} : { booking: { locator, state: 'unknown', changed: [] } };
}

async function remember(call: GuardedCall, booking: Booking): Promise<void> {
  const { noteBooking } = await import('../tools/definition/record-booking.ts');
  await noteBooking(call.context, booking, call.tool.name === 'create_booking');
}

async function bookingField(call: GuardedCall, booking: Booking, changed: readonly string[]) {
  return call.tool.wholeBooking
    ? wholeBooking(booking, call.context, { detail: 'concise', reveal: false })
    : shortBooking(booking, call.context, changed);
}

function approvalField(approval: Approval | undefined, handle: string | undefined, url?: string) {
  if (approval === undefined || handle === undefined) return {};
  return {
    approval: {
      id: handle,
      expires_at: new Date(approval.expiresAt).toISOString(),
      terms: [...approval.lines],
      ...(url !== undefined && { url }),
    },
  };
}

function common(call: GuardedCall, status: AfterStatus, operation: Operation, approval?: Approval, handle?: string) {
  return {
    environment: call.context.environment,
    status,
    operation_id: operation.id,
    ...approvalField(approval, handle),
    ...nameOnly(operation),
  };
}

const HOW_IT_STANDS: Record<(typeof ACTIVE_STATES)[number], string> = {
  intent: 'NOT SENT YET: the booking is being read again first. It may be sent at any moment.',
  dispatched: 'OUTCOME NOT KNOWN YET: the airline has not answered. It may or may not have been done.',
  in_doubt: 'OUTCOME NOT KNOWN YET: no answer of the airline settles it. It may or may not have been done.',
};

function pending(
  call: GuardedCall,
  approval: Approval | undefined,
  handle: string | undefined,
  operation: Operation,
): Result {
  const how = handle === undefined ? 'the same arguments' : `the same arguments and approval_id ${handle}`;
  const text = [
    HOW_IT_STANDS[operation.state as keyof typeof HOW_IT_STANDS],
    `Do not book or pay again. In 30 seconds call ${call.tool.name} with ${how}; it will not be sent twice.`,
    `Operation ${operation.id}${operation.locator ? ` on ${operation.locator}` : ''}.`,
  ].join('\n');
  return {
    kind: 'result',
    text: sandboxed(call.context.environment, text),
    structured: common(call, 'pending', operation, approval, handle),
    isError: false,
  };
}

function needsPerson(
  call: GuardedCall,
  approval: Approval | undefined,
  handle: string | undefined,
  operation: Operation,
): Result {
  const text = [
    'STOP: a person must check. It is not certain what was done, and nothing more is sent.',
    operation.outcome?.check ?? 'Check the booking at the airline before anything else is done with it.',
    `Tell the user exactly this. Operation ${operation.id}${operation.locator ? ` on ${operation.locator}` : ''}.`,
  ].join('\n');
  return {
    kind: 'result',
    text: sandboxed(call.context.environment, text),
    structured: common(call, 'needs_person', operation, approval, handle),
    isError: false,
  };
}

/** Where the question waits. `closed`: the dialog gave no answer; the next call asks on the page, `nowhere`: there is none. */
export type WaitingWay = 'page' | 'link' | 'terminal' | 'echo' | 'closed' | 'nowhere';

const HOW_TO_GO_ON: Record<WaitingWay, (tool: string, handle: string, operationId: string) => string> = {
  link: (tool, handle) =>
    `The person must open the address in approval.url, sign in and decide. Then call ${tool} again with the same arguments and approval_id ${handle}.`,
  page: (tool, handle) =>
    `A page has opened for the person to decide on. Then call ${tool} again with the same arguments and approval_id ${handle}.`,
  terminal: (tool, handle, operationId) =>
    `A person must run \`fareclerk approve ${operationId}\` in a terminal on this machine. Then call ${tool} again with the same arguments and approval_id ${handle}.`,
  echo: (tool, handle) =>
    `Show these terms to the person word for word. Only if they agree, call ${tool} again with the same arguments and approval_id ${handle}.`,
  closed: (tool, handle) =>
    `The dialog was closed without an answer. If the person still wants it, call ${tool} again with the same arguments and approval_id ${handle}: a page will ask.`,
  nowhere: (tool) =>
    `The dialog was closed without an answer. If the person still wants it, call ${tool} again without approval_id: it asks anew.`,
};

/** Nothing was sent: a person's yes is missing. */
export function approvalRequired(
  call: GuardedCall,
  approval: Approval,
  handle: string,
  where: { way: WaitingWay; url?: string | undefined },
): Result {
  const text = [
    'APPROVAL REQUIRED. Nothing was sent. The terms:',
    ...approval.lines.map((line) => `  ${line}`),
    HOW_TO_GO_ON[where.way](call.tool.name, handle, approval.operationId),
  ].join('\n');
  return {
    kind: 'result',
    text: sandboxed(call.context.environment, text),
    structured: {
      environment: call.context.environment,
      status: 'approval_required',
      operation_id: approval.operationId,
      ...approvalField(approval, handle, where.url),
      ...(approval.locator !== undefined && {
        booking: { locator: approval.locator, state: 'unknown', changed: [] },
      }),
    },
    isError: false,
  };
}

/** Of another tenant's operation nothing is told but that it is there. */
export function bookingBusy(tenant: string, other: Pick<Operation, 'tenant' | 'tool'>, locator: string): ClerkError {
  if (other.tenant !== tenant) {
    return new ClerkError('E_BOOKING_BUSY', `Another operation on ${locator} is under way. Nothing was sent.`, {
      next: 'Try again later: wait, then call read_booking to see how the booking stands.',
      retry: 'after_s:30',
    });
  }
  return new ClerkError(
    'E_BOOKING_BUSY',
    `${locator} has an operation whose outcome is not known yet (${other.tool}). Nothing else is sent meanwhile.`,
    { next: 'Wait, then call read_booking; it shows the open operation.', retry: 'after_s:30' },
  );
}
