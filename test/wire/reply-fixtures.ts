/**
 * Every reply written by hand, with the codec that reads it.
 */
import type * as z from 'zod';
import { readFault } from '../../src/ota/fault-forms.ts';
import { bookReply } from '../../src/ota/messages/book.ts';
import { calendarReply } from '../../src/ota/messages/calendar.ts';
import { cancelReply } from '../../src/ota/messages/cancel.ts';
import { fareSearchReply } from '../../src/ota/messages/fare-search.ts';
import { groupBookReply, groupPriceReply } from '../../src/ota/messages/group-book.ts';
import { modifyReply } from '../../src/ota/messages/modify.ts';
import { readReply } from '../../src/ota/messages/read.ts';
import { routesReply } from '../../src/ota/messages/routes.ts';
import { seatMapReply } from '../../src/ota/messages/seat-map.ts';
import { ticketReply } from '../../src/ota/messages/ticket.ts';
import { fixture } from './fixture.ts';
import { golden } from './golden.ts';

export interface ReplyFixture {
  readonly name: string;
  readonly wire: unknown;
  readonly codec: Pick<z.ZodType, 'parse'>;
}

/** By the start of the name of a file in test/wire/replies. */
const CODECS: Readonly<Record<string, z.ZodType>> = {
  search: fareSearchReply,
  availability: fareSearchReply,
  'price-check': groupPriceReply,
  hold: bookReply,
  counts: groupBookReply,
  read: readReply,
  modify: modifyReply,
  pay: ticketReply,
  cancel: cancelReply,
  'seat-map': seatMapReply,
};

/** Replies that are no message to read: error forms, and one that is spoilt on purpose. */
export const UNREAD: ReadonlySet<string> = new Set(['errors', 'error-forms', 'search-unreadable']);

/** Fields of the readings that no paper names: they must go back with a change. */
export const UNNAMED: ReadonlySet<string> = new Set([
  'ledger',
  'serviceLevel',
  'frequency',
  'loungeAccess',
  'emailType',
]);

const FULL: readonly (readonly [string, z.ZodType])[] = [
  ['book-reply', bookReply],
  ['read-reply', readReply],
  ['fare-search-reply', fareSearchReply],
  ['availability-reply', fareSearchReply],
  ['ticket-reply', ticketReply],
  ['cancel-reply', cancelReply],
  ['seat-map-reply', seatMapReply],
  ['routes-reply', routesReply],
  ['calendar-reply', calendarReply],
];

/** An error form by its name; what it means is what the fault says. */
function errorFixture(form: string, body: unknown): ReplyFixture {
  const parse = (wire: unknown) => readFault(422, (wire as Readonly<Record<string, unknown>>)[form]);
  return { name: form, wire: { [form]: body }, codec: { parse } };
}

export function replyFixtures(files: readonly string[]): ReplyFixture[] {
  const full = FULL.map(([name, codec]) => ({ name, wire: fixture(name), codec }));
  const replies = files
    .filter((name) => !UNREAD.has(name))
    .map((name) => {
      const codec = Object.entries(CODECS).find(([start]) => name.startsWith(start))?.[1];
      if (codec === undefined) throw new Error(`no codec reads ${name}`);
      return { name, wire: golden('replies', name), codec };
    });
  const forms = Object.entries(golden('replies', 'error-forms') as Readonly<Record<string, unknown>>);
  return [...full, ...replies, ...forms.map(([form, body]) => errorFixture(form, body))];
}
