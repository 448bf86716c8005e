/**
 * Airlines whose replies deviate from those of the sandbox (docs/reference/dialects.md, Supported deviations):
 * `startSandbox({ rewrite: deviations('spacedUrls') })`. Each deviation is one function over a reply.
 */

import type { SandboxOptions } from '../../../src/sandbox/addresses/start.ts';
import { type CarrierBooking, findBooking } from '../../../src/sandbox/record.ts';
import { writeReservation } from '../../../src/sandbox/replies/reservation.ts';
import { type Dialect, without } from '../../../src/sandbox/wire.ts';
import { ERROR_FORMS } from './error-forms.ts';
import { AIRLINE_FORMS, asList, inEvery, inReservation } from './forms.ts';

export type Rewrite = NonNullable<SandboxOptions['rewrite']>;
export type Answered = Parameters<Rewrite>[1];
type Wire = ReturnType<Rewrite>;
type Form = (reply: Wire) => Wire;
// biome-ignore lint/suspicious/noExplicitAny: replies and requests are looked at as the JSON that they are.
export type Json = any;

export const SEARCH = 'OTA_AirLowFareSearchRQ';
export const BOOK = 'OTA_AirBookRQ';

function renamed(object: Wire, from: string, to: string): Wire {
  if (!(from in object)) return object;
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === from ? to : key, value]));
}

const extensionSpelling = inEvery((object) => {
  const spelling = 'couponInfos' in Object(object.tpaextensions) ? 'tpaExtensions' : 'TPA_Extensions';
  return renamed(object, 'tpaextensions', spelling);
});

const contactLast = inEvery((object) => {
  const people = object.airTraveler;
  if (!Array.isArray(people)) return object;
  const isContact = (one: Json): boolean => one.passengerTypeCode === 'CTC';
  const airTraveler = [...people.filter((one) => !isContact(one)), ...people.filter(isContact)];
  return { ...object, airTraveler };
});

const replyVersionText: Form = (reply) => ('version' in reply ? { ...reply, version: '2.001' } : reply);

/** Breakdowns under the other of the two pricing parents. */
const breakdownsElsewhere = inEvery((object: Json) => {
  const { priceInfo } = object;
  if (priceInfo?.ptcfareBreakdowns === undefined) return object;
  const { ptcfareBreakdowns } = priceInfo;
  return {
    ...object,
    priceInfo: without(priceInfo, 'ptcfareBreakdowns'),
    airItineraryPricingInfo: { ptcfareBreakdowns },
  };
});

const pendingRefunds = inEvery((object: Json) => {
  const info = object.orderInfo;
  if (info?.direction !== 'REFUND') return object;
  return { ...object, orderInfo: { ...info, status: 'PENDING' } };
});

/** Download addresses in the deprecated field. */
const spacedUrls = inEvery((object) => {
  const links = asList(object.links) as readonly Json[];
  if (links.length === 0 || links.some((link) => link.href === undefined)) return object;
  return { ...without(object, 'links'), urls: links.map((link) => link.href).join(' ') };
});

const unwrappedItinerary = inEvery((object: Json) => ({
  ...without(object, 'originDestinationOptions'),
  ...object.originDestinationOptions,
}));

const optionsWithoutPointer = inEvery((object) => ('flightSegment' in object ? without(object, 'rph') : object));

const unknownFields = inEvery((object) => ({ ...object, vendorExtra: { note: 'not in the interface' } }));

/** The booking that a reservation shows. */
export function bookingIn({ airReservation }: Json, { carrier }: Answered): CarrierBooking | undefined {
  return airReservation === undefined ? undefined : findBooking(carrier.state, airReservation.bookingReferenceID[0].id);
}

const withoutOperations = inReservation(inEvery((object) => without(object, 'operations')));

/** Segments carry `tpaextensions.operations`: what the airline allows now. An airline's always do. */
const segmentOperations: Rewrite = (reply, answered) => {
  const booking = bookingIn(reply, answered);
  if (booking === undefined || answered.carrier.dialect === 'airline') return reply;
  const { airItinerary }: Json = writeReservation({ ...answered.carrier, dialect: 'airline' }, booking, 'reading');
  const options: Json[] = airItinerary.originDestinationOptions.originDestinationOption;
  const segments = options.flatMap((option) => option.flightSegment);
  return inEvery((object) => {
    if (!('departureDateTime' in object)) return object;
    const { operations } = segments.find(({ rph }) => rph === object.rph)?.tpaextensions ?? {};
    return { ...object, tpaextensions: { operations } };
  })(reply);
};

