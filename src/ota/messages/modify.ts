/**
 * Changing a booking: OTA_AirBookModifyRQ (docs/wire/interface.md, Changes). The reservation is sent back as it was
 * read, and `airBookModifyRQ` holds only the change; flights and travellers in it are copied with their unknown fields.
 *
 * Types 2, 3, 5 and 10 are published, for the airline dialect 30 too. The payloads of 7, 20 and 40 are assumed
 * (docs/wire/notes.md, Shapes sent, Changes).
 */

import { ClerkError, inputError } from '../../core/errors.ts';
import { isObject } from '../../core/own.ts';
import type { BookingChanges, Dialect, Modification, SeatChoice } from '../../domain/airline.ts';
import type { Booking, Segment, SegmentOption } from '../../domain/booking/booking.ts';
import type { ServiceWish } from '../../domain/booking/special-services.ts';
import type { Contact, Phone, Traveler } from '../../domain/people/traveler.ts';
import { record, records, type Wire } from './reader.ts';
import {
  CHANGED_TRAVELER,
  type CheckedRequest,
  COPIED_ITINERARY,
  COPIED_PASSENGER,
  COPIED_TRAVELER,
  type CurrencySpelling,
  checkRequest,
  type FieldShape,
  RAIL_ITINERARY,
  REQUESTS,
  requestService,
  SERVICE,
  SOME,
  WORD,
} from './request.ts';
import { readReservation } from './reservation.ts';
import { readOptions, readSegment, requestSegment, wireOptions, writeItinerary } from './segment.ts';
import {
  isContact,
  readTraveler,
  requestContact,
  requestGroupNames,
  requestTraveler,
  travelerPointer,
  writeTraveler,
} from './traveler.ts';

/** The raw segment of the reading. Fields that it lacks, or has in another form, come from the domain. */
function completed(raw: Wire, segment: Segment): Wire {
  // The fare stays as the reading has it.
  const { fareBasisCode: _, ...due } = requestSegment(segment, segment.statusCode);
  const filled: Wire = { ...raw };
  for (const [name, value] of Object.entries(due)) {
    const rawValue = raw[name];
    if (isObject(value) && isObject(rawValue)) filled[name] = withTexts(rawValue, value);
    else if (value !== undefined && (typeof rawValue !== typeof value || Array.isArray(rawValue))) filled[name] = value;
  }
  return { ...filled, departureDateTime: due.departureDateTime, arrivalDateTime: due.arrivalDateTime };
}

/** The raw object with the texts that it lacks or has in another form. */
function withTexts(raw: Wire, due: Wire): Wire {
  const filled: Wire = { ...raw };
  for (const [name, value] of Object.entries(due)) if (typeof raw[name] !== 'string') filled[name] = value;
  return filled;
}

/** What two readings of one flight have in common. */
const IDENTIFYING_FIELDS = ['ref', 'from', 'to', 'flightNumber', 'departs', 'arrives'] as const;

const isSameFlight = (one: Segment, other: Segment): boolean =>
  IDENTIFYING_FIELDS.every((field) => one[field] === other[field]);

function sameSegments({ segments }: SegmentOption, other: SegmentOption): boolean {
  return (
    segments.length === other.segments.length &&
    segments.every((segment, i) => isSameFlight(segment, other.segments[i] ?? segment))
  );
}

/** The booking changed after the reading, or its pointers mislead. Another flight must not be sent. */
function disagreement(): ClerkError {
  return new ClerkError('E_AIRLINE_REPLY', 'A flight is not where the airline showed it. Nothing was sent.', {
    next: 'Call read_booking, and ask the airline where two flights have the same pointer.',
  });
}

function copyOption(raw: Wire, option: SegmentOption): Wire {
  const wires = records(raw.flightSegment);
  const read = wires.map((wire, i) => readSegment(wire, option.segments[i]?.ref ?? '', option.ref));
  if (!sameSegments(option, { ref: option.ref, segments: read })) throw disagreement();
  const flightSegment = option.segments.map((segment, i) => completed(record(wires[i]), segment));
  return { ...raw, flightSegment, rph: option.ref };
}

/** One segment of the reading (docs/wire/notes.md, Seats). Throws if the reading has no such flight. */
export function copyFlight(reservation: Wire, segment: Segment): Wire {
  const wires = wireOptions(reservation.airItinerary).map((option) => records(option.flightSegment));
  const read = readOptions(reservation.airItinerary).flatMap(({ segments }) => segments);
  const index = read.findIndex(
    (candidate) => candidate.optionRef === segment.optionRef && isSameFlight(candidate, segment),
  );
  const wire = wires.flat()[index];
  if (wire === undefined) throw disagreement();
  return { ...completed(wire, segment), rph: segment.ref };
}

