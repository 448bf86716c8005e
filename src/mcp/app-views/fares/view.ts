/**
 * Shows the fares of one search by departure. Choosing one says so in the conversation; it books nothing. In order: prices and the
 * buttons of days, the fares.
 */
import { withThousands } from '../../../core/money.ts';
import { MINUTE_MS, showDay } from '../../../core/times.ts';
import { capitalized, counted, joined } from '../../../core/words.ts';
import type { LegView, OfferView, SearchResult, SoldOutView } from '../../../tools/views/offer-data.ts';
import type { Refund } from '../../../tools/views/refund-schema.ts';
import { joinWords, type OurWords, ours, sayChoice, startView, type ToolInput } from '../shared/bridge.ts';
import { announce, type Child, el, fill, foldedPart, list, markPressed, paragraph, viewHead } from '../shared/dom.ts';
import type { ResultData } from '../shared/result.ts';
import {
  cabinName,
  dayAndTime,
  durationText,
  keepPlaces,
  moneyText,
  placeName,
  routeText,
  timeSpan,
  withVehicle,
} from '../shared/words.ts';

/** How many fares of a departure are shown at once. */
const MOST_ROWS = 3;
/** How many departures are shown at once. */
const MOST_CARDS = 6;
/** With more seats left than this, their number does not help a person to choose. */
const MOST_COUNTED_SEATS = 9;

/** The number in `SAR 354.00` or `354.00`; NaN without one. */
const readAmount = (total?: string): number => Number(/[\d.]+$/.exec(total ?? '')?.[0]);

/** The lowest of some prices. */
const lowest = (priced: readonly Pick<OfferView, 'total'>[]): number =>
  Math.min(...priced.map(({ total }) => readAmount(total)));

interface PricedDay {
  readonly date: string;
  /** Decimal text. */
  readonly total: string;
}

/** Draws a button for each day, with its lowest price. @param pressedDate pressed at first */
function dayButtons(days: readonly PricedDay[], pressedDate: string | undefined, onDay: (date: string) => void): Child {
  const lowestTotal = lowest(days);
  const buttons = days.map(({ date, total }) => {
    const price = el('b', { class: readAmount(total) === lowestTotal && 'best' }, withThousands(total));
    const attributes = { 'aria-pressed': String(date === pressedDate) };
    const button = el('button', attributes, price, el('small', {}, showDay(date)));
    button.onclick = () => {
      markPressed(button, buttons);
      onDay(date);
    };

    return button;
  });
  return el('nav', { 'aria-label': 'Lowest price by day', class: 'days' }, buttons);
}

/** A leg of an offer, with the route that it may share with others. */
type Leg = LegView & Required<Pick<LegView, 'from' | 'to'>>;

interface FareOffer extends OfferView {
  readonly legs: [Leg, ...Leg[]];
  /** From 1, where the airline sells each leg by itself; 0 for an offer of the whole trip. */
  readonly leg: number;
  /** Texts about its refund and what it contains. */
  readonly facts: readonly string[];
}

type SearchData = ResultData & SearchResult;

/** Adds to each offer what all have in common: a search says that once. */
function fullOffers({ common = {}, offers, currency }: SearchData): FareOffer[] {
  const { legs: commonLegs = [], class: letter, fare, ...shared } = common;
  return offers.map((offer) => {
    const { leg = 0 } = offer;
    // An offer of one leg says its number; the legs of others are in the order of the trip.
    const legs = offer.legs.map((each, i) => ({ class: letter, fare, ...commonLegs[leg ? leg - 1 : i], ...each }));
    // Each leg now has its route, and an offer has at least one leg.
    const full = { ...shared, ...offer, leg, legs: legs as [Leg, ...Leg[]] };
    return { ...full, facts: fareFacts(full, currency) };
  });
}

const departureDay = ({ legs }: FareOffer) => legs[0].departs.slice(0, 10);
const listSegments = (leg: Leg): readonly Partial<Leg>[] => leg.segments ?? [leg];
const flightNumbers = (leg: Leg) =>
  joined(
    listSegments(leg).map(({ flight }) => flight),
    ' + ',
  );

/** Name of the fares of all legs; the cabin where the search names none. */
function fareName({ legs }: FareOffer): string {
  const names = legs.map((leg) => leg.fare?.name ?? joined([cabinName(leg.class ?? ''), leg.fare?.code], ' '));
  return capitalized([...new Set(names)].join(' + '));
}

