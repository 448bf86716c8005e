/**
 * The clerk as one caller has it: the tools that the token is granted, and the bookings within reach.
 */

import { type Claims, withinReach } from '../../approvals/booking-access.ts';
import { claimsWithJournal, claimsWithLedger } from '../../approvals/claims.ts';
import { scopeOf } from '../../approvals/scopes.ts';
import type { Caller } from '../../domain/people/caller.ts';
import { ClerkError } from '../../errors.ts';
import type { OperationStore } from '../../journal/ports.ts';
import type { Tool, ToolSettings } from '../../tools/definition/define.ts';
import type { Answer } from '../answer.ts';
import { type CallHow, type Clerk, type ClerkOptions, createClerk, type Runtime } from '../clerk.ts';
import { overStore } from '../over-store.ts';
import type { Visit } from './current-caller.ts';

export interface CallerClerkOptions {
  readonly clerk: Clerk;
  readonly visit: Visit;
  readonly claims: Claims;
}

/** Cheap: made for every request. Nothing is opened until a tool is called. */
export function clerkOf({ clerk, visit, claims }: CallerClerkOptions): Clerk {
  const { caller, scopes } = visit;
  if (scopes === undefined) return clerk;
  const tools = clerk.tools.filter((tool) => scopes.has(scopeOf(tool)));
  const withheld = new Map(clerk.options.withheld);
  for (const tool of clerk.tools) if (!tools.includes(tool)) withheld.set(tool.name, notGranted(tool));

  return {
    ...clerk,
    tools,
    call(name: string, args: unknown, how: CallHow): Promise<Answer> {
      const mine = atOwnDesk(clerk, caller, { tools, withheld }, (parts) =>
        reachedParts(parts, caller, knownClaims(claims, parts), args),
      );
      return mine.call(name, args, how);
    },
  };
}

/** The clerk as whoever asked had it, to carry out what was decided on the page: their point of sale is kept. */
export function clerkOfAsker(clerk: Clerk, asker: Caller): Clerk {
  return atOwnDesk(clerk, asker, {}, (parts) => parts);
}

/** The same clerk with the airline and the currency of the caller's point of sale, within what `reached` leaves. */
function atOwnDesk(
  clerk: Clerk,
  caller: Caller,
  changes: Partial<Pick<ClerkOptions, 'tools' | 'withheld'>>,
  reached: (parts: Runtime) => Runtime,
): Clerk {
  // Filled in once the parts are open: some settings are only known then.
  const settings: { -readonly [K in keyof ToolSettings]: ToolSettings[K] } = { ...clerk.options.settings };
  async function open(): Promise<Runtime> {
    const { deskOf, ...parts } = await clerk.parts();
    const desk = deskOf?.(caller);
    Object.assign(settings, clerk.options.settings, desk && { currency: desk.currency });
    return reached(desk === undefined ? parts : { ...parts, airline: desk.airline });
  }
  return createClerk({ ...clerk.options, ...changes, settings, open });
}

/** What was written down, what the ledger shows, and what the journal proves. */
function knownClaims(claims: Claims, { state }: Runtime): Claims {
  return claimsWithJournal(claimsWithLedger(claims, state.ledger), state.operations);
}

function reachedParts(parts: Runtime, caller: Caller, claims: Claims, args: unknown): Runtime {
  const surname = surnameIn(args);
  const reach = { caller, claims, now: () => parts.clock.now(), ...(surname !== undefined && { surname }) };
  const operations = ownOperations(parts.state.operations, caller);
  return { ...parts, airline: withinReach(parts.airline, reach), state: { ...parts.state, operations } };
}

/** Reports and lists tell of the caller's own operations; of a booking within reach, of everybody's. */
function ownOperations(store: OperationStore, caller: Caller): OperationStore {
  return overStore(store, {
    list: (filter) => store.list(filter.locator === undefined ? { ...filter, caller: caller.id } : filter),
    activity: (query) => store.activity({ ...query, caller: caller.id }),
  });
}

/** read_booking's way to claim a booking. The pipeline has refused the field wherever a tool does not know it. */
function surnameIn(args: unknown): string | undefined {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(args, 'surname')) return undefined;
  const { surname } = args as { surname?: unknown };
  return typeof surname === 'string' ? surname : undefined;
}

function notGranted(tool: Tool): ClerkError {
  return new ClerkError(
    'E_NOT_PERMITTED',
    `${tool.name} needs ${scopeOf(tool)}, which was not granted. Nothing was sent.`,
    {
      next: 'The person must sign in again and grant it.',
    },
  );
}