/** The index of the option: by identity, else the only one with these flights, since two can have the same pointer; else -1. */
function findOptionIndex(booking: Booking, option: SegmentOption): number {
  const index = booking.options.indexOf(option);
  if (index >= 0) return index;
  const alike = booking.options.filter((candidate) => candidate.ref === option.ref && sameSegments(candidate, option));
  return alike.length === 1 ? booking.options.findIndex((candidate) => alike.includes(candidate)) : -1;
}

/** The options to cancel. Throws E_INPUT for an unknown option, E_AIRLINE_REPLY if another flight is in its place. */
function chosenOptions(booking: Booking, reservation: Wire, options: readonly SegmentOption[]): Wire {
  const wires = wireOptions(reservation.airItinerary);
  const originDestinationOption = options.map((option) => {
    const wire = wires[findOptionIndex(booking, option)];
    if (wire === undefined) throw inputError('segment_refs', `the booking has no option ${option.ref}.`);
    return copyOption(wire, option);
  });
  return { originDestinationOptions: { originDestinationOption } };
}

export function allTravelers(reservation: Wire): readonly Wire[] {
  const info = reservation.travelerInfo;
  return records(isObject(info) ? info.airTraveler : info);
}

/** The passenger with this pointer, as the airline sent it. Throws E_INPUT if there is none. */
function copiedPassenger(reservation: Wire, ref: string): Wire {
  const found = allTravelers(reservation)
    .filter((wire) => !isContact(wire))
    .find((wire, place) => (travelerPointer(wire) ?? String(place + 1)) === ref);
  if (found === undefined) throw inputError('passenger_refs', `the booking has no passenger ${ref}.`);
  return found;
}

/** A passenger with new details. Name, document, e-mail and gender replace the old ones; telephones are added. */
function changedPassenger(reservation: Wire, traveler: Traveler): Wire {
  const copied = copiedPassenger(reservation, traveler.ref);
  const was = readTraveler(copied, traveler.ref);
  const { personName, document, gender, email } = requestTraveler(traveler);
  const isUnchanged = (before: unknown, other: unknown) => JSON.stringify(before) === JSON.stringify(other);
  const keptDocument = isUnchanged([was.document, was.birthDate], [traveler.document, traveler.birthDate]);
  return {
    ...copied,
    personName: isUnchanged(was.name, traveler.name)
      ? copied.personName
      : renamed(record(copied.personName), record(personName)),
    document: keptDocument ? copied.document : document?.map((fields) => withFields(record(copied.document), fields)),
    gender: gender ?? copied.gender,
    email: isUnchanged(was.emails, traveler.emails) ? copied.email : email,
    telephone: withNewPhones(copied, was, traveler),
  };
}

/** The copy with these fields. One that is undefined stays as the airline sent it. */
function withFields(copied: Wire, fields: Wire): Wire {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...copied, ...Object.fromEntries(defined) };
}

/** Lists of the old name that the new one lacks are sent empty. */
function renamed(copied: Wire, name: Wire): Wire {
  const emptied = Object.entries(copied).map(([part, value]) => [part, Array.isArray(value) ? [] : value]);
  return withFields(Object.fromEntries(emptied), name);
}

/** OpenTravel phone technology type of an added telephone (docs/wire/notes.md, Changes). */
const ADDED_PHONE = '5';

/** Phones are compared by their digits, because replies write them with different signs. */
function withNewPhones(copied: Wire, was: Traveler, { phones }: Traveler): unknown {
  const digits = ({ countryCode = '', number = '' }: Phone) => `${countryCode}${number}`.replace(/\D/g, '');
  const knownNumbers = was.phones.map(digits);
  const newPhones = phones
    .filter((phone) => !knownNumbers.includes(digits(phone)))
    .map(({ countryCode, number }) => ({
      countryAccessCode: countryCode,
      phoneNumber: number,
      phoneTechType: ADDED_PHONE,
    }));
  return newPhones.length === 0 ? copied.telephone : [...records(copied.telephone), ...newPhones];
}

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
    request_service: PlacedService & { readonly service: ServiceWish };
  }
}

/** For whom a special service is, and where. */
interface PlacedService {
  readonly travelerRef: string;
  readonly segmentRefs: readonly string[];
}

/** Modification types (docs/wire/interface.md, Changes). */
const TYPE = {
  cancelPassenger: '2',
  changeName: '3',
  /** Seats and other special services. */
  special: '5',
  split: '7',
  cancelSegment: '10',
  rebook: '20',
  /** The airline dialect's number for rebooking. */
  rebookAirline: '30',
  passengerInfo: '40',
} as const;

