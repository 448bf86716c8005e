/**
 * What every OTA request carries (`version`, `pos`; docs/wire/interface.md, Point of sale), the table of all fields
 * that a request may hold, and the one check that each passes before it is sent.
 */
import { isObject } from '../../core/own.ts';
import type { ServiceWish } from '../../domain/booking/special-services.ts';
import type { OtaOperation, OtaOptions, PointOfSale } from '../options.ts';
import type { Wire } from './reader.ts';

const VERSION = '2.001';

/** Both spellings are in service (docs/wire/notes.md, Shapes sent). */
export type CurrencySpelling = 'isocurrency' | 'isoCurrency';

/** Operations whose published rail messages write `isoCurrency`. */
const RAIL_CAPITAL: ReadonlySet<OtaOperation> = new Set(['group_book', 'cancel']);
/** Operations whose published airline messages write `isocurrency`. */
const AIRLINE_SMALL: ReadonlySet<OtaOperation> = new Set(['fare_search', 'price_check']);

/** The published spelling of an operation. Modify has one for each type. */
export function currencySpelling(operation: OtaOperation, dialect: OtaOptions['dialect']): CurrencySpelling {
  const capital = dialect === 'airline' ? !AIRLINE_SMALL.has(operation) : RAIL_CAPITAL.has(operation);
  return capital ? 'isoCurrency' : 'isocurrency';
}

export function stamp(body: object, pos: PointOfSale, spelling: CurrencySpelling = 'isocurrency'): Wire {
  const source = {
    bookingChannel: { type: 'OTA' },
    [spelling]: pos.currency,
    isocountry: pos.country,
    requestorID: { type: '5', id: pos.agentId, name: pos.agencyId, location: pos.location },
  };
  return { version: VERSION, pos: { source: [source] }, ...body };
}

/** Behind the last item of a list: that item once or more, or any number of times. */
export const SOME = Symbol('one or more');
const ANY = Symbol('any number');
/** Spread into the fields of an object that is copied from a reading: the key `...` permits unknown fields beside those named. */
const COPIED = { '...': /^/ } as const;

/**
 * What a field holds: exactly this text, a text of this pattern, the items of a list, or fields by name (`name?` may
 * be absent). A function says whether the value fits, or which shape it must have; a number needs one, because a pattern
 * fits texts alone.
 */
export type FieldShape =
  | string
  | RegExp
  | ((value: unknown) => boolean | FieldShape)
  | readonly (FieldShape | symbol)[]
  | RequestFields;
interface RequestFields {
  readonly [name: string]: FieldShape;
}

declare const checked: unique symbol;
/** A request of which the check has seen every field. */
export type CheckedRequest<T extends object = object> = T & { readonly [checked]: true };

/** The check refuses the request: a field is missing, unknown or malformed. */
export class UnwritableRequest extends Error {
  constructor(field: string) {
    super(`the request must not be sent: ${field}`);
    this.name = 'UnwritableRequest';
  }
}

/**
 * The request with its fields in the order of the table. A field that is undefined counts as absent. Throws
 * {@link UnwritableRequest} for a field that is unknown, missing or of another kind.
 */
export function checkRequest<T extends object>(shape: FieldShape, request: T): CheckedRequest<T> {
  return fitted(shape, request, 'body') as CheckedRequest<T>;
}

function fitted(shape: FieldShape, value: unknown, place: string): unknown {
  if (typeof shape === 'function') {
    const choice = shape(value);
    if (typeof choice !== 'boolean') return fitted(choice, value, place);
    if (choice) return value;
  } else if (shape instanceof RegExp) {
    if (typeof value === 'string' && shape.test(value)) return value;
  } else if (Array.isArray(shape)) {
    return fittedItems(shape, value, place);
  } else if (typeof shape === 'object') {
    return fittedFields(shape as RequestFields, value, place);
  } else if (value === shape) return value;
  throw new UnwritableRequest(place);
}

function fittedFields(fields: RequestFields, value: unknown, place: string): Wire {
  if (!isObject(value)) throw new UnwritableRequest(place);
  const written: Wire = {};
  for (const [name, field] of Object.entries(fields)) {
    const key = name.replace(/\?$/, '');
    if (value[key] !== undefined && name !== '...') written[key] = fitted(field, value[key], `${place}.${key}`);
    else if (key === name && name !== '...') throw new UnwritableRequest(`${place}.${key} is missing`);
  }
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || Object.hasOwn(written, key)) continue;
    if (!Object.hasOwn(fields, '...')) throw new UnwritableRequest(`${place}.${key} is unknown`);
    written[key] = item;
  }
  return written;
}

