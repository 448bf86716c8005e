/** Offers as data, the same for both reply forms of a fare search. */
import * as z from 'zod';
import { cleanCode, plainText } from '../../core/clean-text.ts';
import { formatMoney } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { minutesBetween } from '../../core/times.ts';
import { fareDeadlines } from '../../domain/booking/deadlines.ts';
import { flightName, operatedBy, seatsLeft, viewRoute } from '../../domain/booking/flight-name.ts';
import type { Segment, SegmentOption } from '../../domain/booking/itinerary.ts';
import { isPenalty } from '../../domain/pricing/fare.ts';
import type { Offer, SoldOutFlight } from '../../domain/pricing/fare-search.ts';
import { inForce } from '../../domain/pricing/penalty-rules.ts';
import { optionalStrings, strings } from '../definition/define.ts';
import { lacksCarrier, NEEDS_CARRIER } from '../rules/missing-carrier.ts';
import { priceSchema } from './booking-schema.ts';
import { viewLine, viewParts, viewPerType } from './price-and-rules.ts';
import { REFUND_NOT_KNOWN, refundability } from './refund-of-offer.ts';

const segment = () =>
  z.object({
    ...strings('ref', 'flight'),
    ...optionalStrings('operated_by'),
    ...strings('from', 'to', 'departs', 'arrives'),
    ...optionalStrings('journey_date'),
    class: z.string(),
    seats_left: z.int().optional(),
  });

const leg = () =>
  z.object({
    ...strings('from', 'to', 'departs', 'arrives'),
    duration_minutes: z.int().optional(),
    segments: z.array(segment()),
    fare: z.object({ code: z.string(), ...optionalStrings('name') }).optional(),
  });

export function offerSchema() {
  return z.object({
    offer_id: z.string(),
    leg: z.int().optional(),
    ...strings('total', 'base', 'taxes', 'fees'),
    per_type: priceSchema.perType(),
    legs: z.array(leg()),
    fare_basis: z.array(z.string()),
    refundable: z.boolean().optional(),
    ...optionalStrings('refund_note'),
    refund: z.object({ known: z.boolean(), text: z.string() }),
    checked: z.boolean().optional(),
    ...optionalStrings('baggage', 'pay_by', 'cancel_until', 'names_until', 'quote_id'),
    notes: z.array(z.string()).optional(),
    price_lines: priceSchema.lines(),
  });
}

export function soldOutSchema() {
  return z.object(strings('flight', 'from', 'to', 'departs', 'arrives', 'class'));
}

export type OfferView = z.input<ReturnType<typeof offerSchema>>;
export type SoldOutView = z.input<ReturnType<typeof soldOutSchema>>;

interface OfferViewOptions {
  readonly now: number;
  /** Of the airline's words. */
  readonly locale?: string;
  readonly full: boolean;
  /** FARECLERK_CARRIER: used where the airline names no carrier. */
  readonly carrier?: string | undefined;
  readonly party: Readonly<Record<string, number>>;
  /** The airline confirmed the price just now. */
  readonly checked: boolean;
  readonly notes: readonly string[];
}

/** Undefined for an offer without a price, which cannot be sold. */
export function viewOffer(id: string, offer: Offer, options: OfferViewOptions): OfferView | undefined {
  const { pricing } = offer;
  const price = pricing.total;
  if (price === undefined) return undefined;
  const deadlines = fareDeadlines(pricing);
  const notes = notesOf(offer, options);
  return omitUndefined({
    offer_id: id,
    leg: offer.leg === undefined ? undefined : offer.leg + 1,
    total: formatMoney(price.total),
    ...viewParts(price),
    per_type: viewPerType(pricing.perType, options.party),
    legs: offer.options.map((option) => viewLeg(option, options.carrier)),
    fare_basis: fareBasis(offer),
    ...refundOf(offer, options),
    checked: options.checked ? true : undefined,
    baggage: price.baggage.length > 0 ? plainText([...new Set(price.baggage)].join('; '), 120) : undefined,
    pay_by: deadlines.payBy,
    cancel_until: deadlines.cancelUntil,
    names_until: deadlines.namesUntil,
    quote_id: pricing.quoteId === undefined ? undefined : cleanCode(pricing.quoteId, 60),
    notes: notes.length > 0 ? notes : undefined,
    price_lines: options.full ? price.lines.map(viewLine) : undefined,
  });
}