const people = (traveler: FieldShape) => ({ airTraveler: [traveler, SOME] });
const NAMED = { rail: people(CHANGED_TRAVELER), airline: people(COPIED_PASSENGER) } as const;
/** Seats (docs/wire/notes.md, Changes, type 5). Seats are numbered through the train: the bare number is sent. */
const SEAT_REQUEST = { flightRefNumberRPHList: [WORD], travelerRefNumberRPHList: [WORD], seatNumber: WORD };
const LINKED_SERVICE = { ...SERVICE, flightRefNumberRPHList: [WORD, SOME], travelerRefNumberRPHList: [WORD] };

function assertSource(booking: Booking): Wire {
  if (isObject(booking.source)) return booking.source;
  throw new ClerkError('E_INTERNAL', 'A change needs the reservation as the airline sent it; nothing was sent.', {
    next: 'Read the booking with read_booking and ask for the change again.',
  });
}

/** Passengers to remove: in the airline dialect as the reading has them, in rail by pointer, type and name. */
function leavingPassengers(booking: Booking, travelers: readonly Traveler[], dialect: Dialect): Wire {
  if (dialect === 'airline') {
    const airTraveler = travelers.map(({ ref }) => copiedPassenger(assertSource(booking), ref));
    return { airTraveler, specialReqDetails: [] };
  }
  return { airTraveler: shortTravelers(travelers) };
}

/** Travellers by pointer, type and name alone. */
function shortTravelers(travelers: readonly Traveler[]): Wire[] {
  return travelers.map((traveler) => {
    const { personName, travelerRefNumber, passengerTypeCode } = writeTraveler(traveler);
    return { personName, travelerRefNumber, passengerTypeCode };
  });
}

/** New names or details. In rail the first names of a group's passengers have a shorter form. */
function changedTravelers(booking: Booking, travelers: readonly Traveler[], dialect: Dialect): Wire {
  if (dialect === 'airline') {
    const source = assertSource(booking);
    return { airTraveler: travelers.map((traveler) => changedPassenger(source, traveler)) };
  }
  const isNaming = travelers.some(({ ref }) =>
    booking.travelers.some((traveler) => traveler.ref === ref && !traveler.name),
  );
  return { airTraveler: isNaming ? requestGroupNames(travelers, booking.travelers) : travelers.map(requestTraveler) };
}

/** The airline dialect has no contact traveller (docs/wire/notes.md, Travellers). */
function writeContact(contact: Contact, dialect: Dialect): Wire {
  if (dialect === 'rail') return { airTraveler: [requestContact(contact)] };
  throw new ClerkError('E_NOT_PERMITTED', 'This airline keeps contact details on the passengers. Nothing was sent.', {
    next: 'Call update_passenger with the e-mail or phone of a passenger.',
  });
}

/** The type that the airline permits on the segment, else by dialect. */
function rebookType({ booking, replacedRef }: Modification<'rebook_segment'>, dialect: Dialect): string {
  const replaced = booking.options.flatMap(({ segments }) => segments).find(({ ref }) => ref === replacedRef);
  const permitted = (replaced?.permitted ?? []).map((operation) => operation.modificationType);
  const [usual, other] = dialect === 'airline' ? [TYPE.rebookAirline, TYPE.rebook] : [TYPE.rebook, TYPE.rebookAirline];
  return permitted.includes(other) && !permitted.includes(usual) ? other : usual;
}

/** The new segment, without a status. Type 30 names no fare basis either (docs/wire/notes.md, Shapes sent). */
function writeReplacement(change: Modification<'rebook_segment'>, dialect: Dialect): Wire {
  const namesFare = rebookType(change, dialect) === TYPE.rebook;
  return writeItinerary([change.option], (segment) => {
    const { fareBasisCode, ...rest } = requestSegment(segment);
    return namesFare && fareBasisCode !== undefined ? { ...rest, fareBasisCode } : rest;
  });
}

function writeSeats(seats: readonly SeatChoice[]): Wire {
  const seatRequest = seats.map(({ segmentRef, travelerRef, seat }) => ({
    flightRefNumberRPHList: [segmentRef],
    travelerRefNumberRPHList: [travelerRef],
    seatNumber: seat,
  }));
  return { specialReqDetails: [{ seatRequests: { seatRequest } }] };
}

/** The one line of a special service, for all its segments (docs/wire/notes.md, Changes, type 5). */
const specialService = <T>(line: T) => ({
  travelerInfo: { specialReqDetails: [{ specialServiceRequests: { specialServiceRequest: [line] } }] },
});