function fittedItems(shapes: readonly (FieldShape | symbol)[], value: unknown, place: string): unknown[] {
  const items = shapes.filter((item): item is FieldShape => typeof item !== 'symbol');
  const least = shapes.at(-1) === ANY ? items.length - 1 : items.length;
  const most = items.length < shapes.length ? Number.POSITIVE_INFINITY : items.length;
  if (!Array.isArray(value) || value.length < least || value.length > most) throw new UnwritableRequest(place);
  return value.map((item, i) => fitted(items[Math.min(i, items.length - 1)] ?? [], item, `${place}.${i}`));
}

/** Any text, also an empty one. */
const TEXT = /^/;
/** A text that is not empty. */
export const WORD = /[\s\S]/;
/** Of any year from 0000 on: `0001-01-01` is the empty date of many systems, and goes back as it came. */
const isDate = (value: unknown): boolean => {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const day = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(value);
};
/** RFC 3339, with its zone. */
const TIME = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const isTime = (value: unknown): boolean => typeof value === 'string' && isDate(TIME.exec(value)?.[1]);
/** With exactly three digits of a second. */
const isMillis = (value: unknown): boolean => isTime(value) && TIME.exec(String(value))?.[2]?.length === 4;
/** A time without a zone, or in UTC; seconds may be missing. */
const LOCAL = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?Z?)?$/;
const isLocalTime = (value: unknown): boolean => typeof value === 'string' && isDate(LOCAL.exec(value)?.[1]);
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
/** A whole number, 0 or more. */
export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isAmount = (value: unknown): boolean => Number.isFinite(value) && Number(value) >= 0;

/** OpenTravel unique id types (docs/wire/interface.md, Message conventions). */
export const RESERVATION = '14';
export const GROUP = '9';
/** `passengerTypeCode` of the contact traveller, who is no passenger. */
export const CONTACT = 'CTC';

// Flights (docs/wire/interface.md, Flight segment).

const LOCATION = { locationCode: WORD };
const OPERATING = { code: WORD, flightNumber: WORD };
const MARKETING = { code: WORD };

const FLIGHT = {
  departureAirport: LOCATION,
  arrivalAirport: LOCATION,
  operatingAirline: OPERATING,
  'marketingAirline?': MARKETING,
  flightNumber: WORD,
  departureDateTime: isMillis,
  arrivalDateTime: isMillis,
  rph: WORD,
};
/** For a price check: class without fare. */
const PRICED_SEGMENT = { ...FLIGHT, 'resBookDesigCode?': TEXT, 'equipment?': [] };
const RAIL_SEGMENT = {
  ...FLIGHT,
  'fareBasisCode?': TEXT,
  'resBookDesigCode?': TEXT,
  'status?': TEXT,
  'equipment?': [],
};
/** A segment of the airline dialect: no operating carrier, equipment or status. */
const AIRLINE_SEGMENT = {
  departureAirport: LOCATION,
  arrivalAirport: LOCATION,
  departureDateTime: isMillis,
  arrivalDateTime: isMillis,
  rph: WORD,
  marketingAirline: MARKETING,
  flightNumber: WORD,
  'fareBasisCode?': WORD,
  'resBookDesigCode?': TEXT,
  'numberInParty?': (value: unknown) => isCount(value) && value !== 0,
};
const COPIED_AIRPORT = { ...COPIED, ...LOCATION };
const copiedSegment = (marketing: 'marketingAirline' | 'marketingAirline?') => ({
  ...COPIED,
  departureAirport: COPIED_AIRPORT,
  arrivalAirport: COPIED_AIRPORT,
  operatingAirline: { ...COPIED, ...OPERATING },
  [marketing]: { ...COPIED, ...MARKETING },
  flightNumber: WORD,
  departureDateTime: isTime,
  arrivalDateTime: isTime,
});
const COPIED_SEGMENT = copiedSegment('marketingAirline');
/** Of a seat map request: the reading may name no marketing carrier. */
const SEATED_SEGMENT = { ...copiedSegment('marketingAirline?'), rph: WORD };

const itinerary = (segment: FieldShape, more: RequestFields = {}) => ({
  originDestinationOptions: {
    originDestinationOption: [{ ...more, flightSegment: [segment, SOME], rph: WORD }, SOME],
  },
});