/** An airline sends fare infos with penalty rules and limits too. */
const structuredRules: Rewrite = (reply, answered) => {
  const booking = bookingIn(reply, answered);
  if (booking === undefined) return reply;
  const { fareInfos } = (writeReservation({ ...answered.carrier, dialect: 'rail' }, booking, 'reading') as Json)
    .priceInfo;
  return inReservation(({ priceInfo, ...reservation }: Json) =>
    priceInfo ? { ...reservation, priceInfo: { fareInfos, ...priceInfo } } : reservation,
  )(reply);
};

/** The reading of a paid booking has limits and no penalty rules. */
const paidWithoutRules: Rewrite = (reply, answered) => {
  if (bookingIn(reply, answered)?.state !== 'ticketed') return reply;
  return inEvery((object) => without(object, 'chargesRules'))(reply);
};

/** The reply to a booking shows the first option and its price only. */
const holdShowsOneSegment: Rewrite = (reply, answered) => {
  const booking = answered.name === BOOK ? bookingIn(reply, answered) : undefined;
  if (booking === undefined) return reply;
  const first = { ...booking, options: booking.options.slice(0, 1) };
  const { airItinerary, priceInfo } = writeReservation(answered.carrier, first, 'hold');
  return inReservation((reservation) => ({ ...reservation, airItinerary, priceInfo }))(reply);
};

/** Search segments and options have no `rph`. */
const searchWithoutPointers: Rewrite = (reply, { name }) => {
  if (name !== SEARCH) return reply;
  const isPointed = (object: Wire) => 'flightSegment' in object || 'departureDateTime' in object;
  return inEvery((object) => (isPointed(object) ? without(object, 'rph') : object))(reply);
};

/** Changes the prices of a reply, wherever they are. */
function inPrices(rewrite: (prices: Json, rows: Json[]) => Wire): Form {
  return inEvery((object: Json) =>
    'ptcfareBreakdowns' in object ? rewrite(object, object.ptcfareBreakdowns.ptcfareBreakdown) : object,
  );
}

const withRows = (prices: Wire, ptcfareBreakdown: readonly Wire[]): Wire => ({
  ...prices,
  ptcfareBreakdowns: { ptcfareBreakdown },
});

/** Of prices of the same form: their sum, divided by `people`. */
function shareOf(prices: readonly Json[], people: number): Json {
  const [first] = prices;
  const inside = (key: string | number): Json => {
    const parts = prices.map((price) => price[key]);
    return shareOf(parts, people);
  };
  // The currencies of the networks have three digits at most.
  if (typeof first === 'number') return Math.round((prices.reduce((a, b) => a + b, 0) / people) * 1000) / 1000;
  if (Array.isArray(first)) return first.map((_, i) => inside(i));
  if (typeof first !== 'object' || first === null) return first;
  return Object.fromEntries(Object.keys(first).map((key) => [key, inside(key)]));
}

/** What one passenger of the type pays for the whole journey. */
function priceOfOne(rows: readonly Json[]): Json {
  const prices = rows.map((row) => row.passengerFare[0]);
  return shareOf(prices, rows[0].passengerTypeQuantity.quantity);
}

/** A second `itinTotalFare`, of one adult, without a usage. */
const secondTotal = inPrices((prices, rows) => {
  const adults = rows.filter((row) => row.passengerTypeQuantity.code === 'ADT');
  if (adults.length === 0) return prices;
  const [total, ...refunds] = prices.itinTotalFare;
  return { ...prices, itinTotalFare: [total, priceOfOne(adults), ...refunds] };
});

/** A price row per traveller that names no segment. */
const oldPriceRows = inPrices((prices, rows) => {
  const byType = Object.values(Object.groupBy(rows, (row) => row.passengerTypeQuantity.code));
  return withRows(
    prices,
    byType.flatMap((ofType = []) => {
      const [{ passengerTypeQuantity, travelerRefNumber, ...row }] = ofType as [Json];
      const { code, quantity } = passengerTypeQuantity;
      return Array.from({ length: quantity }, (_, i) => ({
        ...row,
        passengerTypeQuantity: { code, quantity: 1 },
        fareBasisCodes: { fareBasisCode: ofType.flatMap((it) => it.fareBasisCodes.fareBasisCode) },
        passengerFare: [priceOfOne(ofType)],
        travelerRefNumber: travelerRefNumber.slice(i, i + 1),
        ticketDesignators: { ticketDesignator: [] },
        fareInfo: ofType.flatMap((it) => it.fareInfo),
        flightRefNumberRPHList: [],
      }));
    }),
  );
});

