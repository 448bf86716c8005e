/**
 * Changing a booking: OTA_AirBookModifyRQ (docs/wire/interface.md, Changes). The reservation is sent back as it was
 * read, and `airBookModifyRQ` holds only the change.
 *
 * Types 2, 3, 5 and 10 are published, for the airline dialect 30 too. The payloads of 7, 20 and 40 are assumed
 * (docs/wire/notes.md, Shapes sent, Changes).
 */
import * as z from 'zod';
import { ClerkError } from '../../core/errors.ts';
import type { Dialect } from '../../domain/airline.ts';
import type { BookingChanges, Modification, SeatChoice } from '../../domain/booking/airline-requests.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import type { Segment, SegmentOption } from '../../domain/booking/itinerary.ts';
import type { Contact, Traveler } from '../../domain/people/traveler.ts';
import { isObject } from '../transport/json.ts';
import { chosenOptions, copiedItinerary } from './parts/copied-itinerary.ts';
import { changedPassenger, copiedPassenger } from './parts/copied-travelers.ts';
import type { CurrencySpelling } from './parts/envelope.ts';
import { only, type Wire } from './parts/reader.ts';
import { readReservation } from './parts/reservation.ts';
import { airItinerary, pointer, requestSegment, writeItinerary } from './parts/segment-request.ts';
import { writeTraveler } from './parts/traveler.ts';
import {
  changedTraveler,
  contactTraveler,
  copiedNamed,
  copiedTraveler,
  requestContact,
  requestGroupNames,
  requestTraveler,
} from './parts/traveler-request.ts';

export const MODIFY = 'OTA_AirBookModifyRQ';

/** A new kind of change adds its fields here and its row to {@link CHANGES}. */
declare module '../../domain/booking/airline-requests.ts' {
  interface BookingChanges {
    cancel_segments: { readonly options: readonly SegmentOption[] };
    cancel_passengers: { readonly travelers: readonly Traveler[] };
    change_names: { readonly travelers: readonly Traveler[] };
    assign_seats: { readonly seats: readonly SeatChoice[] };
    update_contact: { readonly contact: Contact };
    update_passengers: { readonly travelers: readonly Traveler[] };
    rebook_segment: {
      readonly replacedRef: string;
      /** The new flight, with a ref that the booking does not use. */
      readonly option: SegmentOption;
    };
    split_booking: { readonly travelers: readonly Traveler[] };
  }
}

/** Modification types (docs/wire/interface.md, Changes). */
const TYPE = {
  cancelPassenger: '2',
  changeName: '3',
  seats: '5',
  split: '7',
  cancelSegment: '10',
  rebook: '20',
  /** The airline dialect's number for rebooking. */
  rebookAirline: '30',
  passengerInfo: '40',
} as const;

const people = <T extends z.ZodType>(traveler: T) => z.strictObject({ airTraveler: z.array(traveler).min(1) });

/** The airline dialect names passengers in the reading's full shape. */
const named = { rail: people(z.union([contactTraveler, changedTraveler])), airline: people(copiedNamed) } as const;

const leavers = z.strictObject({
  airTraveler: z.array(copiedTraveler).min(1),
  /** Empty; in the airline dialect only. */
  specialReqDetails: z.tuple([]).optional(),
});

/** Seats (docs/wire/notes.md, Changes, type 5). Seats are numbered through the train: the bare number is sent. */
const seatRequest = z.strictObject({
  flightRefNumberRPHList: z.tuple([pointer]),
  travelerRefNumberRPHList: z.tuple([pointer]),
  seatNumber: z.string().min(1),
});
const seatRequests = z.strictObject({ seatRequest: z.array(seatRequest).min(1) });
const seatDetails = z.strictObject({ specialReqDetails: z.tuple([z.strictObject({ seatRequests })]) });

