/**
 * The form that an airline gives its replies (docs/wire/notes.md, Tolerated in replies). Each deviation is one function from reply to
 * reply. A sandbox without it sends the plain form in both dialects.
 */
import { type Dialect, isRecord, type Wire, without } from '../../../src/sandbox/wire.ts';

/** Returns a list as it is, and an empty one for anything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

type RewriteReply = (reply: Wire) => Wire;

/** Applies `rewrite` to every object of a reply, from the leaves up. */
function rewriteObjects(value: unknown, rewrite: (object: Wire) => Wire): unknown {
  if (Array.isArray(value)) return value.map((item) => rewriteObjects(item, rewrite));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, rewriteObjects(item, rewrite)]);
  return rewrite(Object.fromEntries(entries) as Wire);
}

/** Makes a rewriting of replies from one of objects. */
export function inEvery(rewrite: (object: Wire) => Wire): RewriteReply {
  return (reply) => rewriteObjects(reply, rewrite) as Wire;
}

/** Makes a rewriting of replies from one of reservations. */
export function inReservation(rewrite: (reservation: Wire) => Wire): RewriteReply {
  return (reply) => {
    const { airReservation } = reply;
    return isRecord(airReservation) ? { ...reply, airReservation: rewrite(airReservation) } : reply;
  };
}

/** Adds `[null]` for a missing name prefix. */
const nullNamePrefix = inEvery((object) =>
  'surname' in object && !('namePrefix' in object) ? { ...object, namePrefix: [null] } : object,
);

/** Splits each document into two items, the second with the dates. */
const splitDocuments = inEvery((object) => {
  const [document, ...otherItems] = asList(object.document);
  if (!isRecord(document) || otherItems.length > 0 || document.docID === undefined) return object;
  const dateKeys = ['birthDate', 'expireDate'].filter((key) => document[key] !== undefined);
  const datesItem = Object.fromEntries(dateKeys.map((key) => [key, document[key]]));
  return { ...object, document: [without(document, ...dateKeys), datesItem] };
});

const replyVersionNumber: RewriteReply = (reply) =>
  'airReservation' in reply || 'pricedItineraries' in reply ? { ...reply, version: 2.001 } : reply;

/** Repeats the point of sale with the first currency of the reservation, which it spells `isoCurrency`. */
const echoedPointOfSale: RewriteReply = (reply) => {
  const currency = /"currencyCode":"([A-Z]{3})"/.exec(JSON.stringify(reply.airReservation ?? {}))?.[1];
  return currency === undefined ? reply : { ...reply, pos: { source: [{ isoCurrency: currency }] } };
};

/** Leaves out itinerary, price and travellers after a full cancellation. */
const bareAfterCancellation = inReservation((reservation) => {
  const statuses = [...JSON.stringify(reservation.airItinerary ?? {}).matchAll(/"status":"(\w+)"/g)];
  const isCancelled = statuses.length > 0 && statuses.every(([, status]) => status === '16');
  // What the airline itself cancelled keeps its open coupons until the refund.
  if (!isCancelled || JSON.stringify(reservation.ticketing ?? []).includes('"status":"O"')) return reservation;
  return { ...without(reservation, 'airItinerary', 'priceInfo', 'travelerInfo'), ticketing: [] };
});

/** Lists that are sent even if they are empty. */
const SENT_IF_EMPTY = new Set(['travelerRefNumber', 'ticketing']);

/** Omits the other empty lists of a reservation. */
const missingBranches = inReservation(
  inEvery((object) => {
    const isEmpty = (key: string): boolean => Array.isArray(object[key]) && asList(object[key]).length === 0;
    return without(object, ...Object.keys(object).filter((key) => !SENT_IF_EMPTY.has(key) && isEmpty(key)));
  }),
);

/** Shows another payment type on tickets than the one that paid. */
const otherPaymentType = inEvery((object) => ('ticketNumber' in object ? { ...object, paymentType: '37' } : object));

const unorderedCalendar: RewriteReply = (reply) =>
  Array.isArray(reply.dates) ? { ...reply, dates: reply.dates.toReversed() } : reply;

/** Deviations of form only: a reader must decode the same booking with them and without. */
export const AIRLINE_FORMS = {
  bareAfterCancellation,
  nullNamePrefix,
  splitDocuments,
  replyVersionNumber,
  echoedPointOfSale,
  otherPaymentType,
  unorderedCalendar,
  missingBranches,
} as const satisfies Record<string, RewriteReply>;

/** Gives a reply the form of its dialect. */
export function inDialect(dialect: Dialect, reply: Wire): Wire {
  if (dialect === 'rail') return reply;
  return Object.values(AIRLINE_FORMS).reduce<Wire>((rewritten, form) => form(rewritten), reply);
}