function placed({ segmentRefs, travelerRef }: PlacedService): Wire {
  return { flightRefNumberRPHList: [...segmentRefs], travelerRefNumberRPHList: [travelerRef] };
}

/** How one kind of change is written, and how it differs from the others. */
interface ChangeMessage<K extends keyof BookingChanges> {
  /** Its modification type. */
  readonly type: string | ((change: Modification<K>, dialect: Dialect) => string);
  /** The fields that the request may hold beside its type. */
  fields(dialect: Dialect): { readonly [name: string]: FieldShape };
  /** Their values. */
  write(change: Modification<K>, dialect: Dialect): Wire;
  /** If it is not that of the dialect: rail publishes types 3 and 5 with a capital C (docs/wire/notes.md, Shapes sent). */
  readonly spelling?: CurrencySpelling;
  /** "Already cancelled" may report this very message. */
  readonly cancels?: true;
  /** The reply is another booking. The journal tells by its passengers whose it is. */
  readonly makesBooking?: true;
}

export const CHANGES: { readonly [K in keyof BookingChanges]: ChangeMessage<K> } = {
  cancel_segments: {
    type: TYPE.cancelSegment,
    fields: () => ({ airItinerary: COPIED_ITINERARY }),
    write: ({ booking, options }) => ({ airItinerary: chosenOptions(booking, assertSource(booking), options) }),
    cancels: true,
  },
  cancel_passengers: {
    type: TYPE.cancelPassenger,
    // `specialReqDetails` is empty, and in the airline dialect only.
    fields: () => ({ travelerInfo: { ...people(COPIED_TRAVELER), 'specialReqDetails?': [] } }),
    write: ({ booking, travelers }, dialect) => ({ travelerInfo: leavingPassengers(booking, travelers, dialect) }),
    cancels: true,
  },
  change_names: {
    type: TYPE.changeName,
    fields: (dialect) => ({ travelerInfo: NAMED[dialect] }),
    write: ({ booking, travelers }, dialect) => ({ travelerInfo: changedTravelers(booking, travelers, dialect) }),
    spelling: 'isoCurrency',
  },
  assign_seats: {
    type: TYPE.special,
    fields: () => ({ travelerInfo: { specialReqDetails: [{ seatRequests: { seatRequest: [SEAT_REQUEST, SOME] } }] } }),
    write: ({ seats }) => ({ travelerInfo: writeSeats(seats) }),
    spelling: 'isoCurrency',
  },
  update_contact: {
    type: TYPE.changeName,
    fields: () => ({ travelerInfo: NAMED.rail }),
    write: ({ contact }, dialect) => ({ travelerInfo: writeContact(contact, dialect) }),
    spelling: 'isoCurrency',
  },
  update_passengers: {
    // Published for the airline dialect as type 3; 40 is assumed.
    type: (_, dialect) => (dialect === 'airline' ? TYPE.changeName : TYPE.passengerInfo),
    fields: (dialect) => ({ travelerInfo: NAMED[dialect] }),
    write: ({ booking, travelers }, dialect) => ({ travelerInfo: changedTravelers(booking, travelers, dialect) }),
  },
  rebook_segment: {
    type: rebookType,
    fields: () => ({ airItinerary: RAIL_ITINERARY }),
    write: (change, dialect) => ({ airItinerary: writeReplacement(change, dialect) }),
  },
  split_booking: {
    type: TYPE.split,
    fields: () => ({ travelerInfo: people(COPIED_TRAVELER) }),
    write: ({ travelers }) => ({ travelerInfo: { airTraveler: shortTravelers(travelers) } }),
    makesBooking: true,
  },
  request_service: {
    type: TYPE.special,
    fields: () => specialService(LINKED_SERVICE),
    write: (change) => specialService({ ...requestService(change.service), ...placed(change) }),
    spelling: 'isoCurrency',
  },
};

/** All that a request may hold that makes a change of this kind. */
export function modifyFields(kind: keyof BookingChanges, dialect: Dialect, modificationType: string): FieldShape {
  return REQUESTS.modify({ modificationType, ...CHANGES[kind].fields(dialect) });
}

export function encodeModifyRequest<K extends keyof BookingChanges>(
  modification: Modification<K>,
  dialect: Dialect,
): CheckedRequest {
  const { type, write } = CHANGES[modification.kind];
  const modificationType = typeof type === 'string' ? type : type(modification, dialect);
  return checkRequest(modifyFields(modification.kind, dialect, modificationType), {
    airReservation: assertSource(modification.booking),
    airBookModifyRQ: { modificationType, ...write(modification, dialect) },
  });
}

export const decodeModifyReply = (reply: unknown): Booking => readReservation(reply);
