/**
 * What every OTA request carries (`version`, `pos`; docs/wire/interface.md, Point of sale), the table of all fields
 * that a request may hold, and the one check that each passes before it is sent. In order: what every request carries, the
 * check, schemas of values, segments and people, and the table, {@link REQUESTS}.
 */
import * as z from 'zod';
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
 * Returns the request with its fields in the order of its schema. A field that is undefined counts as absent. Throws
 * {@link UnwritableRequest} for a field that is unknown, missing or of another kind.
 */
export function checkRequest<T extends object>(schema: z.ZodType, request: T): CheckedRequest<T> {
  const { data, error } = schema.safeParse(JSON.parse(JSON.stringify(request)));
  if (error === undefined) return data as CheckedRequest<T>;
  const [issue] = error.issues;
  throw new UnwritableRequest(`${issue?.path.join('.')} (${issue?.code})`);
}

/** An object of these fields and no others. */
export const exactly = z.strictObject;
/** An object that is copied from a reading: its other fields are sent as they are. */
const copied = z.looseObject;
export const listOf = <T extends z.ZodType>(item: T) => z.array(item).min(1);
const listOfOne = <T extends z.ZodType>(item: T) => z.tuple([item]);
export const EMPTY_LIST = z.tuple([]);

// Kinds of values.

/** Any text, also an empty one. */
const TEXT = z.string();
const TEXTS = z.array(TEXT);
/** A text that is not empty. */
export const WORD = z.string().min(1);
/** A date of any year from 0000 on: `0001-01-01` is the empty date of many systems, and is sent back as it came. */
const DATE = z.iso.date();
/** A time of RFC 3339, with its zone and exactly three digits of a second. */
const MILLIS = z.iso.datetime({ offset: true, precision: 3 });
/** A time without a zone; seconds may be missing. */
const LOCAL_TIME = z.iso.datetime({ local: true });
/** A time that is sent back as it was read. */
const COPIED_TIME = z.iso.datetime({ offset: true, local: true });
/** A whole number, 0 or more. */
export const COUNT = z.int().nonnegative();
/** A pointer that is sent back as it was read: some airlines write a number. */
const POINTER_AS_READ = z.union([COUNT, WORD]);

/** `passengerTypeCode` of the contact, who is listed among the travellers and is not a passenger. */
export const CONTACT = 'CTC';

/*
 * Segments (docs/wire/interface.md, Flight segment):
 *
 * | schema           | where                                                   |
 * | ---------------- | ------------------------------------------------------- |
 * | RAIL_SEGMENT     | bookings of the rail dialect, and rebooking in either   |
 * | AIRLINE_SEGMENT  | bookings of the airline dialect                         |
 * | COPIED_SEGMENT   | cancelling segments: copied from a reading              |
 * | SEAT_MAP_SEGMENT | seat maps: copied from a reading                        |
 */

const LOCATION = { locationCode: WORD };
const OPERATING_AIRLINE = { code: WORD, flightNumber: WORD };
const MARKETING_AIRLINE = { code: WORD };

/** It names the class without the fare. */
const RAIL_SEGMENT = exactly({
  departureAirport: exactly(LOCATION),
  arrivalAirport: exactly(LOCATION),
  operatingAirline: exactly(OPERATING_AIRLINE),
  marketingAirline: exactly(MARKETING_AIRLINE).optional(),
  flightNumber: WORD,
  departureDateTime: MILLIS,
  arrivalDateTime: MILLIS,
  rph: WORD,
  fareBasisCode: TEXT.optional(),
  resBookDesigCode: TEXT.optional(),
  status: TEXT.optional(),
  equipment: EMPTY_LIST.optional(),
});
/** It has no operating carrier, equipment or status. */
const AIRLINE_SEGMENT = exactly({
  departureAirport: exactly(LOCATION),
  arrivalAirport: exactly(LOCATION),
  departureDateTime: MILLIS,
  arrivalDateTime: MILLIS,
  rph: WORD,
  marketingAirline: exactly(MARKETING_AIRLINE),
  flightNumber: WORD,
  fareBasisCode: WORD.optional(),
  resBookDesigCode: TEXT.optional(),
  numberInParty: z.int().positive().optional(),
});
const COPIED_SEGMENT = copied({
  departureAirport: copied(LOCATION),
  arrivalAirport: copied(LOCATION),
  operatingAirline: copied(OPERATING_AIRLINE),
  marketingAirline: copied(MARKETING_AIRLINE),
  flightNumber: WORD,
  departureDateTime: COPIED_TIME,
  arrivalDateTime: COPIED_TIME,
});
/** The reading may name no marketing carrier. */
const SEAT_MAP_SEGMENT = COPIED_SEGMENT.partial({ marketingAirline: true }).extend({ rph: POINTER_AS_READ });

const itinerary = (option: z.ZodType) =>
  exactly({ originDestinationOptions: exactly({ originDestinationOption: listOf(option) }) });