export const RAIL_ITINERARY = itinerary(RAIL_SEGMENT);
const AIRLINE_ITINERARY = itinerary(AIRLINE_SEGMENT);
export const COPIED_ITINERARY = itinerary(COPIED_SEGMENT, COPIED);

// People (docs/wire/interface.md, Traveller).

const PERSON = {
  'telephone?': [{ 'countryAccessCode?': TEXT, 'phoneNumber?': TEXT }, ANY],
  'email?': [{ value: WORD }, ANY],
  'address?': [{ 'cityName?': TEXT, 'countryName?': { 'code?': TEXT, 'value?': TEXT } }, ANY],
  'document?': [
    {
      'docID?': TEXT,
      'docType?': TEXT,
      'docHolderNationality?': TEXT,
      'expireDate?': isDate,
      'birthDate?': isDate,
    },
    ANY,
  ],
  'gender?': /^(?:Male|Female|Unknown)$/,
  'comment?': [{ 'name?': TEXT, 'value?': TEXT }, ANY],
  'accompaniedByInfantInd?': isFlag,
  personName: {
    'namePrefix?': [TEXT, ANY],
    givenName: [WORD, SOME],
    'middleName?': [TEXT, ANY],
    surname: WORD,
    'nameSuffix?': [TEXT, ANY],
    'nameTitle?': [TEXT, ANY],
  },
};
const POINTED = { rph: WORD };
const PASSENGER_TYPE = /^(?:ADT|CHD|INF)$/;
const SEGMENTS = { flightSegmentRPH: [WORD, SOME] };

const CONTACT_TRAVELER = { ...PERSON, 'travelerRefNumber?': POINTED, passengerTypeCode: CONTACT };
/** A passenger with a name, linked to its segments. */
const PASSENGER = {
  ...PERSON,
  travelerRefNumber: POINTED,
  flightSegmentRPHs: SEGMENTS,
  passengerTypeCode: PASSENGER_TYPE,
};
/** A special service that is asked for: one of it (docs/wire/notes.md, Shapes sent, Changes). */
export const SERVICE = {
  ssrCode: /^[A-Z]{4}$/,
  serviceQuantity: (value: unknown): boolean => value === 1,
  status: 'Requested',
  'text?': WORD,
};
/** The airline dialect takes services with the booking. */
const SERVED_PASSENGER = { ...PASSENGER, 'specialServiceRequests?': [SERVICE, SOME] };

export function requestService({ code, text }: ServiceWish) {
  return { ssrCode: code, serviceQuantity: 1, status: 'Requested', text };
}

/** A traveller in a change: the reading may name no segment of a group's passenger. */
export const CHANGED_TRAVELER = (value: unknown): FieldShape =>
  isObject(value) && value.passengerTypeCode === CONTACT
    ? CONTACT_TRAVELER
    : {
        ...PERSON,
        travelerRefNumber: POINTED,
        'flightSegmentRPHs?': SEGMENTS,
        passengerTypeCode: PASSENGER_TYPE,
      };
/** A traveller copied from a read reply, perhaps without a name. */
export const COPIED_TRAVELER = (value: unknown): FieldShape =>
  isObject(value) && value.passengerTypeCode === CONTACT
    ? { ...COPIED, passengerTypeCode: CONTACT }
    : { ...COPIED, travelerRefNumber: { ...COPIED, ...POINTED }, passengerTypeCode: WORD };
/** The airline dialect names passengers in the reading's full shape. */
export const COPIED_PASSENGER = {
  ...COPIED,
  personName: { ...COPIED, givenName: [WORD, SOME], surname: WORD },
  travelerRefNumber: { ...COPIED, ...POINTED },
  passengerTypeCode: WORD,
};

/** A line for each passenger type. */
const COUNTS = (value: unknown): false | FieldShape => {
  const codes = Array.isArray(value) ? value.map((line) => isObject(line) && line.code) : [];
  return new Set(codes).size === codes.length && [{ code: PASSENGER_TYPE, quantity: isCount }, SOME];
};

// Messages (docs/wire/interface.md, docs/wire/notes.md, Shapes sent).

const UNIQUE_ID = { id: WORD, type: RESERVATION };
const MAIL = { emails: [WORD, SOME], ccEmails: [], bccEmails: [], recordLocator: WORD };
/** The reservation goes back as it was read: checked, but not put into an order. */
const isReservation = (value: unknown): boolean => {
  const travelers = { ...COPIED, airTraveler: [{ ...COPIED, passengerTypeCode: WORD }, ANY] };
  checkRequest(
    { airReservation: { ...COPIED, airItinerary: COPIED, travelerInfo: travelers } },
    { airReservation: value },
  );
  return true;
};

