/**
 * Narrows the clerk to one caller: the tools that the token grants, and the bookings that the caller may see or change. At the end of
 * the file: the desk, which is what a supervisor sees.
 */

import { type Claims, claimsWithJournal, limitedToCaller } from '../access/booking-access.ts';
import { requiredScope } from '../access/scopes.ts';
import { digestWith } from '../approvals/digest.ts';
import type { Clerk, NamedCall, Narrow, Runtime } from '../clerk/clerk.ts';
import { withPointOfSale } from '../clerk/context.ts';
import { ClerkError } from '../core/errors.ts';
import { field } from '../core/own.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { isSameEntry } from '../domain/booking/booking-identity.ts';
import type { Ledger, LedgerEntry } from '../domain/booking/booking-ledger.ts';
import type { Caller, SignedIn } from '../domain/people/caller.ts';
import type { OperationReader, Tool } from '../tools/definition/define.ts';
import { ledgerEntry } from '../tools/steps/record-booking.ts';
import { callerDigest } from './access-line.ts';

/** Tools that show a supervisor the whole desk. `get_tickets` does not: it hands out documents. */
const DESK_TOOLS: ReadonlySet<string> = new Set([
  // What a change of a booking would cost.
  'search_fares',
  'list_bookings',
  'query_ledger',
  'read_booking',
  'quote_cancellation',
  'get_seat_map',
]);

/** Without an issuer there are no scopes: everything is allowed, as on stdio. */
export type AuthenticatedCaller = Pick<SignedIn, 'caller'> & Partial<SignedIn>;

/** Narrows the clerk to a caller. Every request has its own: it opens nothing until a tool is called. */
export function callerClerk(clerk: Clerk, { caller, scopes, supervisor }: AuthenticatedCaller): Clerk {
  if (scopes === undefined) return clerk;

  const tools = clerk.tools.filter((tool) => scopes.has(requiredScope(tool)));
  const withheld = new Map(clerk.options.withheld);
  for (const tool of clerk.tools) if (!tools.includes(tool)) withheld.set(tool.name, notGranted(tool));

  const supervisorCall = (call: NamedCall | undefined): SupervisorCall | undefined => {
    if (!supervisor || call === undefined) return undefined;
    return { noteRead: () => noteSupervisor(clerk, caller, call.name), showsDesk: DESK_TOOLS.has(call.name) };
  };
  const narrow: Narrow = (runtime, call) =>
    withinAccess(atPointOfSale(runtime, caller), caller, call?.args, supervisorCall(call));

  return clerk.narrowed(narrow, { tools, withheld });
}

/** Narrows the clerk to the asker's point of sale, to carry out what a person decided on the page. */
export function clerkOfAsker(clerk: Clerk, asker: Caller): Clerk {
  return clerk.narrowed((runtime) => atPointOfSale(runtime, asker));
}

/** The runtime at the point of sale of a caller: what works with it looks up no other. */
function atPointOfSale(runtime: Runtime, caller: Caller): Runtime {
  const { pointOfSaleOf: _, ...atOne } = withPointOfSale(runtime, caller);
  return atOne;
}

async function noteSupervisor(clerk: Clerk, caller: Caller, tool: string): Promise<void> {
  const digest = await callerDigest(clerk, caller).catch(() => undefined);
  clerk.options.log.supervisorRead?.({ tool, caller: digest });
}

/** A call of a supervisor; callers who are none have no such object. */
interface SupervisorCall {
  /** Called once if the call may have seen a booking of another caller. */
  noteRead(): unknown;
  /** Whether the tool is one of {@link DESK_TOOLS}. Other calls of a supervisor are refused for bookings of others. */
  readonly showsDesk: boolean;
}

/**
 * Limits the runtime to bookings that the caller claimed, or that their operations prove. A supervisor also sees
 * the whole desk by some tools, and each such reading is reported:
 *
 * | call                                   | bookings of others        | operations and ledger |
 * | -------------------------------------- | ------------------------- | --------------------- |
 * | of a caller                            | as if they did not exist  | the caller's own      |
 * | of a supervisor, by another tool       | refused: may only be read | the caller's own      |
 * | of a supervisor, by {@link DESK_TOOLS} | read                      | of the whole tenant   |
 */