export const RAIL_ITINERARY = itinerary(exactly({ rph: WORD, flightSegment: listOf(RAIL_SEGMENT) }));
const AIRLINE_ITINERARY = itinerary(exactly({ rph: WORD, flightSegment: listOf(AIRLINE_SEGMENT) }));
export const COPIED_ITINERARY = itinerary(copied({ rph: POINTER_AS_READ, flightSegment: listOf(COPIED_SEGMENT) }));

// People (docs/wire/interface.md, Traveller).

const PERSON = {
  telephone: z.array(exactly({ countryAccessCode: TEXT, phoneNumber: TEXT }).partial()).optional(),
  email: z.array(exactly({ value: WORD })).optional(),
  address: z
    .array(exactly({ cityName: TEXT, countryName: exactly({ code: TEXT, value: TEXT }).partial() }).partial())
    .optional(),
  document: z
    .array(
      exactly({
        docID: TEXT,
        docType: TEXT,
        docHolderNationality: TEXT,
        expireDate: DATE,
        birthDate: DATE,
      }).partial(),
    )
    .optional(),
  gender: z.enum(['Male', 'Female', 'Unknown']).optional(),
  comment: z.array(exactly({ name: TEXT, value: TEXT }).partial()).optional(),
  accompaniedByInfantInd: z.boolean().optional(),
  personName: exactly({
    namePrefix: TEXTS.optional(),
    givenName: listOf(WORD),
    middleName: TEXTS.optional(),
    surname: WORD,
    nameSuffix: TEXTS.optional(),
    nameTitle: TEXTS.optional(),
  }),
};
const POINTER = exactly({ rph: WORD });
const COPIED_POINTER = copied({ rph: POINTER_AS_READ });
const PASSENGER_TYPE = z.enum(['ADT', 'CHD', 'INF']);

const CONTACT_TRAVELER = exactly({
  ...PERSON,
  travelerRefNumber: POINTER.optional(),
  passengerTypeCode: z.literal(CONTACT),
});
/** A passenger with a name, linked to its segments. */
const PASSENGER = exactly({
  ...PERSON,
  travelerRefNumber: POINTER,
  flightSegmentRPHs: exactly({ flightSegmentRPH: listOf(WORD) }),
  passengerTypeCode: PASSENGER_TYPE,
});
/** A request for one special service (docs/wire/notes.md, Shapes sent, Changes). */
export const SERVICE = {
  ssrCode: z.string().regex(/^[A-Z]{4}$/),
  serviceQuantity: z.literal(1),
  status: z.literal('Requested'),
  text: WORD.optional(),
};
/** The airline dialect requests services together with the booking. */
const PASSENGER_WITH_SERVICES = PASSENGER.extend({ specialServiceRequests: listOf(exactly(SERVICE)).optional() });

/** Writes what {@link SERVICE} describes. */
export function writeService({ code, text }: ServiceWish) {
  return { ssrCode: code, serviceQuantity: 1, status: 'Requested', text };
}

/** A traveller with a new name or new details: the reading may name no segment of a group's passenger. */
export const CHANGED_TRAVELER = z.discriminatedUnion('passengerTypeCode', [
  CONTACT_TRAVELER,
  PASSENGER.partial({ flightSegmentRPHs: true }),
]);
/** A traveller copied from a reading, perhaps without a name: to remove, to split off, or for a seat map. */
export const COPIED_TRAVELER = z.union([
  copied({ passengerTypeCode: z.literal(CONTACT) }),
  copied({ travelerRefNumber: COPIED_POINTER, passengerTypeCode: WORD }),
]);
/** A passenger with a new name or new details in the airline dialect: with all fields of the reading. */
export const COPIED_PASSENGER = copied({
  personName: copied({ givenName: listOf(WORD), surname: WORD }),
  travelerRefNumber: COPIED_POINTER,
  passengerTypeCode: WORD,
});

/** Passenger counts, such as `[{ code: 'ADT', quantity: 2 }]`: a line for each passenger type at most. */
const COUNTS = listOf(exactly({ code: PASSENGER_TYPE, quantity: COUNT })).refine(
  (lines) => new Set(lines.map(({ code }) => code)).size === lines.length,
);

// Messages (docs/wire/interface.md, docs/wire/notes.md, Shapes sent).

const UNIQUE_ID = { id: WORD, type: z.literal(RESERVATION) };
const MAIL_FIELDS = { emails: listOf(WORD), ccEmails: EMPTY_LIST, bccEmails: EMPTY_LIST, recordLocator: WORD };
const RESERVATION_FIELDS = copied({
  airItinerary: copied({}),
  travelerInfo: copied({ airTraveler: z.array(copied({ passengerTypeCode: WORD })) }),
});
/** A reservation that is sent back as it was read, with its fields in their order. */
const COPIED_RESERVATION = z.custom((value) => RESERVATION_FIELDS.safeParse(value).success);

