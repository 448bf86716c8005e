/** Writes `airReservation` (docs/wire/interface.md, Reservation). Dialect and message decide which fields it has. */
import { toDecimal } from '../amounts.ts';
import { type Carrier, findDeparture, pricedOptions } from '../carrier.ts';
import { cancelLimit } from '../fare-rules.ts';
import { OWN_COMPANY } from '../operations/pay.ts';
import { type PricedSegment, segmentsIn } from '../priced-trip.ts';
import { allSegments, type CarrierBooking, countTypes, isExpired, type Order, operatorLocator } from '../record.ts';
import { type Dialect, type Wire, without } from '../wire.ts';
import { type PricedParty, writePriceInfo } from './price.ts';
import { type Operation, writeItinerary } from './segment.ts';
import { writeTickets } from './tickets.ts';
import { writeTravelerInfo } from './travelers.ts';

/** The kind of reply that shows a reservation, by the request that it answers. */
export type ReservationReplyKind = 'hold' | 'reading' | 'renamed' | 'rebooked' | 'changed';

interface ReservationForm {
  readonly omits: readonly ('priceInfo' | 'offer' | 'createDateTime')[];
  /** How {@link writeTickets} shows tickets. */
  readonly tickets: 'coupons' | 'numbers';
}

const COMPLETE: ReservationForm = { omits: [], tickets: 'coupons' };

/** Which fields each kind of reply omits (docs/wire/notes.md, Replies). */
const FORMS: Readonly<Record<Dialect, Readonly<Record<ReservationReplyKind, ReservationForm>>>> = {
  rail: {
    hold: { omits: ['createDateTime'], tickets: 'coupons' },
    reading: COMPLETE,
    renamed: { omits: ['priceInfo', 'offer'], tickets: 'numbers' },
    rebooked: COMPLETE,
    changed: COMPLETE,
  },
  airline: {
    hold: COMPLETE,
    reading: COMPLETE,
    renamed: { omits: ['priceInfo'], tickets: 'coupons' },
    rebooked: { omits: ['priceInfo'], tickets: 'numbers' },
    changed: { omits: ['priceInfo'], tickets: 'coupons' },
  },
};

/** Lists the operations that an airline allows for a segment now (docs/wire/notes.md, Changes). */
function operationsOn(carrier: Carrier, booking: CarrierBooking, segment: PricedSegment): readonly Operation[] {
  const { now, network } = carrier;
  const { departsAt } = segment.departure;
  if (segment.cancelled || departsAt <= now || isExpired(booking, now)) return [];

  const isPaid = booking.state === 'ticketed';
  const operations: Operation[] = [];
  if (now < booking.namesUntil || !isPaid) operations.push({ modificationType: '3', name: 'NAME_CHANGE' });

  if (isPaid && now < cancelLimit(network, departsAt)) {
    operations.push({ modificationType: '10', name: 'CANCEL_SEGMENT' });
    operations.push({ modificationType: '30', name: 'REBOOK_SEGMENT' });
  }

  return operations;
}

/** Writes our locator, the operator's for each segment, and the group's name. An airline sends only ours. */
function writeReferences(carrier: Carrier, booking: CarrierBooking): Wire[] {
  const refs = allSegments(booking).map((segment) => segment.ref);
  const { locator: id, groupName } = booking;
  const ownReference = { companyName: { code: OWN_COMPANY }, type: '14', id, flightRefNumberRPHList: refs };
  if (carrier.dialect === 'airline') return [ownReference];

  const operatorReferences = allSegments(booking).map((segment, i) => ({
    companyName: { code: findDeparture(carrier, segment).service.operatedBy },
    type: '14',
    id: operatorLocator(booking, i),
    flightRefNumberRPHList: [segment.ref],
  }));

  // Unique id type 9 is a group (OpenTravel UIT).
  const group = groupName === undefined ? [] : [{ type: '9', id: groupName }];
  return [ownReference, ...operatorReferences, ...group];
}

function writeOrder({ id, action, direction, status, amount }: Order): Wire {
  const orderInfo = {
    action,
    currencyCode: amount.currency,
    direction,
    orderType: 'BOOKING',
    status,
    totalAmount: toDecimal(amount),
  };
  return { id, tpaExtensions: { orderInfo } };
}

function pricedParty(booking: CarrierBooking, segments: readonly PricedSegment[]): PricedParty {
  const { travelers, payBy, namesUntil, refunds } = booking;
  const refs: Record<string, string[]> = {};
  for (const { type, ref } of travelers) refs[type] = [...(refs[type] ?? []), ref];
  return { segments, counts: countTypes(travelers), refs, refunds, limits: { payBy, namesUntil } };
}

export function writeReservation(carrier: Carrier, booking: CarrierBooking, kind: ReservationReplyKind): Wire {
  const { omits, tickets } = FORMS[carrier.dialect][kind];
  const partKind = kind === 'hold' ? 'hold' : 'reading';
  const options = pricedOptions(carrier, booking.options);
  const listOperations = (segment: PricedSegment) => operationsOn(carrier, booking, segment);

  const reservation = {
    airItinerary: writeItinerary(carrier, options, partKind, listOperations),
    priceInfo: writePriceInfo(carrier, pricedParty(booking, segmentsIn(options)), partKind),
    travelerInfo: writeTravelerInfo(carrier, booking, partKind),
    ticketing: writeTickets(carrier, booking, tickets),
    bookingReferenceID: writeReferences(carrier, booking),
    offer: { priced: booking.orders.map(writeOrder) },
    createDateTime: new Date(booking.createdAt).toISOString(),
    emdinfo: [],
  };
  return without(reservation, ...omits);
}