/** `SAR 354.00 back until Tue 8 Dec 06:15`. */
function refundText({ refund_now: amount, valid_until: until, note }: Refund, currency: string): string | undefined {
  if (!amount) return note && `Refund ${note}`;
  if (!readAmount(amount)) return 'Not refundable';
  return joined([moneyText(currency, amount), 'back', until && `until ${dayAndTime(until)}`], ' ');
}

/** Quotes the airline's words on which a refund depends, with whose fare they belong to. */
const conditionTexts = ({ refund_condition: conditions = [] }: Refund) =>
  conditions.map(({ says, fare_of: whose }) => `Condition${whose ? ` for ${whose}` : ''}: “${says}”`);

function fareFacts({ baggage, pay_by: payBy, notes = [], refund = {} }: OfferView, currency: string): string[] {
  const facts = [
    refundText(refund, currency),
    ...conditionTexts(refund),
    baggage && `Baggage ${baggage}`,
    payBy && `Pay by ${showDay(payBy)}`,
    ...notes,
  ];
  return facts.filter((fact): fact is string => Boolean(fact));
}

/** Lists the first `most` items. A person opens the others below them. */
function listWithMore(name: string, items: readonly Child[], most: number): Child {
  const rest = items.slice(most);
  return [list(name, items.slice(0, most)), rest.length > 0 && foldedPart(`${rest.length} more`, list(name, rest))];
}

/** The offers that the person chose, by the number of the leg. A new result empties it. */
const chosenOffers = new Map<number, OurWords>();

/** Marks a fare as chosen, and says the choice once every leg has one. */
function pick(data: SearchData, { leg, legs, total, offer_id: id }: FareOffer, button: Element): void {
  const days = legs.map(({ departs }) => ours`${dayAndTime(departs)}`);
  chosenOffers.set(leg, ours`offer ${id}, ${joinWords(days, ' and ')}, for ${moneyText(data.currency, total)}`);
  markPressed(button, button.closest('section')?.querySelectorAll('.fare') ?? []);
  const legNumbers = new Set(data.offers.map((offer) => offer.leg ?? 0));
  if (chosenOffers.size < legNumbers.size) announce('Now choose the other direction.', button);
  else sayChoice(ours`I choose ${joinWords([...chosenOffers.values()], ', and ')}.`, button);
}

/** Draws one fare of a departure: the whole row is the button. What differs from row to row comes first. */
function fareRow(data: SearchData, offer: FareOffer, lowestTotal: number): HTMLElement {
  const [first, ...others] = offer.legs;
  const furtherLegs = others.flatMap((leg) => [
    `${leg.to === first.from ? 'Back' : 'Then'} ${timeSpan(leg.departs, leg.arrives)}`,
    `${showDay(leg.departs)} ${flightNumbers(leg)}`,
  ]);

  const seatsLeft = Math.min(...offer.legs.flatMap(listSegments).flatMap(({ seats_left: seats }) => seats ?? []));
  const seatsText = seatsLeft <= MOST_COUNTED_SEATS ? [`${counted(seatsLeft, 'seat')} left`] : [];
  // The title is the way back or on, if there is one; else the name of the fare.
  const [title, ...about] = [...furtherLegs, fareName(offer), ...seatsText, ...offer.facts];
  const best = readAmount(offer.total) === lowestTotal && el('b', { class: 'best' }, 'Lowest ');

  const price = el('b', {}, moneyText(data.currency, offer.total));
  const small = el('small', {}, best, about.join(' · '));
  const button = el('button', { class: 'fare', 'aria-pressed': 'false' }, el('b', {}, title), ' ', price, ' ', small);
  button.onclick = () => pick(data, offer, button);

  return button;
}

/** Draws one train or flight, or several with a change, and its fares. @param lowestTotal of all offers, to mark the lowest */
function departureCard(data: SearchData, [first, ...others]: [FareOffer, ...FareOffer[]], lowestTotal: number): Child {
  const [leg] = first.legs;
  const { departs, arrives } = leg;

  const changes = listSegments(leg)
    .slice(1)
    .map(({ from = '' }) => placeName(from));
  const minutes = (Date.parse(arrives) - Date.parse(departs)) / MINUTE_MS;

  const about = [
    capitalized(withVehicle(flightNumbers(leg))),
    changes.length > 0 && `change in ${changes.join(', ')}`,
    minutes > 0 && durationText(minutes),
  ];
  const heading = el('h2', {}, timeSpan(departs, arrives), ' ', el('small', {}, joined(about, ' · ')));
  const fares = [first, ...others].map((offer) => fareRow(data, offer, lowestTotal));
  return el('article', { class: 'card' }, heading, listWithMore('', fares, MOST_ROWS));
}