const changeIn = (dialect: Dialect) =>
  z.discriminatedUnion('modificationType', [
    z.strictObject({ modificationType: z.literal(TYPE.cancelSegment), airItinerary: copiedItinerary }),
    z.strictObject({ modificationType: z.literal(TYPE.cancelPassenger), travelerInfo: leavers }),
    z.strictObject({ modificationType: z.literal(TYPE.changeName), travelerInfo: named[dialect] }),
    z.strictObject({ modificationType: z.literal(TYPE.seats), travelerInfo: seatDetails }),
    z.strictObject({ modificationType: z.literal(TYPE.split), travelerInfo: people(copiedTraveler) }),
    z.strictObject({ modificationType: z.literal(TYPE.rebook), airItinerary }),
    z.strictObject({ modificationType: z.literal(TYPE.rebookAirline), airItinerary }),
    z.strictObject({ modificationType: z.literal(TYPE.passengerInfo), travelerInfo: named[dialect] }),
  ]);

const returned = z.looseObject({
  airItinerary: z.looseObject({}),
  travelerInfo: z.looseObject({
    airTraveler: z.array(z.looseObject({ passengerTypeCode: z.string().min(1) })),
  }),
});

const requestIn = (dialect: Dialect) =>
  z.strictObject({
    /** Checked but not rebuilt: a schema would reorder its fields. */
    airReservation: z.custom<Wire>((value) => returned.safeParse(value).success, 'not a whole reservation'),
    airBookModifyRQ: changeIn(dialect),
  });

const requests = { rail: requestIn('rail'), airline: requestIn('airline') } as const;

type ModifyChange = z.output<ReturnType<typeof changeIn>>;

function sourceOf(booking: Booking): Wire {
  if (isObject(booking.source)) return booking.source;
  throw new ClerkError('E_INTERNAL', 'A change needs the reservation as the airline sent it; nothing was sent.', {
    next: 'Read the booking with read_booking and ask for the change again.',
  });
}

/** Passengers to remove. The airline dialect copies them whole, the other names pointer, type and name. */
function leaving(booking: Booking, travelers: readonly Traveler[], dialect: Dialect): z.output<typeof leavers> {
  if (dialect === 'airline') {
    const airTraveler = travelers.map(({ ref }) => copiedPassenger(sourceOf(booking), ref));
    return { airTraveler: airTraveler as z.output<typeof copiedTraveler>[], specialReqDetails: [] };
  }
  return { airTraveler: pointed(travelers) };
}

function pointed(travelers: readonly Traveler[]): z.output<typeof copiedTraveler>[] {
  return travelers.map((one) => {
    const { personName, travelerRefNumber, passengerTypeCode } = writeTraveler(one);
    const named = personName === undefined ? {} : { personName };
    return { ...named, travelerRefNumber, passengerTypeCode };
  });
}

function changed(
  booking: Booking,
  travelers: readonly Traveler[],
  dialect: Dialect,
): z.output<(typeof named)[Dialect]> {
  if (dialect === 'airline') {
    const source = sourceOf(booking);
    return { airTraveler: travelers.map((one) => changedPassenger(source, one) as z.output<typeof copiedNamed>) };
  }
  const isNaming = travelers.some(({ ref }) => booking.travelers.some((one) => one.ref === ref && !one.name));
  return { airTraveler: isNaming ? requestGroupNames(travelers, booking.travelers) : travelers.map(requestTraveler) };
}

/** The airline dialect has no contact traveller (docs/wire/notes.md, Travellers). */
function contactChange(contact: Contact, dialect: Dialect): ModifyChange {
  if (dialect === 'rail')
    return { modificationType: TYPE.changeName, travelerInfo: { airTraveler: only(requestContact(contact)) } };
  throw new ClerkError('E_NOT_PERMITTED', 'This airline keeps contact details on the passengers. Nothing was sent.', {
    next: 'Call update_passenger with the e-mail or phone of a passenger.',
  });
}

/** The type that the airline permits on the segment, else by dialect. */
function rebookType(
  { permitted = [] }: Partial<Segment>,
  dialect: Dialect,
): typeof TYPE.rebook | typeof TYPE.rebookAirline {
  const offered = permitted.map((operation) => operation.modificationType);
  const [usual, other] = dialect === 'airline' ? [TYPE.rebookAirline, TYPE.rebook] : [TYPE.rebook, TYPE.rebookAirline];
  return offered.includes(other) && !offered.includes(usual) ? other : usual;
}