/** Search rows are repeated for each other class of the search. */
const otherClassRows: Rewrite = (reply, { name, request }: Json) => {
  if (name !== SEARCH || !('pricedItineraries' in reply)) return reply;
  const wanted: Json[] = request.specificFlightInfo?.bookingClassPref ?? [];
  const classes: string[] = wanted.map((one) => one.resBookDesigCode);
  return inPrices((prices, rows) => {
    const own = rows.map((row) => row.fareInfo[0].fareReference[0].resBookDesigCode);
    const others = classes.filter((one) => !own.includes(one));
    const fareInfo = (one: string) => [{ fareReference: [{ resBookDesigCode: one }] }];
    return withRows(prices, [
      ...rows,
      ...others.flatMap((one) => rows.map((row) => ({ ...row, fareInfo: fareInfo(one) }))),
    ]);
  })(reply);
};

/** No price rows at all. */
const withoutPriceRows = inEvery((object) => without(object, 'ptcfareBreakdowns'));

/** Changes the rows of tickets that show coupons. */
function inTickets(rewrite: (row: Json) => readonly Wire[]): Form {
  return inReservation((reservation: Json) => ({
    ...reservation,
    ticketing: reservation.ticketing.flatMap((row: Json) => (row.tpaextensions?.couponInfos ? rewrite(row) : [row])),
  }));
}

/** Tickets without coupons: a row per ticket and segment, with its link. */
const ticketsByLink = inTickets((row) => {
  const links: Json[] = row.tpaextensions.links ?? [];
  return links.map(({ href, rel }) => ({
    ...row,
    flightSegmentRefNumber: [],
    tpaextensions: { links: [{ href, rel }] },
  }));
});

/** `couponProviderDetails` in another order than the coupons, by `flightRefRPH`. */
const providersByPointer = inTickets(({ tpaextensions, ...row }) => {
  const { couponInfos, couponProviderDetails } = tpaextensions;
  const named = couponProviderDetails.map((one: Wire, i: number) => ({
    ...one,
    flightRefRPH: couponInfos[i].flightRefRPH,
  }));
  return [{ ...row, tpaextensions: { ...tpaextensions, couponProviderDetails: named.toReversed() } }];
});

const { nullNamePrefix, splitDocuments, replyVersionNumber, echoedPointOfSale } = AIRLINE_FORMS;
const { bareAfterCancellation, missingBranches, otherPaymentType, unorderedCalendar } = AIRLINE_FORMS;

const REPLY_FORMS = {
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
} as const satisfies Record<string, Form>;

const FORMS = { ...REPLY_FORMS, ...ERROR_FORMS };

/** Deviations in content. They come before those of form, in this order. */
const CONTENTS = {
  searchWithoutPointers,
  secondTotal,
  oldPriceRows,
  otherClassRows,
  withoutPriceRows,
  structuredRules,
  paidWithoutRules,
  holdShowsOneSegment,
  ticketsByLink,
  providersByPointer,
  segmentOperations,
} as const satisfies Record<string, Rewrite>;

export type Deviation = keyof typeof FORMS | keyof typeof CONTENTS;

const namesOf = <T extends object>(record: T) => Object.keys(record) as (keyof T)[];

/** A reader must decode the same booking with these and without. */
export const FORM_NAMES: readonly Deviation[] = [...namesOf(REPLY_FORMS), 'segmentOperations'];
export const ERROR_FORM_NAMES = namesOf(ERROR_FORMS);

/** What each dialect does by default. */
export const OWN: Readonly<Record<Dialect, readonly Deviation[]>> = {
  rail: [],
  airline: ['segmentOperations', ...namesOf(AIRLINE_FORMS)],
};

/** An airline with these deviations and no others. */
export function deviations(...names: readonly Deviation[]): Rewrite {
  const contents = namesOf(CONTENTS).filter((name) => names.includes(name));
  const rewrites: readonly Rewrite[] = [
    ...contents.map((name) => CONTENTS[name]),
    ...(names.includes('segmentOperations') ? [] : [withoutOperations]),
    ...names.flatMap((name) => (name in FORMS ? [FORMS[name as keyof typeof FORMS]] : [])),
  ];
  return (reply, answered) => rewrites.reduce((rewritten, rewrite) => rewrite(rewritten, answered), reply);
}