/**
 * Draws the departures of one leg that is sold by itself, or of the whole trip. With several days, shows those of one day, and a strip
 * of days that redraws the cards.
 * @param wantedDay the day that the search was for
 */
function departuresSection(data: SearchData, leg: number, offers: readonly FareOffer[], wantedDay?: string): Child {
  const byDay = Map.groupBy(offers, departureDay);
  const lowestTotal = lowest(offers);
  const cards = el('div');

  const draw = (date: string | undefined) => {
    const ofDay = offers.filter((offer) => date === undefined || departureDay(offer) === date);
    const departures = Map.groupBy(ofDay, ({ legs: [first] }) => `${first.departs} ${flightNumbers(first)}`);
    const groups = [...departures.values()] as [FareOffer, ...FareOffer[]][];
    const departureCards = groups.map((group) => departureCard(data, group, lowestTotal));
    fill(cards, listWithMore('cards', departureCards, MOST_CARDS));
  };

  // Offers come cheapest first, and so do the first offers of their days.
  const cheapestFirst = [...byDay].map(([date, [best]]) => ({ date, total: best?.total ?? '' }));
  const shownDate = byDay.has(wantedDay ?? '') ? wantedDay : cheapestFirst[0]?.date;
  const hasSeveralDays = byDay.size > 1;
  draw(hasSeveralDays ? shownDate : undefined);

  const days = cheapestFirst.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const title = leg > 0 ? `Direction ${leg}` : 'Offers';
  const heading = leg > 0 && el('h2', {}, title);
  const strip = hasSeveralDays && dayButtons(days, shownDate, draw);
  return el('section', { 'aria-label': title }, heading, strip, cards);
}

/** Lists the departures without enough seats, folded. */
function soldOutList(flights: readonly SoldOutView[] = []): Child {
  const lines = flights.map((flight) => {
    const { leg, departs, arrives, seats_left: seats } = flight;
    const parts = [
      leg !== undefined && `Direction ${leg}`,
      showDay(departs),
      timeSpan(departs, arrives),
      withVehicle(flight.flight),
      cabinName(flight.class ?? ''),
      seats ? `only ${counted(seats, 'seat')} left` : undefined,
    ];
    return joined(parts, ' · ');
  });
  return lines.length > 0 && foldedPart(`${lines.length} sold out`, list('soft', lines));
}

/** `Makkah to Madinah and back`. */
function tripTitle(first: Partial<Leg>, last = first): string {
  const { from, to } = first;
  if (!from || !to) return 'Fares';
  return routeText(from, to) + (last !== first && last.to === from ? ' and back' : '');
}

/** Draws the offers of a search. */
function drawSearch(data: SearchData, input: ToolInput): Child {
  keepPlaces(data.places);
  chosenOffers.clear();

  const { currency, summary } = data;
  const offers = fullOffers(data);
  const [first] = offers;
  if (!first)
    return [
      viewHead('Fares', data),
      paragraph(data.sold_out?.length ? 'Sold out' : 'Nothing found', 'big'),
      paragraph('Ask the assistant for another day or class.'),
      soldOutList(data.sold_out),
    ];

  // What every fare offers is said once, above them.
  const commonFacts = first.facts.filter((fact) => offers.every(({ facts }) => facts.includes(fact)));
  const shown = offers.map((offer) => ({ ...offer, facts: offer.facts.filter((fact) => !commonFacts.includes(fact)) }));
  const byLeg = [...Map.groupBy(shown, ({ leg }) => leg)].sort(([a], [b]) => a - b);
  const isOneDay = new Set(offers.map(departureDay)).size === 1;
  const wantedLegs = input.legs as readonly { date?: string }[] | undefined;
  const about = [isOneDay && showDay(first.legs[0].departs), currency, 'local times'];

  return [
    viewHead(tripTitle(first.legs[0], first.legs.at(-1)), data, joined(about, ' · ')),
    paragraph(summary, 'soft'),
    commonFacts.length > 0 && paragraph(`Every fare: ${commonFacts.join(' · ')}.`, 'soft'),
    byLeg.map(([leg, ofLeg]) => departuresSection(data, leg, ofLeg, wantedLegs?.[Math.max(leg - 1, 0)]?.date)),
    soldOutList(data.sold_out),
  ];
}

startView<SearchData>(drawSearch);