/** The new segment, without a status. Type 30 names no fare basis either (docs/wire/notes.md, Shapes sent). */
function rebooked({ booking, replacedRef, option }: Modification<'rebook_segment'>, dialect: Dialect): ModifyChange {
  const replaced = booking.options.flatMap(({ segments }) => segments).find(({ ref }) => ref === replacedRef);
  const modificationType = rebookType(replaced ?? {}, dialect);
  const airItinerary = writeItinerary([option], (segment) => {
    const { fareBasisCode, ...rest } = requestSegment(segment);
    return modificationType === TYPE.rebookAirline || fareBasisCode === undefined ? rest : { ...rest, fareBasisCode };
  });
  return { modificationType, airItinerary };
}

function writeSeats(seats: readonly SeatChoice[]): z.output<typeof seatDetails> {
  const seatRequest = seats.map(({ segmentRef, travelerRef, seat }) => ({
    flightRefNumberRPHList: only(segmentRef),
    travelerRefNumberRPHList: only(travelerRef),
    seatNumber: seat,
  }));
  return { specialReqDetails: only({ seatRequests: { seatRequest } }) };
}

/** How one kind of change is written, and how it differs from the others. */
interface ChangeMessage<K extends keyof BookingChanges> {
  write(change: Modification<K>, dialect: Dialect): ModifyChange;
  /** If it is not that of the dialect: rail publishes types 3 and 5 with a capital C (docs/wire/notes.md, Shapes sent). */
  readonly spelling?: CurrencySpelling;
  /** "Already cancelled" may report this very message. */
  readonly cancels?: true;
  /** The reply is another booking. The journal tells by its passengers whose it is. */
  readonly makesBooking?: true;
}

export const CHANGES: { readonly [K in keyof BookingChanges]: ChangeMessage<K> } = {
  cancel_segments: {
    cancels: true,
    write: ({ booking, options }) => ({
      modificationType: TYPE.cancelSegment,
      airItinerary: chosenOptions(booking, sourceOf(booking), options),
    }),
  },
  cancel_passengers: {
    cancels: true,
    write: ({ booking, travelers }, dialect) => ({
      modificationType: TYPE.cancelPassenger,
      travelerInfo: leaving(booking, travelers, dialect),
    }),
  },
  change_names: {
    spelling: 'isoCurrency',
    write: ({ booking, travelers }, dialect) => ({
      modificationType: TYPE.changeName,
      travelerInfo: changed(booking, travelers, dialect),
    }),
  },
  assign_seats: {
    spelling: 'isoCurrency',
    write: ({ seats }) => ({ modificationType: TYPE.seats, travelerInfo: writeSeats(seats) }),
  },
  update_contact: {
    spelling: 'isoCurrency',
    write: ({ contact }, dialect) => contactChange(contact, dialect),
  },
  update_passengers: {
    write: ({ booking, travelers }, dialect) => ({
      // Published for the airline dialect as type 3; 40 is assumed.
      modificationType: dialect === 'airline' ? TYPE.changeName : TYPE.passengerInfo,
      travelerInfo: changed(booking, travelers, dialect),
    }),
  },
  rebook_segment: { write: rebooked },
  split_booking: {
    makesBooking: true,
    write: ({ travelers }) => ({ modificationType: TYPE.split, travelerInfo: { airTraveler: pointed(travelers) } }),
  },
};

export function encodeModifyRequest<K extends keyof BookingChanges>(
  modification: Modification<K>,
  dialect: Dialect,
): Wire {
  return requests[dialect].parse({
    airReservation: sourceOf(modification.booking),
    airBookModifyRQ: CHANGES[modification.kind].write(modification, dialect),
  });
}

export const decodeModifyReply = (reply: unknown): Booking => readReservation(reply);
