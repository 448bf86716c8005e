/** What a tool needs to run: an airline that answers from bookings made by hand, and a state in memory. */
import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { mintConfirmed } from '../../../src/approvals/confirmed.ts';
import type { Operation, Terms } from '../../../src/approvals/terms.ts';
import type { Airline, Dispatch } from '../../../src/domain/airline.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import type { LedgerEntry } from '../../../src/domain/booking/booking-ledger.ts';
import type { Offer, PassengerCounts } from '../../../src/domain/pricing/fare-search.ts';
import type { ShelvedOffer } from '../../../src/domain/pricing/offer-store.ts';
import { ClerkError, type ErrorCode } from '../../../src/errors.ts';
import type { Done, GuardedTool, Tool, ToolContext } from '../../../src/tools/definition/define.ts';
import { activityOf, countedOf } from '../../store/activity-of.ts';
import { NOW, OUT, price, row, sar } from '../../support/bookings.ts';

/** What the airline was asked, in order. */
export type Asked = readonly [method: string, argument: unknown];

export interface Desk {
  readonly ctx: ToolContext;
  readonly asked: Asked[];
  readonly ledger: Map<string, LedgerEntry>;
  readonly operations: Operation[];
  readonly shelf: Map<string, ShelvedOffer>;
}

export interface DeskOptions {
  readonly bookings?: readonly Booking[];
  readonly airline?: Partial<Airline>;
  readonly settings?: Partial<ToolContext['settings']>;
  readonly now?: number;
  readonly progress?: ToolContext['progress'];
}

export function openDesk(options: DeskOptions = {}): Desk {
  const asked: Asked[] = [];
  const ledger = new Map<string, LedgerEntry>();
  const operations: Operation[] = [];
  const shelf = new Map<string, ShelvedOffer>();
  const clock = { now: options.now ?? NOW };
  const ctx: ToolContext = {
    airline: fakeAirline(options, asked),
    state: {
      offers: {
        put: async (_caller, offers) =>
          offers.map((offer) => {
            const handle = `o${String(shelf.size + 1).padStart(6, '0')}`;
            shelf.set(handle, offer);
            return handle;
          }),
        get: async (_caller, handle) => shelf.get(handle),
      },
      ledger: {
        record: async (_caller, entry) => void ledger.set(entry.locator, entry),
        find: async (_caller, query) => {
          const found = [...ledger.values()].filter(
            (entry) =>
              (query.state === undefined || entry.state === query.state) &&
              (query.locators === undefined || query.locators.includes(entry.locator)) &&
              (query.query === undefined || JSON.stringify(entry).includes(query.query)) &&
              (query.deadlineBefore === undefined || Date.parse(entry.nextDeadline?.at ?? '') < query.deadlineBefore),
          );
          return { entries: found.slice(0, query.limit), total: Math.min(found.length, query.limit + 1) };
        },
        findOfTenant: async () => ({ entries: [], total: 0 }),
      },
      operations: {
        list: async (filter) =>
          operations
            .filter((each) => filter.locator === undefined || each.locator === filter.locator)
            .filter((each) => filter.states === undefined || filter.states.includes(each.state))
            .filter((each) => each.createdAt >= (filter.from ?? 0) && each.createdAt < (filter.to ?? Infinity)),
        activity: async (query) => activityOf(operations, query, (locator) => ledger.get(locator)),
        counted: async (query) => countedOf(operations, query, (locator) => ledger.get(locator)),
        get: async (id) => operations.find((each) => each.id === id),
      },
    },
    settings: { locale: 'en', maxTravelers: 9, currency: 'SAR', ...options.settings },
    environment: 'sandbox',
    caller: { tenant: 'desk', id: 'ann' },
    now: () => clock.now,
    identity: (text) => createHash('sha256').update(text).digest('hex'),
    ...(options.progress && { progress: options.progress }),
  };
  return { ctx, asked, ledger, operations, shelf };
}

