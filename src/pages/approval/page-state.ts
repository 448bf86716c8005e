/**
 * Reads what a page shows from the clerk: approvals, operations, plans, and the tickets of a payment to download. The address of a
 * file needs the same access as its page.
 */
import type { Approval } from '../../approvals/approval.ts';
import type { Clerk, ClerkLog } from '../../clerk/clerk.ts';
import { ClerkError } from '../../core/errors.ts';
import type { Caller } from '../../domain/people/caller.ts';
import type { Operation } from '../../journal/operation.ts';
import type { Clock } from '../../journal/ports.ts';
import type { PlanView } from '../../plans/plan.ts';
import { ACTS } from '../../tools/index.ts';
import type { TicketFile } from '../browser/page-reply.ts';

/** A plan as the state has it at the moment. */
export interface CurrentPlan {
  readonly view: PlanView;
  /** Operation id of the question that was asked last. */
  readonly question?: string | undefined;
}

export interface PlanReader {
  /** Reads a plan by its id. Undefined if the state no longer has it. */
  plan(id: string): Promise<CurrentPlan | undefined>;
  /** Stops a plan: none of its lines begins any more. */
  stopPlan(id: string): Promise<void>;
}

/** Reads the state, with the clock by which approvals expire: instances that share a database share its clock. */
export function pageState(clerk: Clerk) {
  let clock: Pick<Clock, 'now'> = Date;
  const state = async () => {
    const runtime = await clerk.runtime();
    clock = runtime.clock;
    return runtime.state;
  };
  return {
    state,
    find: async (operationId: string) => (await state()).approvals.byOperation(operationId),
    operation: async (operationId: string) => (await state()).operations.get(operationId),
    async plan(id: string): Promise<CurrentPlan | undefined> {
      const view = await clerk.plan(id);
      if (view === undefined) return undefined;
      return { view, question: (await (await state()).plans?.get(id))?.question };
    },
    async stopPlan(id: string): Promise<void> {
      await clerk.stopPlan(id);
    },
    /** Milliseconds since 1970, from this machine until the state was first opened. */
    now: () => clock.now(),
    log: { failure: (fields: Parameters<ClerkLog['failure']>[0]) => clerk.options.log.failure(fields) },
  };
}

export interface TicketFileLink {
  /** `Ticket of Amal Haddad (PDF)` */
  readonly label: string;
  /** Absolute address on our own server. Absent: the page serves the file itself, with `ticketFile`. */
  readonly href?: string;
  /** Number of the ticket that the file belongs to. */
  readonly number?: string;
}

interface TicketFiles {
  /** Lists the files in their order: the address of the first ends in `/tickets/1`. */
  ticketLinks?(approval: Approval, operation: Operation): Promise<readonly TicketFileLink[]>;
  /** Reads one file. @param n its place in `ticketLinks`, from 0 */
  ticketFile?(approval: Approval, operation: Operation, n: number): Promise<TicketFile | undefined>;
}

/** Offers one file for each coupon that the approval knows. It is fetched when opened; the page has checked who asks. */
export function ticketsFrom(clerkOf: (asker: Caller) => Clerk): Required<TicketFiles> {
  return {
    async ticketLinks(approval) {
      const offered = clerkOf(asker(approval)).tools.some(({ name }) => name === 'get_tickets');
      return offered ? labelCoupons(approval).map(({ number, label }) => ({ number, label })) : [];
    },
    async ticketFile(approval, { locator = '' }, n) {
      const wanted = labelCoupons(approval)[n];
      if (wanted === undefined) return undefined;
      const { number, coupon } = wanted;
      const caller = asker(approval);
      try {
        const bytes = await clerkOf(caller).ticket({ locator, number, coupon }, { caller });
        return { name: `${locator}-${number}-${coupon}.pdf`, bytes };
      } catch (error) {
        if (error instanceof ClerkError) return undefined;
        throw error;
      }
    },
  };
}

function asker({ tenant, caller }: Approval): Caller {
  return { tenant, id: caller };
}

/** Labels the coupons. No two labels are the same. */
function labelCoupons({ after }: Approval) {
  const described = (after?.tickets ?? []).flatMap(({ number, passenger = `ticket ${number}`, coupons = [] }) =>
    coupons.map(({ name, flight = 'ticket' }) => ({ number, coupon: name, words: `${flight} of ${passenger}` })),
  );
  return described.map(({ number, coupon, words }) => {
    const isUnique = described.filter((other) => other.words === words).length === 1;
    return { number, coupon, label: `Download ${words}${isUnique ? '' : `, ${number}-${coupon}`} (PDF)` };
  });
}

export interface TicketSource extends TicketFiles {
  /** Reads an operation from the journal. */
  operation(operationId: string): Promise<Operation | undefined>;
}

/** Lists the tickets of a payment. Undefined if the links cannot be made now; the page still shows the numbers. */
export async function listTicketLinks(
  approval: Approval,
  { operation, ticketLinks }: TicketSource,
  logFailure: (error: unknown) => void,
): Promise<readonly TicketFileLink[] | undefined> {
  if (ticketLinks === undefined) return [];
  try {
    const payment = paidOperation(await operation(approval.operationId));
    return payment === undefined ? [] : await ticketLinks(approval, payment);
  } catch (error) {
    logFailure(error);
    return undefined;
  }
}

/** Reads one ticket of a payment. Undefined if nothing was paid, or there is no such ticket. */
export async function readTicketFile(
  approval: Approval,
  n: number,
  source: TicketSource,
): Promise<TicketFile | undefined> {
  const payment = paidOperation(await source.operation(approval.operationId));
  return payment && source.ticketFile?.(approval, payment, n);
}

/** The operation, if it is a payment that succeeded. */
function paidOperation(operation: Operation | undefined): Operation | undefined {
  return operation?.state === 'succeeded' && ACTS.of(operation.subject).countedAs === 'payment' ? operation : undefined;
}
