/** Airlines that charge a change of a flight in another way than the sandbox (docs/wire/notes.md, Changes). */
import { subtract, sum, zeroAmount } from '../../../src/sandbox/amounts.ts';
import { type Carrier, findDeparture, ruleNow } from '../../../src/sandbox/carrier.ts';
import { fareTable, type PassengerFare, type TaxOrFee } from '../../../src/sandbox/fares.ts';
import { recordEvent } from '../../../src/sandbox/ledger.ts';
import {
  allSegments,
  type CarrierBooking,
  type HeldSegment,
  saveBooking,
  seatedTravelers,
  withSegments,
} from '../../../src/sandbox/record.ts';
import { writeReservation } from '../../../src/sandbox/replies/reservation.ts';
import { cabinStock } from '../../../src/sandbox/stock.ts';
import { bookingIn, type Rewrite } from './deviations.ts';

interface OtherCharges {
  /** Books the dearest fare of the class, whatever the request names. */
  readonly intoDearest?: boolean;
  /** Sets off the fare and each tax by itself, so that a lower one makes up for no higher one. */
  readonly byPart?: boolean;
  /** Codes of the fees that the airline keeps, and takes again for the new flight. */
  readonly keptFees?: readonly string[];
}

/** Comes before the deviations of a reply. */
export function chargesOtherwise(charges: OtherCharges): Rewrite {
  let before: CarrierBooking | undefined;
  return (reply, answered) => {
    const { name, carrier } = answered;
    const booking = bookingIn(reply, answered);
    // The airline reads a booking before it changes it, in the same transaction.
    if (name === 'OTA_ReadRQ') before = booking;
    const was = name === 'OTA_AirBookModifyRQ' && booking && before && segmentOf(before, booking);
    const becomes = was && booking && before && segmentOf(booking, before);
    if (!booking || !was || !becomes) return reply;
    const changed = rebookedOtherwise({ carrier, booking, was, becomes }, charges);
    return { ...reply, airReservation: writeReservation(carrier, changed, 'rebooked') };
  };
}

/** The segment that the other booking does not have. */
function segmentOf(booking: CarrierBooking, other: CarrierBooking): HeldSegment | undefined {
  const refs = allSegments(other).map(({ ref }) => ref);
  return allSegments(booking).find(({ ref }) => !refs.includes(ref));
}

interface Rebooking {
  readonly carrier: Carrier;
  readonly booking: CarrierBooking;
  readonly was: HeldSegment;
  readonly becomes: HeldSegment;
}

function rebookedOtherwise({ carrier, booking, was, becomes }: Rebooking, charges: OtherCharges): CarrierBooking {
  const segment = charges.intoDearest ? inDearestFare(carrier, booking, becomes) : becomes;
  const changed = withSegments(booking, (one) => (one.ref === segment.ref ? segment : one));
  const order = booking.orders.at(-1);
  if (order === undefined || findDeparture(carrier, was).cancelled) return saveBooking(carrier.state, changed);
  const { currency } = carrier.network;
  const owed = booking.travelers.flatMap(({ type }) => [
    ruleNow(carrier, 'change', was, type)?.total ?? zeroAmount(currency),
    ...differences(currency, was.prices[type], segment.prices[type], charges),
  ]);
  const amount = sum(currency, owed);
  if (order.amount.minor === 0 && amount.minor > 0) recordEvent(carrier, 'paid', booking.locator, { amount });
  const newest = "(SELECT max(seq) FROM ledger WHERE locator = ? AND event = 'paid')";
  if (order.amount.minor > 0)
    carrier.state.run(`UPDATE ledger SET minor = ? WHERE seq = ${newest}`, amount.minor, booking.locator);
  return saveBooking(carrier.state, { ...changed, orders: booking.orders.with(-1, { ...order, amount }) });
}

function inDearestFare(carrier: Carrier, booking: CarrierBooking, segment: HeldSegment): HeldSegment {
  const { network, timetable } = carrier;
  const ofClass = network.fares.filter(({ bookingClass }) => bookingClass === segment.bookingClass);
  const [fare] = ofClass.toSorted((a, b) => b.percent - a.percent);
  const departure = findDeparture(carrier, segment);
  const stock = cabinStock(carrier, departure).find(({ cabin }) => cabin === segment.cabin);
  if (fare === undefined || stock === undefined) return segment;
  // What was free before this booking took its seats.
  const free = stock.free + seatedTravelers(booking).length;
  const loadPercent = Math.floor(((stock.capacity - free) * 100) / stock.capacity);
  return { ...segment, basis: fare.basis, prices: fareTable(timetable, departure, fare, loadPercent) };
}

/** What one passenger pays for the new segment beyond the old one: in all, or part by part. */
function differences(
  currency: string,
  was: PassengerFare | undefined,
  becomes: PassengerFare | undefined,
  { byPart, keptFees = [] }: OtherCharges,
) {
  const zero = zeroAmount(currency);
  const credits = (was?.lines ?? []).filter(({ kind, code }) => kind !== 'fee' || !keptFees.includes(code));
  const due = becomes?.lines ?? [];
  const keys = new Set([...credits, ...due].map(({ kind, code }) => `${kind} ${code}`));
  const sumOf = (lines: readonly TaxOrFee[], key: string) => {
    const ofKey = lines.filter(({ kind, code }) => `${kind} ${code}` === key);
    return sum(
      currency,
      ofKey.map(({ amount }) => amount),
    );
  };
  const parts = [
    subtract(becomes?.base ?? zero, was?.base ?? zero),
    ...[...keys].map((key) => subtract(sumOf(due, key), sumOf(credits, key))),
  ];
  return (byPart ? parts : [sum(currency, parts)]).filter(({ minor }) => minor > 0);
}