function withinAccess(
  runtime: Runtime,
  caller: Caller,
  args: unknown,
  supervisorCall: SupervisorCall | undefined,
): Runtime {
  const { state, clock, airline } = runtime;
  const { ledger, operations } = state;
  const claims = claimsWithJournal(state.claims, operations);
  const access = {
    caller,
    claims,
    now: () => clock.now(),
    sleep: (ms: number) => clock.sleep(ms),
    surname: surnameIn(args),
    digest: digestWith(state.digestKey),
    hold: async () => (await state.chain?.status())?.hold,
    async ledgerShows(booking: Booking) {
      const { entries } = await ledger.find(caller, { locators: [booking.locator], limit: 1 });
      return showsSame(entries[0], booking);
    },
  };

  const callersOperations = ownOperations(operations, caller);
  if (supervisorCall === undefined)
    return { ...runtime, airline: limitedToCaller(airline, access), visibleOperations: callersOperations };

  const { noteRead, showsDesk } = supervisorCall;
  const desk = supervisorDesk(caller, { ledger, operations, ledgerRows: state.ledgerRows, claims, noteRead });
  const supervisorsAirline = limitedToCaller(airline, { ...access, desk: { ...desk, readable: showsDesk } });
  if (!showsDesk) return { ...runtime, airline: supervisorsAirline, visibleOperations: callersOperations };

  return {
    ...runtime,
    airline: supervisorsAirline,
    visibleOperations: desk.operations,
    deskLedger: desk.ledger,
    state: { ...state, ...(desk.ledgerRows && { ledgerRows: desk.ledgerRows }) },
  };
}

/** Limits lists to the caller's own operations; a list of one booking within access shows everybody's. */
function ownOperations(all: OperationReader, { id: caller }: Caller): OperationReader {
  return {
    get: (id) => all.get(id),
    list: (filter) => all.list(filter.locator === undefined ? { ...filter, caller } : filter),
    // Of operations that the caller may list.
    reasons: (ids) => all.reasons(ids),
  };
}

/** Whether an entry is of this booking; undefined if the entry has no sign of it. */
function showsSame(entry: LedgerEntry | undefined, booking: Booking): boolean | undefined {
  return entry && isSameEntry(entry, ledgerEntry(booking, { madeHere: false, now: entry.seenAt }));
}

/** Reads the surname with which read_booking claims a booking. The pipeline has refused the field for all other tools. */
function surnameIn(args: unknown): string | undefined {
  const surname = field(args, 'surname');
  return typeof surname === 'string' ? surname : undefined;
}

function notGranted(tool: Tool): ClerkError {
  return new ClerkError(
    'E_NOT_PERMITTED',
    `${tool.name} needs ${requiredScope(tool)}, which was not granted. Nothing was sent.`,
    {
      next: 'The person must sign in again and grant it.',
    },
  );
}

interface DeskParts extends Pick<Runtime['state'], 'ledger' | 'operations' | 'ledgerRows'> {
  /** The supervisor's own claims. */
  readonly claims: Claims;
  /** Called once if anything of others may have been seen. */
  noteRead(): unknown;
}

/**
 * Shows a supervisor (FARECLERK_DESK_ROLE) the bookings and operations of all callers of their tenant, in a few reading tools only: they
 * cannot change, pay or cancel a booking of another caller.
 */
function supervisorDesk({ tenant }: Caller, { ledger, operations, ledgerRows, claims, noteRead }: DeskParts) {
  let isNoted = false;
  const noteOnce = (): void => {
    if (!isNoted) noteRead();
    isNoted = true;
  };
  const newest = async (locator: string) =>
    (await ledger.findOfTenant(tenant, { locators: [locator], limit: 1 })).entries[0];

  const deskLedger: Ledger = {
    /** Enters a reading of another caller's booking as theirs: an entry of one's own would be a claim. */
    async record(caller, entry) {
      if (await claims.has(caller, entry.locator)) return ledger.record(caller, entry);
      const latest = await newest(entry.locator);
      if (latest !== undefined) await ledger.record({ tenant, id: latest.readBy }, { ...entry, madeHere: false });
    },

    find(_caller, query) {
      noteOnce();
      return ledger.findOfTenant(tenant, query);
    },

    findOfTenant: (_tenant, query) => ledger.findOfTenant(tenant, query),
    setCustomer: (caller, entry, customer) => ledger.setCustomer(caller, entry, customer),
    customerOf: (_tenant, signs) => ledger.customerOf(tenant, signs),
  };

  const deskOperations: OperationReader = {
    get: (id) => operations.get(id),
    // Tools list operations beside bookings, whose reading is noted where they come from: `find` or `has`.
    list: (filter) => operations.list({ ...filter, tenant }),
    reasons: (ids) => operations.reasons(ids),
  };

  return {
    ledger: deskLedger,
    operations: deskOperations,
    ledgerRows: ledgerRows && {
      noteRead: noteOnce,
      // Of a booking whose reading is noted where it comes from.
      questionsAbout: (...about: Parameters<typeof ledgerRows.questionsAbout>) => ledgerRows.questionsAbout(...about),
    },
    async has(locator: string): Promise<boolean> {
      const isOfDesk = (await newest(locator)) !== undefined;
      if (isOfDesk) noteOnce();
      return isOfDesk;
    },
    shows: async (booking: Booking): Promise<boolean> => showsSame(await newest(booking.locator), booking) === true,
  };
}
