/**
 * What every OTA request carries (`version`, `pos`; docs/wire/interface.md, Point of sale), the table of all fields
 * that a request may hold, and the one check that each passes before it is sent. In order: what every request carries, the
 * language of shapes and its check, shapes of values, segments and people, and the table, {@link REQUESTS}.
 */
import { isObject } from '../../core/own.ts';
import type { ServiceWish } from '../../domain/booking/special-services.ts';
import type { OtaOperation, OtaOptions, PointOfSale } from '../transport/options.ts';
import { GROUP, RESERVATION, type Wire } from './reader.ts';

const VERSION = '2.001';

/** Both spellings are in service (docs/wire/notes.md, Shapes sent). */
export type CurrencySpelling = 'isocurrency' | 'isoCurrency';

/** Operations whose published rail messages write `isoCurrency`; all others write `isocurrency`. */
const CAPITAL_IN_RAIL: ReadonlySet<OtaOperation> = new Set(['group_book', 'cancel']);
/** Operations whose published airline messages write `isocurrency`; all others write `isoCurrency`. */
const SMALL_IN_AIRLINE: ReadonlySet<OtaOperation> = new Set(['fare_search']);

/** The published spelling of an operation. Modify has a spelling for each of its types. */
export function currencySpelling(operation: OtaOperation, dialect: OtaOptions['dialect']): CurrencySpelling {
  const isCapital = dialect === 'airline' ? !SMALL_IN_AIRLINE.has(operation) : CAPITAL_IN_RAIL.has(operation);
  return isCapital ? 'isoCurrency' : 'isocurrency';
}

/** Puts version and point of sale before the body of a message. */
export function stamp(body: object, pos: PointOfSale, spelling: CurrencySpelling = 'isocurrency'): Wire {
  const source = {
    bookingChannel: { type: 'OTA' },
    [spelling]: pos.currency,
    isocountry: pos.country,
    requestorID: { type: '5', id: pos.agentId, name: pos.agencyId, location: pos.location },
  };
  return { version: VERSION, pos: { source: [source] }, ...body };
}

/** Behind the last item of a list: the list has that item once or more. */
export const ONE_OR_MORE = Symbol('one or more');
/** Behind the last item of a list: the list has that item any number of times. */
const ANY_NUMBER = Symbol('any number');
/** Spread into the fields of an object that is copied from a reading: its other fields are sent as they are. */
const COPIED = { '...': /^/ } as const;

/**
 * What a field may hold, the most common forms first:
 *
 * | shape                       | fits                                                       |
 * | --------------------------- | ---------------------------------------------------------- |
 * | `'Commit'`                  | exactly this text                                          |
 * | `/^[A-Z]{4}$/`              | a text of this pattern                                     |
 * | `{ a: WORD, 'b?': TEXT }`   | an object of these fields and no others; `b` may be absent |
 * | `{ ...COPIED, a: WORD }`    | an object with this field and any others                   |
 * | `[WORD, TEXT]`              | a list of these two items                                  |
 * | `[TEXT, WORD, ONE_OR_MORE]` | a list of a TEXT and at least one WORD                     |
 * | `[WORD, ANY_NUMBER]`        | a list of WORDs, or an empty one                           |
 * | `[]`                        | an empty list                                              |
 * | `isCount`                   | a value for which the function returns true                |
 * | `countsShape`               | a value of the shape that the function returns for it      |
 *
 * Numbers need a function, because a pattern fits texts alone.
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
/** A request of which {@link checkRequest} has seen every field. */
export type CheckedRequest<T extends object = object> = T & { readonly [checked]: true };

/** A field of the request is missing, unknown or malformed. */
export class UnwritableRequest extends Error {
  constructor(field: string) {
    super(`the request must not be sent: ${field}`);
    this.name = 'UnwritableRequest';
  }
}

/**
 * Returns the request with its fields in the order of its shape. A field that is undefined counts as absent. Throws
 * {@link UnwritableRequest} for a field that is unknown, missing or of another kind.
 */