/** Every field of every request. A change adds its own (modify.ts). */
export const REQUESTS = {
  read: { readRequests: { readRequest: [{ uniqueID: UNIQUE_ID }] } },
  cancel: { cancelType: 'Commit', uniqueID: [UNIQUE_ID] },
  fareSearch: {
    processingInfo: { displayOrder: 'BY_PRICE_LOW_TO_HIGH', availabilityIndicator: isFlag },
    originDestinationInformation: [
      {
        originLocation: LOCATION,
        destinationLocation: LOCATION,
        departureDateTime: { value: isDate, windowBefore: /^P\d{1,3}D$/, windowAfter: /^P\d{1,3}D$/ },
      },
      SOME,
    ],
    'specificFlightInfo?': { bookingClassPref: [{ resBookDesigCode: WORD }, SOME] },
    travelerInfoSummary: { airTravelerAvail: [{ passengerTypeQuantity: COUNTS }] },
    'availableFlightsOnly?': isFlag,
  },
  priceCheck: {
    airItinerary: itinerary(PRICED_SEGMENT),
    travelerInfoSummary: {
      pricingPref: [{ type: '5', qualifier: '5' }],
      airTravelerAvail: [{ passengerTypeQuantity: [{ code: TEXT, quantity: TEXT }, SOME] }],
    },
  },
  /** The contact first, then at least one passenger. */
  book: {
    rail: { airItinerary: RAIL_ITINERARY, travelerInfo: { airTraveler: [CONTACT_TRAVELER, PASSENGER, SOME] } },
    airline: {
      airItinerary: AIRLINE_ITINERARY,
      travelerInfo: { airTraveler: [CONTACT_TRAVELER, SERVED_PASSENGER, SOME] },
    },
  },
  counts: {
    rail: {
      airItinerary: RAIL_ITINERARY,
      'bookingReferenceID?': { type: GROUP, id: WORD },
      travelerInfoSummary: {
        pricingPref: [{ qualifier: '4' }],
        airTravelerAvail: [{ passengerTypeQuantity: COUNTS }, { airTraveler: CONTACT_TRAVELER }],
      },
    },
    /** No qualifier, and the group with plain texts. */
    airline: {
      airItinerary: AIRLINE_ITINERARY,
      travelerInfoSummary: { airTravelerAvail: [{ passengerTypeQuantity: COUNTS }] },
      priceRequestInformation: {
        tpa_Extensions: {
          groupBooking: {
            'groupName?': WORD,
            contactInfo: {
              personName: { givenName: WORD, surname: WORD },
              'telephone?': { phoneNumber: WORD },
              'email?': WORD,
            },
          },
        },
      },
    },
  },
  ticket: {
    demandTicketDetail: {
      messageFunction: [{ function: 'ET' }],
      bookingReferenceID: { ...UNIQUE_ID, 'companyName?': { 'code?': TEXT, 'companyShortName?': TEXT } },
      paymentInfo: [
        {
          paymentType: /^(?:32|5|1|4|40)$/,
          'creditCardInfo?': [{ cardHolderName: WORD }],
          'currencyCode?': /^[\s\S]{3}$/,
          'amount?': isAmount,
        },
      ],
    },
  },
  seatMap: {
    seatMapRequests: {
      seatMapRequest: [{ flightSegmentInfo: SEATED_SEGMENT, travelerRefNumberRPHs: [WORD, SOME] }, SOME],
    },
    airTravelers: { airTraveler: [COPIED_TRAVELER, SOME] },
    bookingReferenceID: [{ ...UNIQUE_ID, 'companyName?': { code: TEXT } }, SOME],
  },
  modify: (airBookModifyRQ: FieldShape) => ({ airReservation: isReservation, airBookModifyRQ }),
  ticketMail: {
    ...MAIL,
    passengers: [{ firstName: WORD, 'middleName?': WORD, lastName: WORD }, SOME],
  },
  /** Without segments: everything that was cancelled. `departureDate` is local. */
  cancellationMail: {
    ...MAIL,
    'segments?': [{ flightDesignator: WORD, departure: WORD, arrival: WORD, departureDate: isDate }, SOME],
  },
  calendar: {
    start_date: isLocalTime,
    end_date: isLocalTime,
    departure_airport: WORD,
    arrival_airport: WORD,
    direct: /^(?:true|false)$/,
  },
} as const;
