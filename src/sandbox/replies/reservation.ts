/**
 * `airReservation` (docs/wire/interface.md, Reservation; docs/wire/notes.md, Replies). Which fields it
 * omits depends on the dialect and the message.
 */
import { decimal } from '../amounts.ts';
import { type Carrier, findDeparture, pricedOptions } from '../carrier.ts';
import { cancelLimit } from '../fare-rules.ts';
import { OWN_COMPANY } from '../operations/pay.ts';
import { type PricedSegment, segmentsIn } from '../priced-trip.ts';
import { allSegments, type CarrierBooking, countTypes, isExpired, type Order, operatorLocator } from '../record.ts';
import { given, type Wire } from '../wire.ts';
import { writePriceInfo } from './price.ts';
import { type Operation, writeItinerary } from './segment.ts';
import { writeTickets } from './tickets.ts';
import { writeTravelerInfo } from './travelers.ts';

/** The request that the reply answers. */
export type ReservationPlace = 'hold' | 'reading' | 'renamed' | 'rebooked' | 'changed';

/** Operations of the airline dialect (docs/wire/notes.md, Changes): the operations allowed for a segment now. */
function operationsOn(carrier: Carrier, booking: CarrierBooking, segment: PricedSegment): readonly Operation[] {
  const { now, network } = carrier;
  const { departsAt } = segment.departure;
  if (segment.cancelled || departsAt <= now || isExpired(booking, now)) return [];
  const isPaid = booking.state === 'ticketed';
  return [
    ...(now < booking.namesUntil || !isPaid ? [{ modificationType: '3', name: 'NAME_CHANGE' }] : []),
    ...(isPaid && now < cancelLimit(network, departsAt)
      ? [
          { modificationType: '10', name: 'CANCEL_SEGMENT' },
          { modificationType: '30', name: 'REBOOK_SEGMENT' },
        ]
      : []),
  ];
}

/** Our locator, the operator's for each segment, and the group's name; an airline sends only ours. */
function writeReferences(carrier: Carrier, booking: CarrierBooking): Wire[] {
  const refs = allSegments(booking).map((segment) => segment.ref);
  const ours = {
    companyName: { code: OWN_COMPANY },
    type: '14',
    id: booking.locator,
    flightRefNumberRPHList: refs,
  };
  if (carrier.dialect === 'airline') return [ours];
  const operators = allSegments(booking).map((segment, i) => ({
    companyName: { code: findDeparture(carrier, segment).service.operatedBy },
    type: '14',
    id: operatorLocator(booking, i),
    flightRefNumberRPHList: [segment.ref],
  }));
  const { groupName } = booking;
  // Unique id type 9 is a group (OpenTravel UIT).
  const group = groupName === undefined ? [] : [{ type: '9', id: groupName }];
  return [ours, ...operators, ...group];
}

const EMPTY_LISTS = [
  'shortDescription',
  'longDescription',
  'originDestination',
  'otherServices',
  'restriction',
  'termsAndConditions',
  'commission',
  'multimedia',
  'bookingReferenceID',
];

function writeOrder({ id, action, direction, status, amount }: Order): Wire {
  const orderInfo = {
    action,
    currencyCode: amount.currency,
    direction,
    orderType: 'BOOKING',
    status,
    totalAmount: decimal(amount),
  };
  return { id, ...Object.fromEntries(EMPTY_LISTS.map((name) => [name, []])), tpaExtensions: { orderInfo } };
}

function hasPrice(carrier: Carrier, place: ReservationPlace): boolean {
  if (place === 'hold' || place === 'reading') return true;
  return carrier.dialect === 'rail' && place !== 'renamed';
}

function writeBookingPrice(
  carrier: Carrier,
  booking: CarrierBooking,
  place: 'hold' | 'reading',
  segments: readonly PricedSegment[],
): Wire {
  const { travelers, payBy, namesUntil, refunds } = booking;
  const refs: Record<string, string[]> = {};
  for (const { type, ref } of travelers) refs[type] = [...(refs[type] ?? []), ref];
  const priced = { segments, counts: countTypes(travelers), refs, refunds, limits: { payBy, namesUntil } };
  return writePriceInfo(carrier, priced, place);
}

export function writeReservation(carrier: Carrier, booking: CarrierBooking, place: ReservationPlace): Wire {
  const { dialect } = carrier;
  const isRail = dialect === 'rail';
  const at = place === 'hold' ? 'hold' : 'reading';
  const options = pricedOptions(carrier, booking.options);
  const segments = segmentsIn(options);
  const withoutCoupons = place === (isRail ? 'renamed' : 'rebooked');
  return given({
    airItinerary: writeItinerary(carrier, options, at, (segment) => operationsOn(carrier, booking, segment)),
    priceInfo: hasPrice(carrier, place) ? writeBookingPrice(carrier, booking, at, segments) : undefined,
    travelerInfo: writeTravelerInfo(carrier, booking, at),
    ticketing: writeTickets(carrier, booking, withoutCoupons),
    bookingReferenceID: writeReferences(carrier, booking),
    offer:
      isRail && place === 'renamed'
        ? undefined
        : { summary: [], priced: booking.orders.map(writeOrder), purchased: [] },
    createDateTime: isRail && place === 'hold' ? undefined : new Date(booking.createdAt).toISOString(),
    emdinfo: [],
  });
}
