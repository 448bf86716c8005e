/**
 * Dialects, and deviations of replies within one (docs/wire/notes.md, Tolerated in replies). replies/ holds what
 * distinguishes `rail` from `airline`. Each deviation is one function from reply to reply and can be switched on alone.
 */
import { ERROR_FORMS } from './error-forms.ts';
import { isRecord, type Wire } from './wire.ts';

type Rewrite = (reply: Wire) => Wire;

/** Applies `rewrite` to every object of a reply, from the leaves up. */
function everywhere(value: unknown, rewrite: (object: Wire) => Wire): unknown {
  if (Array.isArray(value)) return value.map((item) => everywhere(item, rewrite));
  if (!isRecord(value)) return value;
  const inner = Object.entries(value).map(([key, item]) => [key, everywhere(item, rewrite)]);
  return rewrite(Object.fromEntries(inner) as Wire);
}

function inEvery(rewrite: (object: Wire) => Wire): Rewrite {
  return (reply) => everywhere(reply, rewrite) as Wire;
}

function renamed(object: Wire, from: string, to: string): Wire {
  if (!(from in object)) return object;
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === from ? to : key, value]));
}

function without(object: Wire, ...keys: readonly string[]): Wire {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Rewrites the reservation of a reply that has one. */
function inReservation(rewrite: (reservation: Wire) => Wire): Rewrite {
  return (reply) => {
    const { airReservation } = reply;
    return isRecord(airReservation) ? { ...reply, airReservation: rewrite(airReservation) } : reply;
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const extensionSpelling = inEvery((object) => {
  const spelling = 'couponInfos' in Object(object.tpaextensions) ? 'tpaExtensions' : 'TPA_Extensions';
  return renamed(object, 'tpaextensions', spelling);
});

const contactLast = inEvery((object) => {
  const people = object.airTraveler;
  if (!Array.isArray(people)) return object;
  const isContact = (one: unknown): boolean => isRecord(one) && one.passengerTypeCode === 'CTC';
  const airTraveler = [...people.filter((one) => !isContact(one)), ...people.filter(isContact)];
  return { ...object, airTraveler };
});

const nullNamePrefix = inEvery((object) =>
  'surname' in object && !('namePrefix' in object) ? { ...object, namePrefix: [null] } : object,
);

/** Number and nationality in one item, dates in another. */
const splitDocuments = inEvery((object) => {
  const [document, ...more] = listOf(object.document);
  if (!isRecord(document) || more.length > 0 || document.docID === undefined) return object;
  const dates = ['birthDate', 'expireDate'].filter((key) => document[key] !== undefined);
  const rest = Object.fromEntries(dates.map((key) => [key, document[key]]));
  return { ...object, document: [without(document, ...dates), rest] };
});

const replyVersionText: Rewrite = (reply) => ('version' in reply ? { ...reply, version: '2.001' } : reply);

const replyVersionNumber: Rewrite = (reply) =>
  'airReservation' in reply || 'pricedItineraries' in reply ? { ...reply, version: 2.001 } : reply;

/** Repeats the point of sale, with the other spelling of `isoCurrency`. */
const echoedPointOfSale: Rewrite = (reply) => {
  const currency = /"currencyCode":"([A-Z]{3})"/.exec(JSON.stringify(reply.airReservation ?? {}))?.[1];
  return currency === undefined ? reply : { ...reply, pos: { source: [{ isoCurrency: currency }] } };
};

/** Breakdowns under the other of the two pricing parents. */
const breakdownsElsewhere = inEvery((object) => {
  const { priceInfo } = object;
  if (!isRecord(priceInfo) || priceInfo.ptcfareBreakdowns === undefined) return object;
  const { ptcfareBreakdowns } = priceInfo;
  return {
    ...object,
    priceInfo: without(priceInfo, 'ptcfareBreakdowns'),
    airItineraryPricingInfo: { ptcfareBreakdowns },
  };
});

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
  (reservation) =>
    everywhere(reservation, (object) =>
      Object.fromEntries(
        Object.entries(object).filter(
          ([key, value]) => TELLING.has(key) || !(Array.isArray(value) && value.length === 0),
        ),
      ),
    ) as Wire,
);

const pendingRefunds = inEvery((object) => {
  const info = object.orderInfo;
  if (!isRecord(info) || info.direction !== 'REFUND') return object;
  return { ...object, orderInfo: { ...info, status: 'PENDING' } };
});

/** Download addresses in the deprecated field. */
const spacedUrls = inEvery((object) => {
  const links = listOf(object.links).filter(isRecord);
  if (links.length === 0 || links.some((link) => link.href === undefined)) return object;
  return { ...without(object, 'links'), urls: links.map((link) => link.href).join(' ') };
});

const otherPaymentType = inEvery((object) => ('ticketNumber' in object ? { ...object, paymentType: '37' } : object));

const unwrappedItinerary = inEvery((object) => {
  const wrapper = object.originDestinationOptions;
  return isRecord(wrapper) ? { ...without(object, 'originDestinationOptions'), ...wrapper } : object;
});

const optionsWithoutPointer = inEvery((object) => ('flightSegment' in object ? without(object, 'rph') : object));

const unorderedCalendar: Rewrite = (reply) =>
  Array.isArray(reply.dates) ? { ...reply, dates: reply.dates.toReversed() } : reply;

const unknownFields = inEvery((object) => ({ ...object, vendorExtra: { note: 'not in the interface' } }));

const unchanged: Rewrite = (reply) => reply;

/**
 * Deviations of form only: a reader must decode the same booking with them and without. `segmentOperations` is
 * added where a booking is written, not here: it depends on the clock.
 */
export const TOLERANCES = {
  extensionSpelling,
  contactLast,
  nullNamePrefix,
  splitDocuments,
  replyVersionText,
  replyVersionNumber,
  echoedPointOfSale,
  breakdownsElsewhere,
  bareAfterCancellation,
  missingBranches,
  pendingRefunds,
  spacedUrls,
  otherPaymentType,
  unwrappedItinerary,
  optionsWithoutPointer,
  unorderedCalendar,
  unknownFields,
  segmentOperations: unchanged,
  ...ERROR_FORMS,
} as const satisfies Record<string, Rewrite>;

/** Deviations in content, made where the reply is written. */
const CONTENT_SWITCHES = [
  /** Search segments and options have no `rph`. */
  'searchWithoutPointers',
  /** A price row per traveller that names no segment. */
  'oldPriceRows',
  /** Search rows are repeated for each other class of the search. */
  'otherClassRows',
  /** No price rows at all. */
  'withoutPriceRows',
  /** A second `itinTotalFare`, of one adult, without a usage. */
  'secondTotal',
  /** An airline sends fare infos with penalty rules and limits too. */
  'structuredRules',
  /** The reading of a paid booking has limits and no penalty rules. */
  'paidWithoutRules',
  /** The reply to a booking shows the first option and its price only. */
  'holdShowsOneSegment',
  /** Tickets without coupons: a row per ticket and segment, with its link. */
  'ticketsByLink',
  /** `couponProviderDetails` in another order than the coupons, by `flightRefRPH`. */
  'providersByPointer',
] as const;

type ContentSwitch = (typeof CONTENT_SWITCHES)[number];
export type Tolerance = keyof typeof TOLERANCES | ContentSwitch;
export type Dialect = 'rail' | 'airline';

/** Segments carry `tpaextensions.operations`: what the airline allows now. */
export const OPERATIONS: Tolerance = 'segmentOperations';

export const DIALECTS: Readonly<Record<Dialect, readonly Tolerance[]>> = {
  rail: [],
  airline: [
    'segmentOperations',
    'bareAfterCancellation',
    'nullNamePrefix',
    'splitDocuments',
    'replyVersionNumber',
    'echoedPointOfSale',
    'otherPaymentType',
    'unorderedCalendar',
    'missingBranches',
  ],
};

function isRewrite(name: string): name is keyof typeof TOLERANCES {
  return Object.hasOwn(TOLERANCES, name);
}

export function isTolerance(name: string): name is Tolerance {
  return isRewrite(name) || CONTENT_SWITCHES.some((one) => one === name);
}

export function applyTolerances(tolerances: readonly Tolerance[], reply: Wire): Wire {
  return tolerances.filter(isRewrite).reduce<Wire>((rewritten, name) => TOLERANCES[name](rewritten), reply);
}