export function checkRequest<T extends object>(shape: FieldShape, request: T): CheckedRequest<T> {
  return fitValue(shape, request, 'body') as CheckedRequest<T>;
}

/** @param path names the field in the error: `body.travelerInfo.airTraveler.0` */
function fitValue(shape: FieldShape, value: unknown, path: string): unknown {
  if (Array.isArray(shape)) return fitItems(shape, value, path);
  if (typeof shape === 'object' && !(shape instanceof RegExp)) return fitFields(shape as RequestFields, value, path);
  if (typeof shape === 'function') {
    const answer = shape(value);
    if (typeof answer !== 'boolean') return fitValue(answer, value, path);
    if (answer) return value;
    throw new UnwritableRequest(path);
  }
  const fits = shape instanceof RegExp ? typeof value === 'string' && shape.test(value) : value === shape;
  if (fits) return value;
  throw new UnwritableRequest(path);
}

function fitFields(fields: RequestFields, value: unknown, path: string): Wire {
  if (!isObject(value)) throw new UnwritableRequest(path);
  const written: Wire = {};
  const { '...': unknownFields, ...namedFields } = fields;
  for (const [name, shape] of Object.entries(namedFields)) {
    const key = name.replace(/\?$/, '');
    const isOptional = key !== name;
    if (value[key] !== undefined) written[key] = fitValue(shape, value[key], `${path}.${key}`);
    else if (!isOptional) throw new UnwritableRequest(`${path}.${key} is missing`);
  }
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || Object.hasOwn(written, key)) continue;
    if (unknownFields === undefined) throw new UnwritableRequest(`${path}.${key} is unknown`);
    written[key] = item;
  }
  return written;
}

function fitItems(shapes: readonly (FieldShape | symbol)[], value: unknown, path: string): unknown[] {
  const itemShapes = shapes.filter((shape): shape is FieldShape => typeof shape !== 'symbol');
  const mayRepeatLast = itemShapes.length < shapes.length;
  const least = shapes.at(-1) === ANY_NUMBER ? itemShapes.length - 1 : itemShapes.length;
  const most = mayRepeatLast ? Number.POSITIVE_INFINITY : itemShapes.length;
  if (!Array.isArray(value) || value.length < least || value.length > most) throw new UnwritableRequest(path);
  const shapeAt = (i: number) => itemShapes[Math.min(i, itemShapes.length - 1)] ?? [];
  return value.map((item, i) => fitValue(shapeAt(i), item, `${path}.${i}`));
}

// Kinds of values.

/** Any text, also an empty one. */
const TEXT = /^/;
/** A text that is not empty. */
export const WORD = /[\s\S]/;
/** A date of any year from 0000 on: `0001-01-01` is the empty date of many systems, and is sent back as it came. */
const isDate = (value: unknown): boolean => {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const day = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(value);
};
/** A time of RFC 3339, with its zone. */
const TIME = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const isTime = (value: unknown): boolean => typeof value === 'string' && isDate(TIME.exec(value)?.[1]);
/** A time with milliseconds: exactly three digits of a second. */
const isMillis = (value: unknown): boolean => isTime(value) && TIME.exec(String(value))?.[2]?.length === 4;
/** A time without a zone, or in UTC; seconds may be missing. */
const LOCAL_TIME = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?Z?)?$/;
const isLocalTime = (value: unknown): boolean => typeof value === 'string' && isDate(LOCAL_TIME.exec(value)?.[1]);
/** A time that is sent back as it was read. */
const isCopiedTime = (value: unknown): boolean => isTime(value) || isLocalTime(value);
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
/** A whole number, 0 or more. */
export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
/** A pointer that is sent back as it was read: some airlines write a number. */
const isCopiedPointer = (value: unknown): boolean => isCount(value) || (typeof value === 'string' && value !== '');
const isAmount = (value: unknown): boolean => Number.isFinite(value) && Number(value) >= 0;

