/**
 * Changing a booking: OTA_AirBookModifyRQ (docs/wire/interface.md, Changes). The reservation is sent back as it was
 * read, and `airBookModifyRQ` holds only the change; flights and travellers in it are copied with their unknown fields.
 * First the kinds of change, then how each is written, in the order of their table (CHANGES), then the request itself.
 *
 * Types 2, 3, 5 and 10 are published, for the airline dialect 30 too. The payloads of 7, 20 and 40 are assumed
 * (docs/wire/notes.md, Shapes sent, Changes).
 */

import * as z from 'zod';
import { cleanRef } from '../../core/clean-text.ts';
import { ClerkError, inputError, notSent } from '../../core/errors.ts';
import { isObject } from '../../core/own.ts';
import type { BookingChanges, Dialect, Modification, SeatChoice } from '../../domain/airline.ts';
import { shownBooking } from '../../domain/booking/blanked-booking.ts';
import type { Booking, Reading, SegmentOption } from '../../domain/booking/booking.ts';
import type { ServiceWish } from '../../domain/booking/special-services.ts';
import type { Contact, Traveler } from '../../domain/people/traveler.ts';
import type { Wire } from './reader.ts';
import {
  CHANGED_TRAVELER,
  type CheckedRequest,
  COPIED_ITINERARY,
  COPIED_PASSENGER,
  COPIED_TRAVELER,
  type CurrencySpelling,
  checkRequest,
  EMPTY_LIST,
  exactly,
  listOf,
  RAIL_ITINERARY,
  REQUESTS,
  SERVICE,
  WORD,
  writeService,
} from './request.ts';
import { readReservation } from './reservation.ts';
import { copyOption, hasSameFlights, requestSegment, wireOptions, writeItinerary } from './segment.ts';
import {
  changedPassenger,
  findPassenger,
  requestContact,
  requestGroupNames,
  requestTraveler,
  writeTraveler,
} from './traveler.ts';

export const MODIFY = 'OTA_AirBookModifyRQ';

/** A new kind of change adds its fields here and its row to {@link CHANGES}. */
declare module '../../domain/airline.ts' {
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
    request_service: ServicePlace & { readonly service: ServiceWish };
  }
}

/** The traveller and the segments for which a special service is. */
interface ServicePlace {
  readonly travelerRef: string;
  readonly segmentRefs: readonly string[];
}

/** Modification types (docs/wire/interface.md, Changes). */
const TYPE = {
  cancelPassenger: '2',
  changeName: '3',
  /** Seats and other special services. */
  specialRequest: '5',
  split: '7',
  cancelSegment: '10',
  rebook: '20',
  /** The airline dialect's number for rebooking. */
  rebookAirline: '30',
  passengerInfo: '40',
} as const;

/** Travellers with new names or details. */
const CHANGED_TRAVELERS = {
  rail: exactly({ airTraveler: listOf(CHANGED_TRAVELER) }),
  airline: exactly({ airTraveler: listOf(COPIED_PASSENGER) }),
} as const;
/** One seat (docs/wire/notes.md, Changes, type 5). Seats are numbered through the train, so that the number alone is sent. */
const SEAT_REQUEST = exactly({
  flightRefNumberRPHList: z.tuple([WORD]),
  travelerRefNumberRPHList: z.tuple([WORD]),
  seatNumber: WORD,
});
/** One special service, with its segments and its traveller. */
const LINKED_SERVICE = {
  ...SERVICE,
  flightRefNumberRPHList: listOf(WORD),
  travelerRefNumberRPHList: z.tuple([WORD]),
};
const specialRequest = (request: z.ZodRawShape) => exactly({ specialReqDetails: z.tuple([exactly(request)]) });
const serviceRequest = (service: z.ZodRawShape) =>
  specialRequest({ specialServiceRequests: exactly({ specialServiceRequest: z.tuple([exactly(service)]) }) });

/** The reservation as the airline sent it. Throws E_INTERNAL if the booking was not read for a change. */
function requireSource(booking: Reading): Wire {
  if (isObject(booking.source)) return booking.source;
  throw new ClerkError('E_INTERNAL', 'A change needs the reservation as the airline sent it; nothing was sent.', {
    next: 'Read the booking with read_booking and ask for the change again.',
  });
}

