/**
 * Every reply written by hand, with what reads it.
 */
import { readFault } from '../../../src/ota/errors/fault-forms.ts';
import { decodeBookReply } from '../../../src/ota/messages/book.ts';
import { decodeCalendarReply } from '../../../src/ota/messages/calendar.ts';
import { decodeCancelReply } from '../../../src/ota/messages/cancel.ts';
import { decodeFareSearchReply } from '../../../src/ota/messages/fare-search.ts';
import { decodeGroupBookReply } from '../../../src/ota/messages/group-book.ts';
import { decodeModifyReply } from '../../../src/ota/messages/modify.ts';
import { decodePriceCheckReply } from '../../../src/ota/messages/price-check.ts';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';
import { decodeRoutesReply } from '../../../src/ota/messages/routes.ts';
import { decodeSeatMapReply } from '../../../src/ota/messages/seat-map.ts';
import { decodeTicketReply } from '../../../src/ota/messages/ticket.ts';
import { fixture } from './fixture.ts';
import { golden } from './golden.ts';

type Decode = (wire: unknown) => unknown;

export interface ReplyFixture {
  readonly name: string;
  readonly wire: unknown;
  readonly decode: Decode;
}

const NOBODY = { adults: 0, children: 0, infants: 0 };

/** By the start of the name of a file in test/ota/messages/replies. */
const DECODERS: Readonly<Record<string, Decode>> = {
  search: decodeFareSearchReply,
  availability: decodeFareSearchReply,
  'price-check': (wire) => decodePriceCheckReply(wire, { options: [], passengers: NOBODY }),
  hold: decodeBookReply,
  counts: decodeGroupBookReply,
  read: decodeReadReply,
  modify: decodeModifyReply,
  pay: decodeTicketReply,
  cancel: decodeCancelReply,
  'seat-map': decodeSeatMapReply,
};

/** Replies that are no message to read: error forms, and one that is spoilt on purpose. */
export const UNREAD: ReadonlySet<string> = new Set(['error-forms', 'search-unreadable']);

/** Fields of the readings that no paper names: they must go back with a change. */
export const UNNAMED: ReadonlySet<string> = new Set([
  'ledger',
  'serviceLevel',
  'frequency',
  'loungeAccess',
  'emailType',
]);

const FULL: readonly (readonly [string, Decode])[] = [
  ['book-reply', decodeBookReply],
  ['read-reply', decodeReadReply],
  ['fare-search-reply', decodeFareSearchReply],
  ['availability-reply', decodeFareSearchReply],
  ['ticket-reply', decodeTicketReply],
  ['cancel-reply', decodeCancelReply],
  ['seat-map-reply', decodeSeatMapReply],
  ['routes-reply', decodeRoutesReply],
  ['calendar-reply', decodeCalendarReply],
];

/** An error form by its name; what it means is what the fault says. */
function errorFixture(form: string, body: unknown): ReplyFixture {
  const decode = (wire: unknown) => readFault(422, (wire as Readonly<Record<string, unknown>>)[form]);
  return { name: form, wire: { [form]: body }, decode };
}

export function replyFixtures(files: readonly string[]): ReplyFixture[] {
  const full = FULL.map(([name, decode]) => ({ name, wire: fixture(name), decode }));
  const replies = files
    .filter((name) => !UNREAD.has(name))
    .map((name) => {
      const decode = Object.entries(DECODERS).find(([start]) => name.startsWith(start))?.[1];
      if (decode === undefined) throw new Error(`nothing reads ${name}`);
      return { name, wire: golden('replies', name), decode };
    });
  const forms = Object.entries(golden('replies', 'error-forms') as Readonly<Record<string, unknown>>);
  return [...full, ...replies, ...forms.map(([form, body]) => errorFixture(form, body))];
}
