/**
 * Changing a booking: OTA_AirBookModifyRQ (docs/wire/interface.md, Changes). The reservation is sent back as it was
 * read, and `airBookModifyRQ` holds only the change; flights and travellers in it are copied with their unknown fields.
 * First how parts of the reading are copied, then how each kind of change is written.
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
  type CheckedRequest,
  COPIED_ITINERARY,
  COPIED_PASSENGER,
  type CurrencySpelling,
  changedTravelerShape,
  checkRequest,
  copiedTravelerShape,
  type FieldShape,
  ONE_OR_MORE,
  RAIL_ITINERARY,
  REQUESTS,
  SERVICE,
  WORD,
  writeService,
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

export const MODIFY = 'OTA_AirBookModifyRQ';

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

/** Two readings show the same flight if these fields are equal. */
const IDENTIFYING_FIELDS = ['ref', 'from', 'to', 'flightNumber', 'departs', 'arrives'] as const;

/** OpenTravel phone technology type of an added telephone (docs/wire/notes.md, Changes). */
const ADDED_PHONE = '5';

/** Copies a segment of the reading. Fields that it lacks, or has in another form, come from the domain's segment. */
function copySegment(wire: Wire, segment: Segment): Wire {
  // The fare stays as the reading has it.
  const { fareBasisCode: _, ...requestFields } = requestSegment(segment, segment.statusCode);
  const copied: Wire = { ...wire };
  for (const [name, value] of Object.entries(requestFields)) {
    const wireValue = wire[name];
    const isOtherForm = typeof wireValue !== typeof value || Array.isArray(wireValue);
    if (isObject(value) && isObject(wireValue)) copied[name] = withMissingTexts(wireValue, value);
    else if (value !== undefined && isOtherForm) copied[name] = value;
  }
  const { departureDateTime, arrivalDateTime } = requestFields;
  return { ...copied, departureDateTime, arrivalDateTime };
}

/** Copies an object of the reading. Texts that it lacks, or has in another form, come from `requestFields`. */
function withMissingTexts(wire: Wire, requestFields: Wire): Wire {
  const copied: Wire = { ...wire };
  for (const [name, value] of Object.entries(requestFields)) if (typeof wire[name] !== 'string') copied[name] = value;
  return copied;
}

function isSameFlight(a: Segment, b: Segment): boolean {
  return IDENTIFYING_FIELDS.every((field) => a[field] === b[field]);
}

function hasSameFlights(a: readonly Segment[], b: readonly Segment[]): boolean {
  return a.length === b.length && a.every((segment, i) => isSameFlight(segment, b[i] ?? segment));
}

/** The booking changed after the reading, or its pointers mislead. Another flight must not be sent. */
function otherFlightError(): ClerkError {
  return new ClerkError('E_AIRLINE_REPLY', 'A flight is not where the airline showed it. Nothing was sent.', {
    next: 'Call read_booking, and ask the airline where two flights have the same pointer.',
  });
}

/** Copies an option of the reading. Throws E_AIRLINE_REPLY if it has other flights than the booking's option. */
function copyOption(optionWire: Wire, option: SegmentOption): Wire {
  const wires = records(optionWire.flightSegment);
  const segments = wires.map((wire, i) => readSegment(wire, option.segments[i]?.ref ?? '', option.ref));
  if (!hasSameFlights(option.segments, segments)) throw otherFlightError();
  const flightSegment = option.segments.map((segment, i) => copySegment(record(wires[i]), segment));
  return { ...optionWire, flightSegment, rph: option.ref };
}

/** Copies one segment of the reading (docs/wire/notes.md, Seats). Throws if the reading has no such flight. */
export function copyFlight(reservation: Wire, segment: Segment): Wire {
  const wires = wireOptions(reservation.airItinerary).flatMap((option) => records(option.flightSegment));
  const segments = readOptions(reservation.airItinerary).flatMap((option) => option.segments);
  const index = segments.findIndex(
    (candidate) => candidate.optionRef === segment.optionRef && isSameFlight(candidate, segment),
  );
  const wire = wires[index];
  if (wire === undefined) throw otherFlightError();
  return { ...copySegment(wire, segment), rph: segment.ref };
}