/** Searches seldom have refund rules; the hold has them (docs/wire/notes.md, Fares and prices). */
function refundOf(
  { pricing, options }: Offer,
  { now, locale }: OfferViewOptions,
): Pick<OfferView, 'refundable' | 'refund_note' | 'refund'> {
  const rules = pricing.fares.flatMap(({ refundRules }) => refundRules.filter((rule) => inForce(rule, now)));
  if (rules.length === 0) return { refund: { known: false, text: REFUND_NOT_KNOWN } };
  const told = refundability(pricing, now, options[0]?.segments[0]?.departs, locale);
  return { ...told, refund: { known: rules.every(isPenalty), text: told.refund_note } };
}

function notesOf(offer: Offer, { carrier, full, notes }: OfferViewOptions): string[] {
  const cannot = carrier === undefined && lacksCarrier(offer.options) ? [NEEDS_CARRIER] : [];
  if (!full) return [...cannot, ...notes];
  const told = [...offer.notes, ...(offer.pricing.total?.remarks ?? [])].map((note) => plainText(note, 160));
  const names = offer.options.flatMap(({ segments }) => segments.map(({ fareName }) => plainText(fareName ?? '', 160)));
  const words = new Set(told.filter((note) => note !== '' && !names.includes(note)));
  return [...cannot, ...notes, ...stopNotes(offer, carrier), ...words];
}

/** Stops on the way, in the same train or aeroplane (docs/wire/interface.md, Flight segment). */
function stopNotes({ options }: Offer, carrier: string | undefined): string[] {
  return options.flatMap(({ segments }) =>
    segments.flatMap((each) =>
      each.stops ? [`${flightName(each, carrier)} stops ${each.stops === 1 ? 'once' : `${each.stops} times`}.`] : [],
    ),
  );
}

function viewLeg({ segments }: SegmentOption, carrier: string | undefined): OfferView['legs'][number] {
  const [first, last] = [segments[0], segments.at(-1)];
  return omitUndefined({
    from: cleanCode(first?.from ?? ''),
    to: cleanCode(last?.to ?? ''),
    departs: first?.departs ?? '',
    arrives: last?.arrives ?? '',
    duration_minutes: minutesBetween(first?.departs, last?.arrives),
    segments: segments.map((each) => viewSegment(each, carrier)),
    fare: viewFare(segments),
  });
}

/** All fares of the leg's segments; absent if one is unknown. */
function viewFare(segments: readonly Segment[]): OfferView['legs'][number]['fare'] {
  const codes = segments.map(({ fareBasis }) => cleanCode(fareBasis ?? '', 30));
  if (codes.length === 0 || codes.includes('')) return undefined;
  const names = segments.flatMap(({ fareName }) => plainText(fareName ?? '', 40) || []);
  const joined = (all: readonly string[]) => [...new Set(all)].join('+');
  return omitUndefined({ code: joined(codes), name: names.length > 0 ? joined(names) : undefined });
}

function viewSegment(each: Segment, carrier: string | undefined): OfferView['legs'][number]['segments'][number] {
  return omitUndefined({
    ref: each.ref,
    flight: flightName(each, carrier),
    operated_by: operatedBy(each),
    ...viewRoute(each),
    journey_date: each.journeyDate,
    class: cleanCode(each.bookingClass ?? ''),
    seats_left: seatsLeft(each),
  });
}

function fareBasis({ options, pricing }: Offer): string[] {
  const codes = [
    ...pricing.perType.flatMap((row) => row.fareBasis.map((basis) => basis.code)),
    ...options.flatMap((option) => option.segments.flatMap((each) => each.fareBasis ?? [])),
    ...pricing.fares.flatMap((fare) => fare.references.map((reference) => reference.code)),
  ];
  return [...new Set(codes.map((code) => cleanCode(code, 30)))].filter((code) => code !== '');
}

export function viewSoldOut({ segment: each, bookingClass }: SoldOutFlight, carrier: string | undefined): SoldOutView {
  return {
    flight: flightName(each, carrier),
    ...viewRoute(each),
    class: cleanCode(bookingClass),
  };
}
