/** Makes a hold: for named passengers (OTA_AirBookRQ), or for counts with a contact (OTA_AirPriceRQ), whose names come later. */
import { bookingTotal, type Carrier, HOLD_MS, NAMES_FIXED_MS, needOpen } from '../carrier.ts';
import { type CheckedItinerary, checkItinerary } from '../checks/itinerary.ts';
import {
  checkAttendants,
  checkContact,
  checkCounts,
  checkDocumentsDiffer,
  checkPassenger,
  checkPointers,
  seatsFor,
} from '../checks/travelers.ts';
import { enter } from '../ledger.ts';
import {
  activeSegments,
  type CarrierBooking,
  type Counts,
  countTypes,
  type Person,
  type Service,
  saveBooking,
  seatedTravelers,
  type Traveler,
} from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { CountsRequest, NamedRequest } from '../requests/messages.ts';
import { claim, dropLapsed, freeSeats, pickSeats } from '../stock.ts';
import { newLocators, withOrder } from './locators.ts';

/** Rail segments carry the requested status; an airline's may omit it (docs/wire/notes.md, Shapes sent). */
function checkStatuses(carrier: Carrier, request: NamedRequest): void {
  for (const { ref, status } of request.options.flatMap((option) => option.segments)) {
    const isRight = status === '30' || (status === undefined && carrier.dialect === 'airline');
    if (!isRight) throw new Refusal('320', `segment ${ref}: status 30 is due`);
  }
}

/** Runs within the transaction of its message. */
export function book(carrier: Carrier, request: NamedRequest): CarrierBooking {
  checkStatuses(carrier, request);
  const [asked] = request.contacts;
  if (asked === undefined || request.contacts.length > 1) throw new Refusal('321', 'one contact traveler (CTC) is due');
  const types = countTypes(request.travelers);
  const counts = { ADT: types.ADT ?? 0, CHD: types.CHD ?? 0, INF: types.INF ?? 0 };
  checkCounts(counts);
  const contact = checkContact(asked);
  const segmentRefs = request.options.flatMap((option) => option.segments.map((segment) => segment.ref));
  checkPointers(request.travelers, segmentRefs);
  const itinerary = checkItinerary(carrier, request.options, seatsFor(counts));
  const departures = itinerary.departures.map(({ departure }) => departure);
  const travelers = request.travelers.map((traveler) => ({
    ...checkPassenger(traveler, `traveler ${traveler.ref}`, departures),
    segmentRefs,
    // An airline's replies have no contact traveller: each passenger carries the e-mail and telephone.
    ...(carrier.dialect === 'airline' && {
      emails: traveler.emails.length > 0 ? traveler.emails : contact.emails,
      phones: traveler.phones.length > 0 ? traveler.phones : contact.phones,
    }),
  }));
  checkDocumentsDiffer(travelers);
  checkAttendants(travelers);
  const booking = hold(carrier, { itinerary, contact, travelers });
  const services = request.services.map((service) => ({ ...service, segmentRefs }));
  return services.length === 0 ? booking : addServices(carrier, booking, services);
}

/**
 * Adds special services, asked for with the booking or by a change of type 5 (docs/wire/notes.md, Changes). Runs within a
 * write transaction.
 */
export function addServices(carrier: Carrier, booking: CarrierBooking, asked: readonly Service[]): CarrierBooking {
  needOpen(carrier, booking);
  const segments = activeSegments(booking).map((segment) => segment.ref);
  const travelers = booking.travelers.map((traveler) => traveler.ref);
  for (const { segmentRefs, travelerRefs } of asked) {
    const isUnknown =
      segmentRefs.some((ref) => !segments.includes(ref)) || travelerRefs.some((ref) => !travelers.includes(ref));
    if (isUnknown) throw new Refusal('83', 'a service points to no active segment or traveler');
  }
  const changed = { ...booking, services: [...booking.services, ...asked] };
  enter(carrier, 'services_added', booking.locator, { about: asked.map((service) => service.code) });
  return saveBooking(carrier.state, changed);
}

/** Runs within the transaction of its message. */
export function groupBook(carrier: Carrier, request: CountsRequest): CarrierBooking {
  const { counts, groupName } = request;
  checkCounts(counts);
  const contact = checkContact(request.contact);
  const itinerary = checkItinerary(carrier, request.options, seatsFor(counts));
  const segmentRefs = itinerary.departures.map((departure) => departure.segment.ref);
  const travelers = unnamed(counts, segmentRefs, carrier.dialect === 'airline' ? contact : undefined);
  return hold(carrier, { itinerary, contact, travelers, groupName });
}

/**
 * Adults, then children, then infants; the nth infant sits with the nth adult. `reached` is the contact whose e-mail
 * and telephone everybody gets.
 */
function unnamed(counts: Counts, segmentRefs: readonly string[], reached: Person | undefined): Traveler[] {
  const types = (['ADT', 'CHD', 'INF'] as const).flatMap((type) => Array.from({ length: counts[type] }, () => type));
  const firstInfant = counts.ADT + counts.CHD;
  return types.map((type, i) => ({
    ref: String(i + 1),
    type,
    gender: 'Unknown',
    emails: reached?.emails ?? [],
    phones: reached?.phones ?? [],
    addresses: [],
    comments: [],
    segmentRefs,
    attendantRef: type === 'INF' ? String(i - firstInfant + 1) : undefined,
  }));
}

interface HoldRequest {
  readonly itinerary: CheckedItinerary;
  readonly contact: Person;
  readonly travelers: readonly Traveler[];
  readonly groupName?: string;
}

/** Runs within the transaction of its message. If it throws, nothing is held. */
function hold(carrier: Carrier, request: HoldRequest): CarrierBooking {
  const { now } = carrier;
  const { itinerary, contact, travelers, groupName } = request;
  const firstDeparture = Math.min(...itinerary.departures.map(({ departure }) => departure.departsAt));
  const draft: CarrierBooking = {
    ...newLocators(carrier),
    state: 'held',
    createdAt: now,
    payBy: now + HOLD_MS,
    namesUntil: firstDeparture - NAMES_FIXED_MS,
    groupName,
    options: itinerary.options,
    travelers,
    contact,
    tickets: [],
    orders: [],
    refunds: [],
    services: [],
  };
  claimSeats(carrier, draft, itinerary, draft.payBy);
  const amount = bookingTotal(carrier, draft);
  const order = { action: 'CREATE_BOOKING', direction: 'PAYMENT', status: 'PENDING', amount } as const;
  enter(carrier, 'created', draft.locator, { amount });
  return saveBooking(carrier.state, withOrder(carrier, draft, order));
}

/** A seat for everyone but lap infants, until `expires` (ms epoch) or for good. Throws 1053 if too few are left. */
export function claimSeats(
  carrier: Carrier,
  booking: CarrierBooking,
  itinerary: CheckedItinerary,
  expires?: number,
): void {
  const { locator } = booking;
  const seated = seatedTravelers(booking);
  for (const { segment, departure } of itinerary.departures) {
    dropLapsed(carrier.state, departure, carrier.now);
    const free = freeSeats(carrier, departure, segment.cabin);
    const seats = pickSeats(free, seated.length);
    if (seats === undefined) throw new Refusal('1053', `segment ${segment.ref}: ${free.length} seats left`);
    for (const [i, { coach, number }] of seats.entries()) {
      const traveler = seated[i]?.ref ?? '';
      const claimed = { coach, seat: number, cabin: segment.cabin, locator, segment: segment.ref, traveler };
      claim(carrier.state, departure, claimed, expires);
    }
  }
}