/**
 * Finds the option's index: that of the same object, else that of the only option with these flights, because two options
 * can have the same pointer. -1 if there is none.
 */
function findOptionIndex(booking: Booking, option: SegmentOption): number {
  const index = booking.options.indexOf(option);
  if (index >= 0) return index;
  const [candidate, ...others] = booking.options.filter(
    ({ ref, segments }) => ref === option.ref && hasSameFlights(segments, option.segments),
  );
  return candidate === undefined || others.length > 0 ? -1 : booking.options.indexOf(candidate);
}

/** Copies the options to cancel. Throws E_INPUT for an unknown option, E_AIRLINE_REPLY if another flight is in its place. */
function copyOptions(booking: Booking, reservation: Wire, options: readonly SegmentOption[]): Wire {
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

/** Finds the passenger with this pointer, as the airline sent it. Throws E_INPUT if there is none. */
function findPassenger(reservation: Wire, ref: string): Wire {
  const passenger = allTravelers(reservation)
    .filter((wire) => !isContact(wire))
    .find((wire, i) => (travelerPointer(wire) ?? String(i + 1)) === ref);
  if (passenger === undefined) throw inputError('passenger_refs', `the booking has no passenger ${ref}.`);
  return passenger;
}

/** Copies a passenger with new details. Name, document, e-mail and gender replace the old ones; telephones are added. */
function changedPassenger(reservation: Wire, traveler: Traveler): Wire {
  const wire = findPassenger(reservation, traveler.ref);
  const before = readTraveler(wire, traveler.ref);
  const { personName, document, gender, email } = requestTraveler(traveler);
  const isNameUnchanged = isSameJson(before.name, traveler.name);
  const isDocumentUnchanged = isSameJson([before.document, before.birthDate], [traveler.document, traveler.birthDate]);
  const newDocuments = document?.map((fields) => withFields(record(wire.document), fields));
  return {
    ...wire,
    personName: isNameUnchanged ? wire.personName : withNewName(record(wire.personName), record(personName)),
    document: isDocumentUnchanged ? wire.document : newDocuments,
    gender: gender ?? wire.gender,
    email: isSameJson(before.emails, traveler.emails) ? wire.email : email,
    telephone: withNewPhones(wire, before, traveler),
  };
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Copies an object with new fields. A field that is undefined stays as the airline sent it. */
function withFields(wire: Wire, fields: Wire): Wire {
  const definedFields = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...wire, ...Object.fromEntries(definedFields) };
}

/** Copies `personName` with a new name. Lists of the old name that the new one lacks are sent empty. */
function withNewName(wire: Wire, newName: Wire): Wire {
  const emptied = Object.entries(wire).map(([field, value]) => [field, Array.isArray(value) ? [] : value]);
  return withFields(Object.fromEntries(emptied), newName);
}

/** The passenger's `telephone` with new phones. Compares digits alone, because replies write numbers with different signs. */
function withNewPhones(wire: Wire, before: Traveler, { phones }: Traveler): unknown {
  const digits = ({ countryCode = '', number = '' }: Phone) => `${countryCode}${number}`.replace(/\D/g, '');
  const knownNumbers = before.phones.map(digits);
  const newPhones = phones
    .filter((phone) => !knownNumbers.includes(digits(phone)))
    .map(({ countryCode, number }) => ({
      countryAccessCode: countryCode,
      phoneNumber: number,
      phoneTechType: ADDED_PHONE,
    }));
  return newPhones.length === 0 ? wire.telephone : [...records(wire.telephone), ...newPhones];
}

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

const travelersShape = (traveler: FieldShape) => ({ airTraveler: [traveler, ONE_OR_MORE] });
/** Travellers with new names or details. */
const CHANGED_TRAVELERS = {
  rail: travelersShape(changedTravelerShape),
  airline: travelersShape(COPIED_PASSENGER),
} as const;
/** One seat (docs/wire/notes.md, Changes, type 5). Seats are numbered through the train, so that the number alone is sent. */
const SEAT_REQUEST = { flightRefNumberRPHList: [WORD], travelerRefNumberRPHList: [WORD], seatNumber: WORD };
/** One special service, with its segments and its traveller. */
const LINKED_SERVICE = { ...SERVICE, flightRefNumberRPHList: [WORD, ONE_OR_MORE], travelerRefNumberRPHList: [WORD] };

/** The reservation as the airline sent it. Throws E_INTERNAL if the booking was not read for a change. */
function requireSource(booking: Booking): Wire {
  if (isObject(booking.source)) return booking.source;
  throw new ClerkError('E_INTERNAL', 'A change needs the reservation as the airline sent it; nothing was sent.', {
    next: 'Read the booking with read_booking and ask for the change again.',
  });
}

/** Writes the passengers to remove: in the airline dialect as the reading has them, in rail by pointer, type and name. */
function writeLeavingPassengers(booking: Booking, travelers: readonly Traveler[], dialect: Dialect): Wire {
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
function writeChangedTravelers(booking: Booking, travelers: readonly Traveler[], dialect: Dialect): Wire {
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

/** Throws E_NOT_PERMITTED in the airline dialect, which has no contact (docs/wire/notes.md, Travellers). */
function writeContact(contact: Contact, dialect: Dialect): Wire {
  if (dialect === 'rail') return { airTraveler: [requestContact(contact)] };
  throw new ClerkError('E_NOT_PERMITTED', 'This airline keeps contact details on the passengers. Nothing was sent.', {
    next: 'Call update_passenger with the e-mail or phone of a passenger.',
  });
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

function writeSeats(seats: readonly SeatChoice[]): Wire {
  const seatRequest = seats.map(({ segmentRef, travelerRef, seat }) => ({
    flightRefNumberRPHList: [segmentRef],
    travelerRefNumberRPHList: [travelerRef],
    seatNumber: seat,
  }));
  return { specialReqDetails: [{ seatRequests: { seatRequest } }] };
}

/** Wraps the one line of a special service, for all its segments (docs/wire/notes.md, Changes, type 5). */
function wrapService<T>(service: T) {
  return { travelerInfo: { specialReqDetails: [{ specialServiceRequests: { specialServiceRequest: [service] } }] } };
}

function writePlace({ segmentRefs, travelerRef }: ServicePlace): Wire {
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
  /** Absent: that of the dialect. Rail publishes types 3 and 5 with a capital C (docs/wire/notes.md, Shapes sent). */
  readonly spelling?: CurrencySpelling;
  /** If the airline answers that it is already cancelled, this very message may have done so. */
  readonly cancels?: true;
  /** The reply is a new booking. The journal recognizes it by its passengers. */
  readonly makesBooking?: true;
}

export const CHANGES: { readonly [K in keyof BookingChanges]: ChangeMessage<K> } = {
  cancel_segments: {
    type: TYPE.cancelSegment,
    fields: () => ({ airItinerary: COPIED_ITINERARY }),
    write: ({ booking, options }) => ({ airItinerary: copyOptions(booking, requireSource(booking), options) }),
    cancels: true,
  },
  cancel_passengers: {
    type: TYPE.cancelPassenger,
    // `specialReqDetails` is empty, and in the airline dialect only.
    fields: () => ({ travelerInfo: { ...travelersShape(copiedTravelerShape), 'specialReqDetails?': [] } }),
    write: ({ booking, travelers }, dialect) => ({ travelerInfo: writeLeavingPassengers(booking, travelers, dialect) }),
    cancels: true,
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
      travelerInfo: { specialReqDetails: [{ seatRequests: { seatRequest: [SEAT_REQUEST, ONE_OR_MORE] } }] },
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
    fields: () => ({ travelerInfo: travelersShape(copiedTravelerShape) }),
    write: ({ travelers }) => ({ travelerInfo: { airTraveler: writeShortTravelers(travelers) } }),
    makesBooking: true,
  },
  request_service: {
    type: TYPE.specialRequest,
    fields: () => wrapService(LINKED_SERVICE),
    write: (change) => wrapService({ ...writeService(change.service), ...writePlace(change) }),
    spelling: 'isoCurrency',
  },
};

/** Every field that a request for this kind of change may hold. */
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
    airReservation: requireSource(modification.booking),
    airBookModifyRQ: { modificationType, ...write(modification, dialect) },
  });
}

export const decodeModifyReply = (reply: unknown): Booking => readReservation(reply);
