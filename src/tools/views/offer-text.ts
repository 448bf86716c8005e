/** Offers as text: a table that names each train once, with its fares. */
import { quoted } from '../../core/clean-text.ts';
import { withThousands } from '../../core/money.ts';
import { commonZone, minutesBetween, showLocal, showMinutes, showTrip, zoneWords } from '../../core/times.ts';
import { counted, joined, present, table } from '../../core/words.ts';
import { namedIn, type PlaceName, showPlace, showRoute, understoodText } from '../../domain/booking/stations.ts';
import { countType } from '../../domain/booking/status-codes.ts';
import type { CommonView, LegView, OfferView, SearchResult, SoldOutView } from './offer-data.ts';
import { airlineQuotes, changeTexts, refundText } from './refund-text.ts';

type SegmentView = NonNullable<LegView['segments']>[number];

/** What the lines of offers share: currency, zone and names of places. */
interface TextContext {
  readonly currency: string;
  /** The zone of all times; undefined where they differ. */
  readonly zone: string | undefined;
  readonly placeName: PlaceName;
}

export function searchText(result: SearchResult): readonly (string | undefined)[] {
  return [
    understoodText(result),
    ...offersLines(result),
    result.valid_until === undefined ? undefined : `These offers are valid until ${showLocal(result.valid_until)}.`,
  ];
}

function offersLines({ common = {}, offers, sold_out: soldOut = [], currency, places }: SearchResult): string[] {
  const timed = [...offers.flatMap(({ legs }) => legs), ...soldOut];
  const zone = commonZone(timed.flatMap(({ departs, arrives }) => [departs, arrives]));
  const ctx = { currency, zone, placeName: namedIn(places) };
  const shared = present([classText(common), ...factTexts(common, currency)]);
  const headings = (common.legs ?? []).map((leg, i, all) => legHeading(leg, all.length > 1 ? i + 1 : undefined, ctx));

  return [
    joined([...headings, datesText(timed, zone)], ' '),
    ...(shared.length === 0 ? [] : [`All: ${shared.join('; ')}.`]),
    ...[...Map.groupBy(offers, trainsKey).values()].flatMap((sameTrains) =>
      sameTrains.length > 1 ? trainLines(sameTrains, ctx) : sameTrains.flatMap((offer) => offerLines(offer, ctx)),
    ),
    ...soldOutLines(soldOut, ctx),
  ];
}

/** `Leg 1: Makkah (QCA) → Madinah (XMD), class Y.` */
function legHeading(
  leg: NonNullable<CommonView['legs']>[number],
  number: number | undefined,
  ctx: TextContext,
): string {
  const text = joined([routeText(leg, ctx), operatorText(leg), classText(leg)]);
  return text && `${number === undefined ? '' : `Leg ${number}: `}${text}.`;
}

/** `Times are local (UTC+3), dates in 2026.` */
function datesText(timed: readonly { readonly departs: string }[], zone: string | undefined): string {
  const years = [...new Set(timed.flatMap(({ departs }) => departs.slice(0, 4) || []))].sort().join(' and ');
  if (years === '') return '';
  return zone === undefined ? `Dates are in ${years}.` : `${zoneWords(zone)}, dates in ${years}.`;
}

/** A key that offers of the same trains share. */
function trainsKey({ leg, legs }: OfferView): string {
  return JSON.stringify([leg, legs.map(({ class: _, fare: __, seats_left: ___, ...train }) => train)]);
}

/** Lines for offers of the same trains: the trains and shared facts once, then for each offer its id, price and fares, and its own facts. */
function trainLines(offers: readonly OfferView[], ctx: TextContext): string[] {
  const rows = offers.map((offer) => ({ offer, facts: offerFacts(offer, ctx) }));
  const [first] = rows;
  if (first === undefined) return [];

  const shared = first.facts.filter((fact) => rows.every(({ facts }) => facts.includes(fact)));
  const [firstRide = '', ...otherRides] = first.offer.legs.map((leg) => rideText(leg, ctx));

  return [
    `${legText(first.offer)}${firstRide}`,
    ...otherRides.map((text) => `    then ${text}`),
    ...factLines(shared),
    ...rows.flatMap(({ offer, facts }) => [
      ['', offer.offer_id, offer.total, fareTexts(offer)].join('  ').trimEnd(),
      ...factLines(facts.filter((fact) => !shared.includes(fact))),
    ]),
  ];
}

/** The different fares of the legs: `class Y fare YSAVE 3 seats left`. */
function fareTexts({ legs }: OfferView): string {
  return [...new Set(legs.map(fareText).filter((text) => text !== ''))].join(' then ');
}

/** Lines for an offer whose trains no other offer has. */
function offerLines(offer: OfferView, ctx: TextContext): string[] {
  const [firstRide = '', ...otherRides] = offer.legs.map((leg) => joined([rideText(leg, ctx), fareText(leg)], ' '));
  return [
    `${offer.offer_id}  ${withThousands(offer.total)}  ${legText(offer)}${firstRide}`,
    ...otherRides.map((text) => `    then ${text}`),
    ...factLines(offerFacts(offer, ctx)),
  ];
}