/** `passengerTypeCode` of the contact, who is listed among the travellers and is not a passenger. */
export const CONTACT = 'CTC';

/*
 * Segments (docs/wire/interface.md, Flight segment):
 *
 * | shape            | where                                                   |
 * | ---------------- | ------------------------------------------------------- |
 * | RAIL_SEGMENT     | bookings of the rail dialect, and rebooking in either   |
 * | AIRLINE_SEGMENT  | bookings of the airline dialect                         |
 * | COPIED_SEGMENT   | cancelling segments: copied from a reading              |
 * | SEAT_MAP_SEGMENT | seat maps: copied from a reading                        |
 */

const LOCATION = { locationCode: WORD };
const OPERATING_AIRLINE = { code: WORD, flightNumber: WORD };
const MARKETING_AIRLINE = { code: WORD };

const FLIGHT = {
  departureAirport: LOCATION,
  arrivalAirport: LOCATION,
  operatingAirline: OPERATING_AIRLINE,
  'marketingAirline?': MARKETING_AIRLINE,
  flightNumber: WORD,
  departureDateTime: isMillis,
  arrivalDateTime: isMillis,
  rph: WORD,
};
/** It names the class without the fare. */
const RAIL_SEGMENT = {
  ...FLIGHT,
  'fareBasisCode?': TEXT,
  'resBookDesigCode?': TEXT,
  'status?': TEXT,
  'equipment?': [],
};
/** It has no operating carrier, equipment or status. */
const AIRLINE_SEGMENT = {
  departureAirport: LOCATION,
  arrivalAirport: LOCATION,
  departureDateTime: isMillis,
  arrivalDateTime: isMillis,
  rph: WORD,
  marketingAirline: MARKETING_AIRLINE,
  flightNumber: WORD,
  'fareBasisCode?': WORD,
  'resBookDesigCode?': TEXT,
  'numberInParty?': (value: unknown) => isCount(value) && value !== 0,
};
const COPIED_AIRPORT = { ...COPIED, ...LOCATION };
/** @param marketing `marketingAirline?` if the reading may name no marketing carrier */
const copiedSegment = (marketing: 'marketingAirline' | 'marketingAirline?') => ({
  ...COPIED,
  departureAirport: COPIED_AIRPORT,
  arrivalAirport: COPIED_AIRPORT,
  operatingAirline: { ...COPIED, ...OPERATING_AIRLINE },
  [marketing]: { ...COPIED, ...MARKETING_AIRLINE },
  flightNumber: WORD,
  departureDateTime: isCopiedTime,
  arrivalDateTime: isCopiedTime,
});
const COPIED_SEGMENT = copiedSegment('marketingAirline');
const SEAT_MAP_SEGMENT = { ...copiedSegment('marketingAirline?'), rph: isCopiedPointer };

const itinerary = (segment: FieldShape, optionFields: RequestFields = { rph: WORD }) => ({
  originDestinationOptions: {
    originDestinationOption: [{ ...optionFields, flightSegment: [segment, ONE_OR_MORE] }, ONE_OR_MORE],
  },
});

export const RAIL_ITINERARY = itinerary(RAIL_SEGMENT);
const AIRLINE_ITINERARY = itinerary(AIRLINE_SEGMENT);
export const COPIED_ITINERARY = itinerary(COPIED_SEGMENT, { ...COPIED, rph: isCopiedPointer });

// People (docs/wire/interface.md, Traveller).

