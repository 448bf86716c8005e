/**
 * Segments and options of replies (docs/wire/interface.md, Flight segment; docs/wire/notes.md, Fares and prices,
 * Replies).
 */
import { decimal } from '../amounts.ts';
import type { Carrier } from '../carrier.ts';
import { fareRules } from '../fare-rules.ts';
import { isCancelled, type PricedOption, type PricedSegment } from '../priced-trip.ts';
import { classStock } from '../sale.ts';
import { given, type Wire } from '../wire.ts';
import { localDateTime } from '../zone.ts';

/** The reply that a segment is part of; `check` is the price check. */
export type Place = 'search' | 'check' | 'hold' | 'reading';

export interface Operation {
  readonly modificationType: string;
  readonly name: string;
}

/** The operations allowed for a segment now. */
export type Operations = (segment: PricedSegment) => readonly Operation[];

/** Codes of a segment's status (docs/wire/notes.md, Statuses). */
const STATUS = { onSale: '34', cancelled: '16', confirmed: '30' } as const;

function segmentStatus(carrier: Carrier, segment: PricedSegment, place: Place): string | undefined {
  if (place === 'search' || place === 'check') return STATUS.onSale;
  if (place === 'hold' && carrier.dialect === 'rail') return undefined;
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

/** Fare rules as text, if an airline sends no others. */
function fareRule(carrier: Carrier, { fare, departure }: PricedSegment): Wire {
  const lines = (['refund', 'change'] as const).map((kind) => {
    const steps = fareRules(carrier.network, kind, fare, departure.departsAt, 'ADT').map(({ allowed, total }, i) => {
      const hours = fare[kind][i]?.untilHours ?? 0;
      const until = hours === 0 ? 'until departure' : `until ${hours} h before departure`;
      return `${allowed ? `${total.currency} ${decimal(total)}` : 'not permitted'} ${until}`;
    });
    return `${kind === 'refund' ? 'Refund' : 'Change'}: ${steps.join(', ')}`;
  });
  const isFixed = fare.refund.every((penalty) => !penalty.allowed);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an unfilled template key, as such services send it.
  const name = isFixed ? '${fare.rule.name}' : `${fare.name} conditions`;
  return { code: fare.basis, name, value: lines.join('\n') };
}

function writeExtension(
  carrier: Carrier,
  segment: PricedSegment,
  place: Place,
  operations: Operations | undefined,
): Wire {
  const { dialect } = carrier;
  const inWords = dialect === 'airline' && place !== 'search';
  const isBooked = place === 'hold' || place === 'reading';
  return given({
    ...(inWords && {
      fareBasis: segment.fare.basis,
      fareRule: isCancelled(segment) ? undefined : fareRule(carrier, segment),
      priceGroup: segment.fare.name,
    }),
    operations:
      isBooked && dialect === 'airline' ? operations?.(segment).map((operation) => ({ ...operation })) : undefined,
  });
}

export function writeSegment(carrier: Carrier, segment: PricedSegment, place: Place, operations?: Operations): Wire {
  const { departure, fare, ref } = segment;
  const { from, to, service, shown: number } = departure;
  const extension = writeExtension(carrier, segment, place, operations);
  return given({
    departureAirport: { locationCode: from.code },
    arrivalAirport: { locationCode: to.code },
    operatingAirline: { code: service.operatedBy, flightNumber: number },
    marketingAirline: { code: carrier.network.carrier },
    flightNumber: number,
    departureDateTime: localDateTime(from.zone, departure.departsAt),
    arrivalDateTime: localDateTime(to.zone, departure.arrivesAt),
    rph: ref,
    // Searches, rail holds and airline replies omit it (docs/wire/notes.md, Fares and prices).
    fareBasisCode: carrier.dialect === 'rail' && place === 'reading' ? fare.basis : undefined,
    resBookDesigCode: fare.bookingClass,
    status: segmentStatus(carrier, segment, place),
    equipment: [],
    comment: [],
    stopLocation: [],
    bookingClassAvails: place === 'reading' ? undefined : writeClasses(carrier, segment),
    stopQuantity: departure.toStop - departure.fromStop - 1,
    tpaextensions: Object.keys(extension).length === 0 ? undefined : extension,
  });
}

export function writeItinerary(
  carrier: Carrier,
  options: readonly PricedOption[],
  place: Place,
  operations?: Operations,
): Wire {
  const isBooked = place === 'hold' || place === 'reading';
  const omitsRef = isBooked && carrier.dialect === 'airline';
  const originDestinationOption = options.map(({ ref, segments }) =>
    given({
      flightSegment: segments.map((segment) => writeSegment(carrier, segment, place, operations)),
      rph: omitsRef ? undefined : ref,
    }),
  );
  return { originDestinationOptions: { originDestinationOption } };
}