/** Lists the departures without enough seats: `HHR101 Tue 1 Dec 12:40-14:50  class Y`. */
function soldOutLines(flights: readonly SoldOutView[], ctx: TextContext): string[] {
  const rows = flights.map((flight) => [
    joined([legText(flight), routeText(flight, ctx), timesText(flight, ctx), localDateText(flight)], ' '),
    flight.class && `class ${flight.class}`,
    flight.seats_left ? `only ${seatsText(flight)}` : undefined,
  ]);
  return rows.length === 0 ? [] : ['Sold out:', ...table(rows)];
}

function legText({ leg }: Pick<OfferView, 'leg'>): string {
  return leg === undefined ? '' : `leg ${leg}: `;
}

function offerFacts(offer: OfferView, { currency }: TextContext): string[] {
  return [...factTexts(offer, currency), ...priceTexts(offer)];
}

function factLines(facts: readonly string[]): string[] {
  return facts.length === 0 ? [] : [`    ${facts.join('; ')}`];
}

function routeText({ from, to }: Pick<LegView, 'from' | 'to'>, { placeName }: TextContext): string | undefined {
  return from === undefined || to === undefined ? undefined : showRoute({ from, to }, placeName);
}

function operatorText({ operated_by: operator }: Pick<LegView, 'operated_by'>): string | undefined {
  return operator && `operated by ${operator}`;
}

/** The fare's name is the airline's text, so it is quoted. */
function classText({ class: bookingClass, fare }: Pick<LegView, 'class' | 'fare'>): string {
  const texts = [
    bookingClass && `class ${bookingClass}`,
    fare && `fare ${fare.code}`,
    fare?.name && quoted(fare.name, 80),
  ];
  return joined(texts, ' ');
}

/** Writes class, fare and seats left. */
function fareText(leg: LegView): string {
  return joined([classText(leg), seatsText(leg)], ' ');
}

function rideText(leg: LegView, ctx: TextContext): string {
  const { departs, arrives, segments = [] } = leg;
  const minutes = leg.duration_minutes ?? minutesBetween(departs, arrives);

  const texts = [
    routeText(leg, ctx),
    ...(segments.length > 0
      ? segments.map((segment, i) => segmentText(segment, segments[i - 1], ctx))
      : [timesText(leg, ctx)]),
    minutes !== undefined && `(${showMinutes(minutes)})`,
    segments.length === 0 && operatorText(leg),
    localDateText(leg),
  ];
  return joined(texts, ' ');
}

function localDateText({ journey_date: date }: Pick<LegView, 'journey_date'>): string | undefined {
  return date && `local date ${date}`;
}

function timesText(
  { flight, departs, arrives }: Pick<LegView, 'flight' | 'departs' | 'arrives'>,
  { zone }: TextContext,
): string {
  return `${flight ?? ''} ${showTrip(departs, arrives, { withoutZone: zone !== undefined })}`;
}

/** One of several segments: `then from Riyadh (RUH) HHR202 …`; `then from LGW, after arriving at LHR, BA202 …`. */
function segmentText(segment: SegmentView, previous: SegmentView | undefined, ctx: TextContext): string {
  const isElsewhere = previous !== undefined && previous.to !== segment.from;
  const arrival = isElsewhere ? `, after arriving at ${showPlace(previous.to, ctx.placeName)},` : '';
  const texts = [
    previous !== undefined && `then from ${showPlace(segment.from, ctx.placeName)}${arrival}`,
    timesText(segment, ctx),
    operatorText(segment),
    localDateText(segment),
    segment.class && `class ${segment.class}`,
    seatsText(segment),
  ];
  return joined(texts, ' ');
}

function seatsText({ seats_left: seats }: Pick<LegView, 'seats_left'>): string | undefined {
  return seats === undefined ? undefined : `${counted(seats, 'seat')} left`;
}

/** Lists the facts besides price and times, which several offers can have in common. */
function factTexts(offer: Omit<CommonView, 'legs'>, currency: string): string[] {
  const { change, refund, baggage, pay_by: payBy, names_until: namesUntil } = offer;
  const { notes = [], airline_says: airlineSays = [] } = offer;

  return present([
    refund && `refund: ${refundText(refund, currency).join(' ').replace(/\.$/, '')}`,
    baggage && `baggage ${baggage}`,
    payBy && `pay by ${showLocal(payBy)}`,
    namesUntil && `names can be corrected until ${showLocal(namesUntil)}`,
    ...notes.map((note) => note.replace(/\.$/, '')),
    ...airlineQuotes(airlineSays),
    ...changeTexts(change, currency),
  ]);
}

/** Lists what full detail adds to a price. */
function priceTexts({ per_type: types = [], base, taxes, fees, quote_id: quote, ...offer }: OfferView): string[] {
  const { fare_basis: fares, price_lines: lines = [] } = offer;
  return present([
    types.map((row) => `${countType(row.type, row.count)} ${withThousands(row.total)}`).join(', '),
    fares && `fare ${fares.join(', ')}`,
    base && `base ${withThousands(base)}, taxes ${withThousands(taxes ?? '')}, fees ${withThousands(fees ?? '')}`,
    lines.map((line) => `${line.kind} ${line.code} ${withThousands(line.amount)}`).join(', '),
    quote && `quote ${quote}`,
  ]);
}
