/** Writes segments and options of replies (docs/wire/interface.md, Flight segment; docs/wire/notes.md, Replies). */
import { toDecimal } from '../amounts.ts';
import type { Carrier } from '../carrier.ts';
import { fareRules } from '../fare-rules.ts';
import { isCancelled, type PricedOption, type PricedSegment } from '../priced-trip.ts';
import { classStock } from '../sale.ts';
import { definedFields, type Wire } from '../wire.ts';
import { localDateTime } from '../zone.ts';

/** The kind of reply that shows a segment. */
export type ReplyKind = 'search' | 'hold' | 'reading';

export interface Operation {
  readonly modificationType: string;
  readonly name: string;
}

/** Lists the operations allowed for a segment now (`list` below). Only an airline's bookings show them. */
export type ListOperations = (segment: PricedSegment) => readonly Operation[];

/** Whether the segments of a reply are booked, not on offer. */
function isBooked(kind: ReplyKind): boolean {
  return kind === 'hold' || kind === 'reading';
}

/** Codes of a segment's status (docs/wire/notes.md, Statuses). */
const STATUS = { onSale: '34', cancelled: '16', confirmed: '30' } as const;

function segmentStatus(carrier: Carrier, segment: PricedSegment, kind: ReplyKind): string | undefined {
  if (!isBooked(kind)) return STATUS.onSale;
  if (kind === 'hold' && carrier.dialect === 'rail') return undefined;
  return segment.cancelled ? STATUS.cancelled : (segment.status ?? STATUS.confirmed);
}

function writeClasses(carrier: Carrier, segment: PricedSegment): Wire[] {
  const bookingClassAvail = classStock(carrier, segment.departure).map(({ bookingClass, free }) => ({
    resBookDesigCode: bookingClass,
    resBookDesigQuantity: String(free),
    resBookDesigStatusCode: free > 0 ? 'A' : 'C',
  }));
  return [{ bookingClassAvail }];
}

/** Writes the refund and change rules of an adult as text. An airline sends no others. */
function writeFareRule({ network }: Carrier, { fare, departure: { departsAt } }: PricedSegment): Wire {
  const lines = (['refund', 'change'] as const).map((kind) => {
    const steps = fareRules(network, kind, { fare, departsAt }, 'ADT').map(({ allowed, total, untilHours }) => {
      const until = untilHours === 0 ? 'until departure' : `until ${untilHours} h before departure`;
      const penalty = allowed ? `${total.currency} ${toDecimal(total)}` : 'not permitted';
      return `${penalty} ${until}`;
    });
    return `${kind === 'refund' ? 'Refund' : 'Change'}: ${steps.join(', ')}`;
  });

  const isNonRefundable = fare.refund.every((penalty) => !penalty.allowed);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an unfilled template key, as such services send it.
  const name = isNonRefundable ? '${fare.rule.name}' : `${fare.name} conditions`;
  return { code: fare.basis, name, value: lines.join('\n') };
}

/** Writes what only an airline sends: the fare with its rules, and for a booking the operations allowed. */
function writeExtension(carrier: Carrier, segment: PricedSegment, kind: ReplyKind, list?: ListOperations): Wire {
  if (carrier.dialect === 'rail' || kind === 'search') return {};

  const { fare } = segment;
  return definedFields({
    fareBasis: fare.basis,
    fareRule: isCancelled(segment) ? undefined : writeFareRule(carrier, segment),
    priceGroup: fare.name,
    operations: isBooked(kind) ? list?.(segment).map((operation) => ({ ...operation })) : undefined,
  });
}

export function writeSegment(carrier: Carrier, segment: PricedSegment, kind: ReplyKind, list?: ListOperations): Wire {
  const { departure, fare, ref } = segment;
  const { from, to, service, shownNumber } = departure;
  const extension = writeExtension(carrier, segment, kind, list);

  return definedFields({
    departureAirport: { locationCode: from.code },
    arrivalAirport: { locationCode: to.code },
    operatingAirline: { code: service.operatedBy, flightNumber: shownNumber },
    marketingAirline: { code: carrier.network.carrier },
    flightNumber: shownNumber,
    departureDateTime: localDateTime(from.zone, departure.departsAt),
    arrivalDateTime: localDateTime(to.zone, departure.arrivesAt),
    rph: ref,
    // Searches, rail holds and airline replies omit it (docs/wire/notes.md, Fares and prices).
    fareBasisCode: carrier.dialect === 'rail' && kind === 'reading' ? fare.basis : undefined,
    resBookDesigCode: fare.bookingClass,
    status: segmentStatus(carrier, segment, kind),
    equipment: [],
    comment: [],
    stopLocation: [],
    bookingClassAvails: kind === 'reading' ? undefined : writeClasses(carrier, segment),
    stopQuantity: departure.toStop - departure.fromStop - 1,
    tpaextensions: Object.keys(extension).length === 0 ? undefined : extension,
  });
}

export function writeItinerary(
  carrier: Carrier,
  options: readonly PricedOption[],
  kind: ReplyKind,
  list?: ListOperations,
): Wire {
  const omitsRef = isBooked(kind) && carrier.dialect === 'airline';
  const originDestinationOption = options.map(({ ref, segments }) =>
    definedFields({
      flightSegment: segments.map((segment) => writeSegment(carrier, segment, kind, list)),
      rph: omitsRef ? undefined : ref,
    }),
  );
  return { originDestinationOptions: { originDestinationOption } };
}
