/**
 * JSON objects as they travel, and the form that an airline gives its replies (docs/wire/notes.md, Tolerated in replies):
 * each deviation is one function from reply to reply. replies/ holds what distinguishes the content of the dialects.
 */
export type Wire = Record<string, unknown>;

export function isRecord(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields that are there: without those that are undefined. */
export function given<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

export type Dialect = 'rail' | 'airline';
type Form = (reply: Wire) => Wire;

/** Applies `rewrite` to every object of a reply, from the leaves up. */
function everywhere(value: unknown, rewrite: (object: Wire) => Wire): unknown {
  if (Array.isArray(value)) return value.map((item) => everywhere(item, rewrite));
  if (!isRecord(value)) return value;
  const inner = Object.entries(value).map(([key, item]) => [key, everywhere(item, rewrite)]);
  return rewrite(Object.fromEntries(inner) as Wire);
}

export function inEvery(rewrite: (object: Wire) => Wire): Form {
  return (reply) => everywhere(reply, rewrite) as Wire;
}

/** A copy without some fields. */
export function without(object: Wire, ...keys: readonly string[]): Wire {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Rewrites the reservation of a reply that has one. */
export function inReservation(rewrite: (reservation: Wire) => Wire): Form {
  return (reply) => {
    const { airReservation } = reply;
    return isRecord(airReservation) ? { ...reply, airReservation: rewrite(airReservation) } : reply;
  };
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const nullNamePrefix = inEvery((object) =>
  'surname' in object && !('namePrefix' in object) ? { ...object, namePrefix: [null] } : object,
);

/** Number and nationality in one item, dates in another. */
const splitDocuments = inEvery((object) => {
  const [document, ...more] = asList(object.document);
  if (!isRecord(document) || more.length > 0 || document.docID === undefined) return object;
  const dates = ['birthDate', 'expireDate'].filter((key) => document[key] !== undefined);
  const rest = Object.fromEntries(dates.map((key) => [key, document[key]]));
  return { ...object, document: [without(document, ...dates), rest] };
});

const replyVersionNumber: Form = (reply) =>
  'airReservation' in reply || 'pricedItineraries' in reply ? { ...reply, version: 2.001 } : reply;

/** Repeats the point of sale, with the other spelling of `isoCurrency`. */
const echoedPointOfSale: Form = (reply) => {
  const currency = /"currencyCode":"([A-Z]{3})"/.exec(JSON.stringify(reply.airReservation ?? {}))?.[1];
  return currency === undefined ? reply : { ...reply, pos: { source: [{ isoCurrency: currency }] } };
};

/** After a full cancellation the reservation has no itinerary, no price and no travellers. */
const bareAfterCancellation = inReservation((reservation) => {
  const statuses = [...JSON.stringify(reservation.airItinerary ?? {}).matchAll(/"status":"(\w+)"/g)];
  const cancelled = statuses.length > 0 && statuses.every(([, status]) => status === '16');
  // What the airline itself cancelled keeps its open coupons until the refund.
  if (!cancelled || JSON.stringify(reservation.ticketing ?? []).includes('"status":"O"')) return reservation;
  return { ...without(reservation, 'airItinerary', 'priceInfo', 'travelerInfo'), ticketing: [] };
});

/** Lists that are sent even when they are empty. */
const TELLING = new Set(['travelerRefNumber', 'ticketing']);

/** Omits the other empty lists of a reservation. */
const missingBranches = inReservation(
  inEvery((object) => {
    const isEmpty = (key: string): boolean => Array.isArray(object[key]) && asList(object[key]).length === 0;
    return without(object, ...Object.keys(object).filter((key) => !TELLING.has(key) && isEmpty(key)));
  }),
);

const otherPaymentType = inEvery((object) => ('ticketNumber' in object ? { ...object, paymentType: '37' } : object));

const unorderedCalendar: Form = (reply) =>
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
} as const satisfies Record<string, Form>;

/** A reply in the form of its dialect. */
export function inDialect(dialect: Dialect, reply: Wire): Wire {
  if (dialect === 'rail') return reply;
  return Object.values(AIRLINE_FORMS).reduce<Wire>((rewritten, form) => form(rewritten), reply);
}
