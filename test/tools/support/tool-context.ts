/** What a tool needs to run outside of a clerk, for campaigns that no test runner plays: bookings made by hand. */
import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { ClerkError } from '../../../src/errors.ts';
import type { ToolContext } from '../../../src/tools/definition/define.ts';
import { type held, NOW } from '../../support/bookings.ts';

export interface DeskOptions {
  readonly bookings?: readonly ReturnType<typeof held>[];
  readonly settings?: Partial<ToolContext['settings']>;
  readonly now?: number;
}

/** `asked`: what the airline was asked, in order. */
export function openDesk({ bookings = [], settings, now = NOW }: DeskOptions = {}) {
  const asked: [method: string, argument: unknown][] = [];
  const none = async () => {
    throw new Error('the airline is asked for bookings alone');
  };
  const read = async (locator: string) => {
    asked.push(['read', locator]);
    const booking = bookings.find(({ references }) => references.some(({ id }) => id === locator));
    if (booking) return booking;
    throw new ClerkError('E_NOT_FOUND', 'There is no such booking.', { next: 'Ask the person.' });
  };
  const acts = { create: none, createFromCounts: none, pay: none, modify: none, cancel: none, sendMail: none };
  const readings = {
    searchFares: none,
    checkPrice: none,
    seatMap: none,
    ticketDocument: none,
    routes: none,
    calendar: none,
  };
  const nothing = async () => ({ entries: [], total: 0 });
  const ctx: ToolContext = {
    airline: { ...acts, ...readings, read },
    state: {
      offers: { put: none, get: async () => undefined },
      ledger: { record: async () => undefined, find: nothing, findOfTenant: nothing },
      operations: { list: async () => [], activity: none, counted: none, get: async () => undefined },
    },
    settings: { locale: 'en', maxTravelers: 9, currency: 'SAR', ...settings },
    environment: 'sandbox',
    caller: { tenant: 'desk', id: 'ann' },
    now: () => now,
    identity: (text) => createHash('sha256').update(text).digest('hex'),
  };
  return { ctx, asked };
}

/** Arguments as the pipeline hands them on: parsed by the tool's own schema. */
export function parsed<I extends z.ZodObject>(tool: { readonly input: () => I }, args: object): z.output<I> {
  return tool.input().parse(args);
}