const PERSON = {
  'telephone?': [{ 'countryAccessCode?': TEXT, 'phoneNumber?': TEXT }, ANY_NUMBER],
  'email?': [{ value: WORD }, ANY_NUMBER],
  'address?': [{ 'cityName?': TEXT, 'countryName?': { 'code?': TEXT, 'value?': TEXT } }, ANY_NUMBER],
  'document?': [
    {
      'docID?': TEXT,
      'docType?': TEXT,
      'docHolderNationality?': TEXT,
      'expireDate?': isDate,
      'birthDate?': isDate,
    },
    ANY_NUMBER,
  ],
  'gender?': /^(?:Male|Female|Unknown)$/,
  'comment?': [{ 'name?': TEXT, 'value?': TEXT }, ANY_NUMBER],
  'accompaniedByInfantInd?': isBoolean,
  personName: {
    'namePrefix?': [TEXT, ANY_NUMBER],
    givenName: [WORD, ONE_OR_MORE],
    'middleName?': [TEXT, ANY_NUMBER],
    surname: WORD,
    'nameSuffix?': [TEXT, ANY_NUMBER],
    'nameTitle?': [TEXT, ANY_NUMBER],
  },
};
const POINTER = { rph: WORD };
const COPIED_POINTER = { ...COPIED, rph: isCopiedPointer };
const PASSENGER_TYPE = /^(?:ADT|CHD|INF)$/;
const SEGMENT_POINTERS = { flightSegmentRPH: [WORD, ONE_OR_MORE] };

const CONTACT_TRAVELER = { ...PERSON, 'travelerRefNumber?': POINTER, passengerTypeCode: CONTACT };
/** A passenger with a name, linked to its segments. */
const PASSENGER = {
  ...PERSON,
  travelerRefNumber: POINTER,
  flightSegmentRPHs: SEGMENT_POINTERS,
  passengerTypeCode: PASSENGER_TYPE,
};
/** A request for one special service (docs/wire/notes.md, Shapes sent, Changes). */
export const SERVICE = {
  ssrCode: /^[A-Z]{4}$/,
  serviceQuantity: (value: unknown): boolean => value === 1,
  status: 'Requested',
  'text?': WORD,
};
/** The airline dialect requests services together with the booking. */
const PASSENGER_WITH_SERVICES = { ...PASSENGER, 'specialServiceRequests?': [SERVICE, ONE_OR_MORE] };

/** Writes what {@link SERVICE} describes. */
export function writeService({ code, text }: ServiceWish) {
  return { ssrCode: code, serviceQuantity: 1, status: 'Requested', text };
}

/** The shape of a traveller with a new name or new details: the reading may name no segment of a group's passenger. */
export const changedTravelerShape = (value: unknown): FieldShape =>
  isObject(value) && value.passengerTypeCode === CONTACT
    ? CONTACT_TRAVELER
    : {
        ...PERSON,
        travelerRefNumber: POINTER,
        'flightSegmentRPHs?': SEGMENT_POINTERS,
        passengerTypeCode: PASSENGER_TYPE,
      };
/** The shape of a traveller copied from a reading, perhaps without a name: to remove, to split off, or for a seat map. */
export const copiedTravelerShape = (value: unknown): FieldShape =>
  isObject(value) && value.passengerTypeCode === CONTACT
    ? { ...COPIED, passengerTypeCode: CONTACT }
    : { ...COPIED, travelerRefNumber: COPIED_POINTER, passengerTypeCode: WORD };
/** A passenger with a new name or new details in the airline dialect: with all fields of the reading. */
export const COPIED_PASSENGER = {
  ...COPIED,
  personName: { ...COPIED, givenName: [WORD, ONE_OR_MORE], surname: WORD },
  travelerRefNumber: COPIED_POINTER,
  passengerTypeCode: WORD,
};

/** The shape of passenger counts, such as `[{ code: 'ADT', quantity: 2 }]`. False if a passenger type has two lines. */
const countsShape = (value: unknown): false | FieldShape => {
  const codes = Array.isArray(value) ? value.map((line) => isObject(line) && line.code) : [];
  const hasTwoLines = new Set(codes).size < codes.length;
  return hasTwoLines ? false : [{ code: PASSENGER_TYPE, quantity: isCount }, ONE_OR_MORE];
};

// Messages (docs/wire/interface.md, docs/wire/notes.md, Shapes sent).