/** Every field of every request. The fields of each change are in modify.ts. */
export const REQUESTS = {
  read: exactly({ readRequests: exactly({ readRequest: listOfOne(exactly({ uniqueID: exactly(UNIQUE_ID) })) }) }),
  cancel: exactly({ cancelType: z.literal('Commit'), uniqueID: listOfOne(exactly(UNIQUE_ID)) }),
  fareSearch: exactly({
    processingInfo: exactly({ displayOrder: z.literal('BY_PRICE_LOW_TO_HIGH'), availabilityIndicator: z.boolean() }),
    originDestinationInformation: listOf(
      exactly({
        originLocation: exactly(LOCATION),
        destinationLocation: exactly(LOCATION),
        departureDateTime: exactly({
          value: DATE,
          windowBefore: z.string().regex(/^P\d{1,3}D$/),
          windowAfter: z.string().regex(/^P\d{1,3}D$/),
        }),
      }),
    ),
    specificFlightInfo: exactly({ bookingClassPref: listOf(exactly({ resBookDesigCode: WORD })) }).optional(),
    travelerInfoSummary: exactly({ airTravelerAvail: listOfOne(exactly({ passengerTypeQuantity: COUNTS })) }),
    availableFlightsOnly: z.literal(false).optional(),
  }),
  /** The contact first, then at least one passenger. */
  book: {
    rail: exactly({
      airItinerary: RAIL_ITINERARY,
      travelerInfo: exactly({ airTraveler: z.tuple([CONTACT_TRAVELER, PASSENGER], PASSENGER) }),
    }),
    airline: exactly({
      airItinerary: AIRLINE_ITINERARY,
      travelerInfo: exactly({
        airTraveler: z.tuple([CONTACT_TRAVELER, PASSENGER_WITH_SERVICES], PASSENGER_WITH_SERVICES),
      }),
    }),
  },
  groupBook: {
    rail: exactly({
      airItinerary: RAIL_ITINERARY,
      bookingReferenceID: exactly({ type: z.literal(GROUP), id: WORD }).optional(),
      travelerInfoSummary: exactly({
        pricingPref: listOfOne(exactly({ qualifier: z.literal('4') })),
        airTravelerAvail: z.tuple([
          exactly({ passengerTypeQuantity: COUNTS }),
          exactly({ airTraveler: CONTACT_TRAVELER }),
        ]),
      }),
    }),
    /** This dialect has no qualifier, and describes the group in plain texts. */
    airline: exactly({
      airItinerary: AIRLINE_ITINERARY,
      travelerInfoSummary: exactly({ airTravelerAvail: listOfOne(exactly({ passengerTypeQuantity: COUNTS })) }),
      priceRequestInformation: exactly({
        tpa_Extensions: exactly({
          groupBooking: exactly({
            groupName: WORD.optional(),
            contactInfo: exactly({
              personName: exactly({ givenName: WORD, surname: WORD }),
              telephone: exactly({ phoneNumber: WORD }).optional(),
              email: WORD.optional(),
            }),
          }),
        }),
      }),
    }),
  },
  ticket: exactly({
    demandTicketDetail: exactly({
      messageFunction: listOfOne(exactly({ function: z.literal('ET') })),
      bookingReferenceID: exactly({
        ...UNIQUE_ID,
        companyName: exactly({ code: TEXT, companyShortName: TEXT }).partial().optional(),
      }),
      paymentInfo: listOfOne(
        exactly({
          paymentType: z.enum(['32', '5', '1', '4', '40']),
          creditCardInfo: listOfOne(exactly({ cardHolderName: WORD })).optional(),
          currencyCode: z.string().length(3).optional(),
          amount: z.number().nonnegative().optional(),
        }),
      ),
    }),
  }),
  seatMap: exactly({
    seatMapRequests: exactly({
      seatMapRequest: listOf(exactly({ flightSegmentInfo: SEAT_MAP_SEGMENT, travelerRefNumberRPHs: listOf(WORD) })),
    }),
    airTravelers: exactly({ airTraveler: listOf(COPIED_TRAVELER) }),
    bookingReferenceID: listOf(exactly({ ...UNIQUE_ID, companyName: exactly({ code: TEXT }).optional() })),
  }),
  modify: (airBookModifyRQ: z.ZodType) => exactly({ airReservation: COPIED_RESERVATION, airBookModifyRQ }),
  ticketMail: exactly({
    ...MAIL_FIELDS,
    passengers: listOf(exactly({ firstName: WORD, middleName: WORD.optional(), lastName: WORD })),
  }),
  /** Without segments the whole booking was cancelled. `departureDate` is local. */
  cancellationMail: exactly({
    ...MAIL_FIELDS,
    segments: listOf(
      exactly({ flightDesignator: WORD, departure: WORD, arrival: WORD, departureDate: DATE }),
    ).optional(),
  }),
  calendar: exactly({
    start_date: LOCAL_TIME,
    end_date: LOCAL_TIME,
    departure_airport: WORD,
    arrival_airport: WORD,
    direct: z.enum(['true', 'false']),
  }),
} as const;
