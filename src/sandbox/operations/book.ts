/** Makes holds for named passengers (OTA_AirBookRQ) or for counts, named later (OTA_AirPriceRQ); adds services. */
import { bookingTotal, type Carrier, HOLD_MS, NAMES_FIXED_MS, requireOpen } from '../carrier.ts';
import { recordEvent } from '../ledger.ts';
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
import { type CheckedItinerary, checkItinerary } from '../requests/itinerary.ts';
import type { CountsRequest, NamedRequest } from '../requests/messages.ts';
import {
  checkAttendants,
  checkContact,
  checkCounts,
  checkDocumentsDiffer,
  checkPassenger,
  checkPointers,
  seatsFor,
} from '../requests/travelers.ts';
import { claimSeat, dropExpired, freeSeats } from '../stock.ts';
import { newLocators, withOrder } from './locators.ts';

/** The status that a segment of a booking request asks for: confirmed. */
const REQUESTED_STATUS = '30';

/** Makes a hold for named passengers. Runs within a write transaction. */
export function book(carrier: Carrier, request: NamedRequest): CarrierBooking {
  checkStatuses(carrier, request);
  const [person, ...others] = request.contacts;
  if (person === undefined || others.length > 0) throw new Refusal('321', 'one contact traveler (CTC) is due');

  const counts = { ADT: 0, CHD: 0, INF: 0, ...countTypes(request.travelers) };
  checkCounts(counts);

  const contact = checkContact(person);
  const segmentRefs = request.options.flatMap((option) => option.segments.map((segment) => segment.ref));
  checkPointers(request.travelers, segmentRefs);

  const itinerary = checkItinerary(carrier, request.options, seatsFor(counts));
  const departures = itinerary.departures.map(({ departure }) => departure);
  const travelers = request.travelers.map((traveler) => {
    const passenger = checkPassenger(traveler, `traveler ${traveler.ref}`, departures);
    return { ...withContactDetails(carrier, passenger, contact), segmentRefs };
  });

  checkDocumentsDiffer(travelers);
  checkAttendants(travelers);

  const booking = makeHold(carrier, { itinerary, contact, travelers });
  const services = request.services.map((service) => ({ ...service, segmentRefs }));
  return services.length === 0 ? booking : addServices(carrier, booking, services);
}

/** Checks that segments carry the requested status. An airline's may omit it (docs/wire/notes.md, Shapes sent). */
function checkStatuses(carrier: Carrier, request: NamedRequest): void {
  for (const { ref, status } of request.options.flatMap((option) => option.segments)) {
    const isValid = status === REQUESTED_STATUS || (status === undefined && carrier.dialect === 'airline');
    if (!isValid) throw new Refusal('320', `segment ${ref}: status 30 is due`);
  }
}

/** An airline's replies have no contact traveller: each passenger without e-mail or telephone gets the contact's. */
function withContactDetails(carrier: Carrier, passenger: Traveler, contact: Person): Traveler {
  if (carrier.dialect === 'rail') return passenger;
  const emails = passenger.emails.length > 0 ? passenger.emails : contact.emails;
  const phones = passenger.phones.length > 0 ? passenger.phones : contact.phones;
  return { ...passenger, emails, phones };
}

/** Makes a hold for passengers whose names come later. Runs within a write transaction. */
export function bookCounts(carrier: Carrier, request: CountsRequest): CarrierBooking {
  const { counts, groupName } = request;
  checkCounts(counts);

  const contact = checkContact(request.contact);
  const itinerary = checkItinerary(carrier, request.options, seatsFor(counts));
  const segmentRefs = itinerary.departures.map((departure) => departure.segment.ref);
  const unnamed = unnamedTravelers(counts, segmentRefs);
  const travelers = unnamed.map((traveler) => withContactDetails(carrier, traveler, contact));
  return makeHold(carrier, { itinerary, contact, travelers, groupName });
}

/** Lists adults, then children, then infants. The nth infant sits with the nth adult. */
function unnamedTravelers(counts: Counts, segmentRefs: readonly string[]): Traveler[] {
  const types = (['ADT', 'CHD', 'INF'] as const).flatMap((type) => Array.from({ length: counts[type] }, () => type));
  const firstInfant = counts.ADT + counts.CHD;

  return types.map((type, i) => ({
    ref: String(i + 1),
    type,
    gender: 'Unknown',
    emails: [],
    phones: [],
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

/** Stores the hold and claims its seats. */
function makeHold(carrier: Carrier, request: HoldRequest): CarrierBooking {
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

  recordEvent(carrier, 'created', draft.locator, { amount });
  return saveBooking(carrier.state, withOrder(carrier, draft, order));
}

/** Claims a seat for all but lap infants, until `expires` (ms epoch) or for good. Throws 1053 if too few are left. */
export function claimSeats(carrier: Carrier, booking: CarrierBooking, itinerary: CheckedItinerary, expires?: number) {
  const { locator } = booking;
  const travelers = seatedTravelers(booking);

  for (const { segment, departure } of itinerary.departures) {
    dropExpired(carrier.state, departure, carrier.now);
    const free = freeSeats(carrier, departure, segment.cabin);
    for (const [i, { ref: traveler }] of travelers.entries()) {
      const seat = free[i];
      if (seat === undefined) throw new Refusal('1053', `segment ${segment.ref}: ${free.length} seats left`);
      const { coach, number, cabin } = seat;
      const claim = { coach, seat: number, cabin, locator, segment: segment.ref, traveler };
      claimSeat(carrier.state, departure, claim, expires);
    }
  }
}

/** Adds special services: with a booking, or by a change of type 5 (docs/wire/notes.md, Changes). */
export function addServices(carrier: Carrier, booking: CarrierBooking, services: readonly Service[]): CarrierBooking {
  requireOpen(carrier, booking);
  const segments = activeSegments(booking).map((segment) => segment.ref);
  const travelers = booking.travelers.map((traveler) => traveler.ref);

  for (const { segmentRefs, travelerRefs } of services) {
    const isKnown =
      segmentRefs.every((ref) => segments.includes(ref)) && travelerRefs.every((ref) => travelers.includes(ref));
    if (!isKnown) throw new Refusal('83', 'a service points to no active segment or traveler');
  }

  const changed = { ...booking, services: [...booking.services, ...services] };
  recordEvent(carrier, 'services_added', booking.locator, { about: services.map((service) => service.code) });

  return saveBooking(carrier.state, changed);
}