/** Finds the booking's option: the same object, else the only one with these flights, because two can share a pointer. */
function findOption(booking: Reading, option: SegmentOption): SegmentOption | undefined {
  if (booking.options.includes(option)) return option;
  const candidates = booking.options.filter(
    ({ ref, segments }) => ref === option.ref && hasSameFlights(segments, option.segments),
  );
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** Copies the options to cancel. Throws E_INPUT for an unknown option, E_AIRLINE_REPLY if another flight is in its place. */
function copyOptions(booking: Reading, reservation: Wire, options: readonly SegmentOption[]): Wire {
  const wires = wireOptions(reservation.airItinerary);
  const originDestinationOption = options.map((option) => {
    const optionOfBooking = findOption(booking, option);
    const wire = optionOfBooking && wires[booking.options.indexOf(optionOfBooking)];
    if (wire === undefined)
      throw inputError('segment_refs', `the booking has no option ${cleanRef(option.ref ?? '')}.`);
    return copyOption(wire, option);
  });
  return { originDestinationOptions: { originDestinationOption } };
}

/** Writes the passengers to remove: in the airline dialect as the reading has them, in rail by pointer, type and name. */
function writeLeavingPassengers(booking: Reading, travelers: readonly Traveler[], dialect: Dialect): Wire {
  if (dialect === 'airline') {
    const airTraveler = travelers.map(({ ref }) => findPassenger(requireSource(booking), ref));
    return { airTraveler, specialReqDetails: [] };
  }
  return { airTraveler: writeShortTravelers(travelers) };
}

/** Writes travellers by pointer, type and name alone. */
function writeShortTravelers(travelers: readonly Traveler[]): Wire[] {
  return travelers.map((traveler) => {
    const { personName, travelerRefNumber, passengerTypeCode } = writeTraveler(traveler);
    return { personName, travelerRefNumber, passengerTypeCode };
  });
}

/** Writes new names or details. In rail the first names of a group's passengers have a shorter form. */
function writeChangedTravelers(booking: Reading, travelers: readonly Traveler[], dialect: Dialect): Wire {
  if (dialect === 'airline') {
    const source = requireSource(booking);
    return { airTraveler: travelers.map((traveler) => changedPassenger(source, traveler)) };
  }

  const areFirstNames = travelers.some(({ ref }) =>
    booking.travelers.some((traveler) => traveler.ref === ref && !traveler.name),
  );

  return {
    airTraveler: areFirstNames ? requestGroupNames(travelers, booking.travelers) : travelers.map(requestTraveler),
  };
}

function writeSeats(seats: readonly SeatChoice[]): Wire {
  const seatRequest = seats.map(({ segmentRef, travelerRef, seat }) => ({
    flightRefNumberRPHList: [segmentRef],
    travelerRefNumberRPHList: [travelerRef],
    seatNumber: seat,
  }));
  return { specialReqDetails: [{ seatRequests: { seatRequest } }] };
}

/** Throws E_NOT_PERMITTED in the airline dialect, which has no contact (docs/wire/notes.md, Travellers). */
function writeContact(contact: Contact, dialect: Dialect): Wire {
  if (dialect === 'rail') return { airTraveler: [requestContact(contact)] };
  throw notSent(
    'E_NOT_PERMITTED',
    'This airline keeps contact details on the passengers.',
    'Call update_passenger with the e-mail or phone of a passenger.',
  );
}

/** Chooses the type of a rebooking: the dialect's usual one, unless the airline permits only the other on the segment. */
function rebookType({ booking, replacedRef }: Modification<'rebook_segment'>, dialect: Dialect): string {
  const replaced = booking.options.flatMap(({ segments }) => segments).find(({ ref }) => ref === replacedRef);
  const permitted = (replaced?.permitted ?? []).map((operation) => operation.modificationType);
  const [usual, other] = dialect === 'airline' ? [TYPE.rebookAirline, TYPE.rebook] : [TYPE.rebook, TYPE.rebookAirline];
  return permitted.includes(other) && !permitted.includes(usual) ? other : usual;
}

/** Writes the new segment, without a status. Type 30 names no fare basis either (docs/wire/notes.md, Shapes sent). */
function writeReplacement(change: Modification<'rebook_segment'>, dialect: Dialect): Wire {
  const hasFare = rebookType(change, dialect) === TYPE.rebook;
  return writeItinerary([change.option], (segment) => {
    const { fareBasisCode, ...rest } = requestSegment(segment);
    return hasFare && fareBasisCode !== undefined ? { ...rest, fareBasisCode } : rest;
  });
}

/** Writes the one line of a special service, for all its segments (docs/wire/notes.md, Changes, type 5). */
function writeServiceRequest(service: Wire): Wire {
  return { specialReqDetails: [{ specialServiceRequests: { specialServiceRequest: [service] } }] };
}

function writePlace({ segmentRefs, travelerRef }: ServicePlace): Wire {
  return { flightRefNumberRPHList: [...segmentRefs], travelerRefNumberRPHList: [travelerRef] };
}

/** How one kind of change is written, and how it differs from the others. */
interface ChangeMessage<K extends keyof BookingChanges> {
  /** Its modification type. */
  readonly type: string | ((change: Modification<K>, dialect: Dialect) => string);
  /** The fields that the request may hold beside its type. */
  fields(dialect: Dialect): z.ZodRawShape;
  /** Their values. */
  write(change: Modification<K>, dialect: Dialect): Wire;
  /** Absent: that of the dialect. Rail publishes types 3 and 5 with a capital C (docs/wire/notes.md, Shapes sent). */
  readonly spelling?: CurrencySpelling;
  /** The reply is a new booking. The journal recognizes it by its passengers. */
  readonly makesBooking?: true;
}

export const CHANGES: { readonly [K in keyof BookingChanges]: ChangeMessage<K> } = {
  cancel_segments: {
    type: TYPE.cancelSegment,
    fields: () => ({ airItinerary: COPIED_ITINERARY }),
    write: ({ booking, options }) => ({ airItinerary: copyOptions(booking, requireSource(booking), options) }),
  },
  cancel_passengers: {
    type: TYPE.cancelPassenger,
    // `specialReqDetails` is empty, and in the airline dialect only.
    fields: () => ({
      travelerInfo: exactly({ airTraveler: listOf(COPIED_TRAVELER), specialReqDetails: EMPTY_LIST.optional() }),
    }),
    write: ({ booking, travelers }, dialect) => ({ travelerInfo: writeLeavingPassengers(booking, travelers, dialect) }),
  },
  change_names: {
    type: TYPE.changeName,
    fields: (dialect) => ({ travelerInfo: CHANGED_TRAVELERS[dialect] }),
    write: ({ booking, travelers }, dialect) => ({ travelerInfo: writeChangedTravelers(booking, travelers, dialect) }),
    spelling: 'isoCurrency',
  },
  assign_seats: {
    type: TYPE.specialRequest,
    fields: () => ({
      travelerInfo: specialRequest({ seatRequests: exactly({ seatRequest: listOf(SEAT_REQUEST) }) }),
    }),
    write: ({ seats }) => ({ travelerInfo: writeSeats(seats) }),
    spelling: 'isoCurrency',
  },
  update_contact: {
    type: TYPE.changeName,
    fields: () => ({ travelerInfo: CHANGED_TRAVELERS.rail }),
    write: ({ contact }, dialect) => ({ travelerInfo: writeContact(contact, dialect) }),
    spelling: 'isoCurrency',
  },
  update_passengers: {
    // Published for the airline dialect as type 3; 40 is assumed.
    type: (_, dialect) => (dialect === 'airline' ? TYPE.changeName : TYPE.passengerInfo),
    fields: (dialect) => ({ travelerInfo: CHANGED_TRAVELERS[dialect] }),
    write: ({ booking, travelers }, dialect) => ({ travelerInfo: writeChangedTravelers(booking, travelers, dialect) }),
  },
  rebook_segment: {
    type: rebookType,
    fields: () => ({ airItinerary: RAIL_ITINERARY }),
    write: (change, dialect) => ({ airItinerary: writeReplacement(change, dialect) }),
  },
  split_booking: {
    type: TYPE.split,
    fields: () => ({ travelerInfo: exactly({ airTraveler: listOf(COPIED_TRAVELER) }) }),
    write: ({ travelers }) => ({ travelerInfo: { airTraveler: writeShortTravelers(travelers) } }),
    makesBooking: true,
  },
  request_service: {
    type: TYPE.specialRequest,
    fields: () => ({ travelerInfo: serviceRequest(LINKED_SERVICE) }),
    write: (change) => ({
      travelerInfo: writeServiceRequest({ ...writeService(change.service), ...writePlace(change) }),
    }),
    spelling: 'isoCurrency',
  },
};

/** Every field that a request for this kind of change may hold. */
export function modifyFields(kind: keyof BookingChanges, dialect: Dialect, modificationType: string): z.ZodType {
  const type = z.literal(modificationType);
  return REQUESTS.modify(exactly({ modificationType: type, ...CHANGES[kind].fields(dialect) }));
}

export function encodeModifyRequest<K extends keyof BookingChanges>(
  modification: Modification<K>,
  dialect: Dialect,
): CheckedRequest {
  const { type, write } = CHANGES[modification.kind];
  const modificationType = typeof type === 'string' ? type : type(modification, dialect);
  return checkRequest(modifyFields(modification.kind, dialect, modificationType), {
    airReservation: requireSource(modification.booking),
    airBookModifyRQ: { modificationType, ...write(modification, dialect) },
  });
}

export const decodeModifyReply = (reply: unknown): Booking => shownBooking(readReservation(reply));
