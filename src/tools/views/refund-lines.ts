/** The lines of a refund, in words and figures: who gets what back for which flights or trains. */
import { formatMoney, type Money, multiplyMoney } from '../../core/money.ts';
import { counted, listed, present } from '../../core/words.ts';
import { type Booking, type Segment, segmentsOf } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { type PlaceName, showRoute } from '../../domain/booking/stations.ts';
import { countType } from '../../domain/booking/status-codes.ts';
import { nameText, type Traveler } from '../../domain/people/traveler.ts';
import type { PartRefund } from '../../domain/refund/estimate-refund.ts';
import { vehicleOf } from '../definition/define.ts';
import { filled } from '../definition/field-notes.ts';
import type { RefundLine } from './refund-schema.ts';

/** How many passengers a line names. */
const MOST_NAMES = 4;

/** The part of the context that the words for trains and places need. */
export interface RefundContext {
  readonly settings: Parameters<typeof vehicleOf>[0] & { readonly currency?: string | undefined };
  readonly airline: { readonly placeName?: PlaceName };
  /** Counts passengers by type in place of their names. */
  readonly byType?: true;
}

/** Leaves out the passengers of the line before: a trip of the same people has a line for each fare. */
export function namedOnce(lines: readonly RefundLine[]): RefundLine[] {
  const people = ({ passengers, passenger_refs: refs }: RefundLine) => JSON.stringify([passengers, refs]);
  return lines.map((line, i) => {
    const { passengers: _, passenger_refs: __, ...otherFields } = line;
    const before = lines[i - 1];
    return before !== undefined && people(before) === people(line) ? otherFields : line;
  });
}

interface LineOptions {
  readonly booking: Booking;
  /** The passengers that have a ref: those of a group without names have none. */
  readonly listed: ReadonlySet<string>;
  readonly currency: string;
}

/** Joins segments whose lines have the same people and figures. */
export function joinedLines(
  parts: readonly PartRefund[],
  { booking, listed: listedRefs, currency }: LineOptions,
  ctx: RefundContext,
) {
  const peopleAndFigures = ({ segmentRefs: _, ...part }: PartRefund) => JSON.stringify(part);
  return [...Map.groupBy(parts, peopleAndFigures).values()].flatMap((sameParts): RefundLine[] => {
    const [first] = sameParts;
    if (first === undefined) return [];

    const { travelers, paid, keptEach, refund, refundable, segmentRefs } = first;
    const refs = sameParts.flatMap((part) => part.segmentRefs);

    // A line is in one currency.
    const amount = (money: Money | undefined) => (money?.currency === currency ? formatMoney(money) : undefined);
    const sum = (money: Money | undefined) => amount(money && multiplyMoney(money, sameParts.length));

    return [
      {
        passengers: peopleText(travelers, ctx),
        segments: segmentsText(segmentsOf(booking), refs, ctx),
        passenger_refs: filled(travelers.map(({ ref }) => ref).filter((ref) => listedRefs.has(ref))),
        segment_refs: refs,
        paid: sum(paid),
        kept_each: refundable ? amount(keptEach) : undefined,
        kept_per: refundable && segmentRefs.length > 1 ? 'person and fare' : undefined,
        back: refundable ? sum(refund) : undefined,
        refundable: refundable ? undefined : false,
      },
    ];
  });
}

/** `Amal Haddad and Boris Berg`, at most four names. By type, or if nobody has a name: `2 adults and 1 child`. */
export function peopleText(travelers: readonly Traveler[], { byType }: RefundContext): string {
  const named = travelers.filter(({ name }) => name !== undefined).map(nameText);
  if (byType || named.length === 0) {
    const types = Map.groupBy(travelers, ({ type }) => type);
    return listed([...types].map(([type, { length }]) => countType(type, length)));
  }

  const unnamed = travelers.length - named.length;
  const shown = named.length > MOST_NAMES ? named.slice(0, MOST_NAMES - 1) : named;
  const others = named.length - shown.length;
  const unnamedText = unnamed > 0 && `${counted(unnamed, 'passenger')} not named yet`;
  return listed(present([...shown, others > 0 && `${others} others`, unnamedText]));
}

/** `train HHR101 Makkah (QCA) → Madinah (XMD)`. */
export function segmentsText(bookingSegments: readonly Segment[], refs: readonly string[], ctx: RefundContext): string {
  const segments = bookingSegments.filter(({ ref }) => refs.includes(ref));
  const names = segments.map((segment) => `${flightName(segment)} ${showRoute(segment, ctx.airline.placeName)}`);
  return `${vehicleOf(ctx.settings)}${names.length > 1 ? 's' : ''} ${listed(names)}`;
}