function fakeAirline(options: DeskOptions, asked: Asked[]): Airline {
  const refuse = (method: string) => async () => {
    throw new Error(`the airline must not be asked: ${method}`);
  };
  const own: Airline = {
    searchFares: refuse('searchFares'),
    checkPrice: refuse('checkPrice'),
    create: refuse('create'),
    createFromCounts: refuse('createFromCounts'),
    read: async (locator) => {
      const booking = options.bookings?.find((each) => each.references.some(({ id }) => id === locator));
      if (booking) return booking;
      throw new ClerkError('E_NOT_FOUND', 'There is no such booking.', { next: 'Ask the person.' });
    },
    pay: refuse('pay'),
    modify: refuse('modify'),
    cancel: refuse('cancel'),
    sendMail: refuse('sendMail'),
    seatMap: refuse('seatMap'),
    ticketDocument: refuse('ticketDocument'),
    routes: refuse('routes'),
    calendar: refuse('calendar'),
    ...options.airline,
  };
  const noted = Object.entries(own).map(([method, answer]) => [
    method,
    (...args: unknown[]) => {
      asked.push([method, args[0]]);
      return (answer as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  return Object.fromEntries(noted);
}

/** Arguments as the pipeline hands them on: parsed by the tool's own schema. */
export function parsed<I extends z.ZodObject>(tool: { readonly input: () => I }, args: object): z.output<I> {
  return tool.input().parse(args);
}

/** Messages of the refusals of a tool's own schema. */
export function inputProblems(tool: Tool, args: object): string[] {
  const result = tool.input().safeParse(args);
  return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

/** The error a promise ends in; fails where it ends well. */
export async function refusal(promise: Promise<unknown>): Promise<ClerkError> {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  if (error instanceof ClerkError) return error;
  throw new Error(`expected a refusal, got ${error}`);
}

export async function refusedWith(promise: Promise<unknown>, code: ErrorCode): Promise<ClerkError> {
  const error = await refusal(promise);
  if (error.code !== code) throw new Error(`expected ${code}, got ${error.code}: ${error.message}`);
  return error;
}

const DISPATCH: Dispatch = { mayStart: () => true, keep: async () => {} };

/** What the pipeline does around a yes: preview, send once, report, words. */
export async function carryOut<I extends z.ZodObject, X extends z.ZodObject, T>(
  tool: GuardedTool<I, X, T>,
  given: object,
  desk: Desk,
  after?: Partial<Done<z.output<I>>>,
) {
  const args = parsed(tool, given);
  const terms = await tool.preview(args, desk.ctx);
  const evidence = await tool.commit(mintConfirmed(terms.send, 'op-1', DISPATCH), desk.ctx);
  const operation = operationOf(tool.name, terms);
  const done: Done<z.output<I>> = {
    args,
    operation,
    evidence,
    terms,
    ...(evidence.booking && { booking: evidence.booking }),
    ...after,
  };
  const report = tool.report(done, desk.ctx);
  const output = tool.output().partial().parse(report.added);
  return { args, terms, evidence, done, report, output, text: tool.text(output as never, done) };
}

export function operationOf(tool: string, terms: Terms, over: Partial<Operation> = {}): Operation {
  return {
    id: 'op-1',
    tenant: 'desk',
    caller: 'ann',
    tool,
    ...(terms.locator !== undefined && { locator: terms.locator }),
    ...(terms.fingerprint !== undefined && { fingerprint: terms.fingerprint }),
    ...(terms.money && { amount: terms.money.amount, direction: terms.money.direction }),
    ...(terms.estimate && { outcome: { estimate: terms.estimate } }),
    state: 'succeeded',
    assurance: 'person',
    argsDigest: 'a',
    termsDigest: 't',
    subject: terms.subject,
    createdAt: NOW,
    updatedAt: NOW,
    owner: 'o',
    leaseUntil: NOW,
    negatives: 0,
    ...over,
  };
}

export const ONE_ADULT: PassengerCounts = { adults: 1, children: 0, infants: 0 };

export function offer(over: Partial<Offer> = {}): Offer {
  return {
    options: [OUT],
    pricing: { total: price(sar(34500)), refunds: [], fares: [], perType: [row('ADT', 1, sar(34500))] },
    notes: [],
    ...over,
  };
}

export function shelved(over: Partial<ShelvedOffer> = {}): ShelvedOffer {
  return {
    offer: offer(),
    passengers: ONE_ADULT,
    shownAt: NOW,
    legs: [{ from: 'MED', to: 'JED', date: '2026-12-01' }],
    ...over,
  };
}