const UNIQUE_ID = { id: WORD, type: RESERVATION };
const MAIL_FIELDS = { emails: [WORD, ONE_OR_MORE], ccEmails: [], bccEmails: [], recordLocator: WORD };
/**
 * Checks a reservation that is sent back as it was read. It is a function, because a shape would put the fields that it names
 * first, and their order must stay. Returns true, or throws {@link UnwritableRequest} that names the field.
 */
const requireReservation = (value: unknown): true => {
  const travelers = { ...COPIED, airTraveler: [{ ...COPIED, passengerTypeCode: WORD }, ANY_NUMBER] };
  checkRequest(
    { airReservation: { ...COPIED, airItinerary: COPIED, travelerInfo: travelers } },
    { airReservation: value },
  );
  return true;
};

/** Every field of every request. The fields of each change are in modify.ts. */
export const REQUESTS = {
  read: { readRequests: { readRequest: [{ uniqueID: UNIQUE_ID }] } },
  cancel: { cancelType: 'Commit', uniqueID: [UNIQUE_ID] },
  fareSearch: {
    processingInfo: { displayOrder: 'BY_PRICE_LOW_TO_HIGH', availabilityIndicator: isBoolean },
    originDestinationInformation: [
      {
        originLocation: LOCATION,
        destinationLocation: LOCATION,
        departureDateTime: { value: isDate, windowBefore: /^P\d{1,3}D$/, windowAfter: /^P\d{1,3}D$/ },
      },
      ONE_OR_MORE,
    ],
    'specificFlightInfo?': { bookingClassPref: [{ resBookDesigCode: WORD }, ONE_OR_MORE] },
    travelerInfoSummary: { airTravelerAvail: [{ passengerTypeQuantity: countsShape }] },
    'availableFlightsOnly?': isBoolean,
  },
  /** The contact first, then at least one passenger. */
  book: {
    rail: { airItinerary: RAIL_ITINERARY, travelerInfo: { airTraveler: [CONTACT_TRAVELER, PASSENGER, ONE_OR_MORE] } },
    airline: {
      airItinerary: AIRLINE_ITINERARY,
      travelerInfo: { airTraveler: [CONTACT_TRAVELER, PASSENGER_WITH_SERVICES, ONE_OR_MORE] },
    },
  },
  groupBook: {
    rail: {
      airItinerary: RAIL_ITINERARY,
      'bookingReferenceID?': { type: GROUP, id: WORD },
      travelerInfoSummary: {
        pricingPref: [{ qualifier: '4' }],
        airTravelerAvail: [{ passengerTypeQuantity: countsShape }, { airTraveler: CONTACT_TRAVELER }],
      },
    },
    /** This dialect has no qualifier, and describes the group in plain texts. */
    airline: {
      airItinerary: AIRLINE_ITINERARY,
      travelerInfoSummary: { airTravelerAvail: [{ passengerTypeQuantity: countsShape }] },
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
      seatMapRequest: [
        { flightSegmentInfo: SEAT_MAP_SEGMENT, travelerRefNumberRPHs: [WORD, ONE_OR_MORE] },
        ONE_OR_MORE,
      ],
    },
    airTravelers: { airTraveler: [copiedTravelerShape, ONE_OR_MORE] },
    bookingReferenceID: [{ ...UNIQUE_ID, 'companyName?': { code: TEXT } }, ONE_OR_MORE],
  },
  modify: (airBookModifyRQ: FieldShape) => ({ airReservation: requireReservation, airBookModifyRQ }),
  ticketMail: {
    ...MAIL_FIELDS,
    passengers: [{ firstName: WORD, 'middleName?': WORD, lastName: WORD }, ONE_OR_MORE],
  },
  /** Without segments the whole booking was cancelled. `departureDate` is local. */
  cancellationMail: {
    ...MAIL_FIELDS,
    'segments?': [{ flightDesignator: WORD, departure: WORD, arrival: WORD, departureDate: isDate }, ONE_OR_MORE],
  },
  calendar: {
    start_date: isLocalTime,
    end_date: isLocalTime,
    departure_airport: WORD,
    arrival_airport: WORD,
    direct: /^(?:true|false)$/,
  },
} as const;
