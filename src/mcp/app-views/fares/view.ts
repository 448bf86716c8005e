/**
 * Shows the fares of one search by departure, or the lowest of each day. Choosing one says so in the conversation; it books nothing.
 * In order: prices and the strip of days, which both pictures have; the fares of a search; the lowest price of each day.
 */

import { MINUTE_MS, showDay } from '../../../core/times.ts';
import type { DatesResult } from '../../../tools/find-cheapest-dates.ts';
import type { LegView, OfferView, SearchResult, SoldOutView } from '../../../tools/views/offer-data.ts';
import type { Refund } from '../../../tools/views/refund-schema.ts';
import { joinWords, type OurWords, ours, sayChoice, startView, type ToolInput } from '../shared/bridge.ts';
import {
  announce,
  type Child,
  el,
  fill,
  foldedPart,
  joinPresent,
  list,
  markPressed,
  moveFocus,
  paragraph,
  softParagraph,
  viewHead,
} from '../shared/dom.ts';
import { conditionTexts } from '../shared/refund.ts';
import type { ResultData } from '../shared/result.ts';
import {
  cabinName,
  capitalized,
  clockTime,
  countText,
  durationText,
  grouped,
  moneyText,
  placeName,
  routeText,
  timeSpan,
  vehicleWord,
  withVehicle,
} from '../shared/words.ts';

/** How many fares of a departure are shown at once. */
const MOST_ROWS = 3;
/** How many departures are shown at once. */
const MOST_CARDS = 6;
/** With more seats left than this, their number does not help a person to choose. */
const MOST_COUNTED_SEATS = 9;

/** The offers that the person chose, by the number of the leg: an airline may sell each leg separately. A new result empties it. */
const chosenOffers = new Map<number, OurWords>();

interface StripDay {
  readonly date: string;
  /** Decimal text; absent if nothing is sold on this day. */
  readonly total?: string | undefined;
}

/** The number in `SAR 354.00` or `354.00`; NaN without one. */
const readAmount = (total?: string): number => Number(/[\d.]+$/.exec(total ?? '')?.[0]);

/** The lowest of some prices; Infinity if there is none. */
const lowest = (totals: readonly (string | undefined)[]): number =>
  Math.min(...totals.map(readAmount).filter((amount) => amount >= 0));

/** Draws days as bars, as high as their prices. @param pressedDate pressed at first, and scrolled into sight */
function strip(days: readonly StripDay[], pressedDate: string | undefined, onDay: (date: string) => void): HTMLElement {
  const lowestTotal = lowest(days.map(({ total }) => total));
  const highestTotal = Math.max(...days.map(({ total }) => readAmount(total) || 0));
  const buttons = days.map(({ date, total }) => {
    const bar = el('span', { class: readAmount(total) === lowestTotal ? 'bar low' : 'bar' });
    bar.style.height = `calc(${total ? readAmount(total) / (highestTotal || 1) : 0} * var(--tall, 3rem))`;
    const button = el(
      'button',
      {
        'aria-pressed': String(date === pressedDate),
        'aria-disabled': !total && 'true',
        tabindex: '-1',
      },
      bar,
      total ? grouped(total) : 'sold out',
      el('small', {}, showDay(date)),
    );
    if (total) {
      button.onclick = () => {
        markPressed(button, buttons);
        moveFocus(button, buttons);
        onDay(date);
      };
    }
    return button;
  });
  const row = list('strip', buttons) as HTMLElement;
  row.onkeydown = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    if (!step) return;
    event.preventDefault();
    moveFocus(buttons[at + step], buttons);
  };
  const reachable = buttons.find((button) => button.ariaPressed === 'true') ?? buttons[0];
  if (reachable) reachable.tabIndex = 0;
  // Not scrollIntoView, which would move the host's page.
  new ResizeObserver(() => {
    if (reachable) row.scrollLeft = reachable.offsetLeft - (row.clientWidth - reachable.offsetWidth) / 2;
  }).observe(row);
  return el('nav', { 'aria-label': 'Lowest price by day' }, row);
}

/** A leg of an offer, with the route that it may share with others. */
type Leg = LegView & Required<Pick<LegView, 'from' | 'to'>>;
type FareSegment = Pick<Leg, 'flight' | 'from' | 'class' | 'seats_left'>;

interface FareOffer extends OfferView {
  readonly legs: [Leg, ...Leg[]];
}

type SearchData = ResultData & SearchResult;

/** Adds to each offer what all have in common: a search says that once. */
function fullOffers({ common = {}, offers }: SearchData): FareOffer[] {
  const { legs: commonLegs = [], class: letter, fare, ...facts } = common;
  return offers.map((offer) => {
    const legs = offer.legs.map((leg, i) => ({
      class: letter,
      fare,
      // An offer of one leg says its number, from 1; the legs of others are in the order of the trip.
      ...commonLegs[offer.leg ? offer.leg - 1 : i],
      ...leg,
    }));
    // Each leg now has its route, and an offer has at least one leg.
    return { ...facts, ...offer, legs: legs as [Leg, ...Leg[]] };
  });
}

/** A row of a departure: an offer, and texts about its refund and what it contains. */
interface OfferRow {
  readonly offer: FareOffer;
  readonly facts: readonly string[];
}

const departureDay = ({ legs }: FareOffer) => legs[0].departs.slice(0, 10);
const listSegments = (leg: Leg): readonly FareSegment[] => leg.segments ?? [leg];
const flightNumbers = (leg: Leg) =>
  listSegments(leg)
    .map(({ flight }) => flight)
    .join(' + ');
/** From 1; 0 for an offer of the whole trip. */
const legNumber = ({ leg = 0 }: OfferView) => leg;

/** Name of the fares of all legs; the cabin where the search names none. */
function fareName({ legs }: FareOffer): string {
  const names = legs.map((leg) => leg.fare?.name ?? joinPresent([cabinName(leg.class ?? ''), leg.fare?.code], ' '));
  return capitalized([...new Set(names)].join(' + '));
}

const dayAndTime = (time: string) => `${showDay(time)} ${clockTime(time)}`;

/** `SAR 354.00 back until Tue 8 Dec 06:15`. */
function refundText({ refund_now: amount, valid_until: until, note }: Refund, currency: string): string | undefined {
  if (!amount) return note && `Refund ${note}`;
  if (!readAmount(amount)) return 'Not refundable';
  return joinPresent([moneyText(currency, amount), 'back', until && `until ${dayAndTime(until)}`], ' ');
}

function fareFacts(offer: FareOffer, currency: string): string[] {
  const { baggage, pay_by: payBy, notes = [], refund = {} } = offer;
  const facts = [
    refundText(refund, currency),
    ...conditionTexts(refund),
    baggage && `Baggage ${baggage}`,
    payBy && `Pay by ${showDay(payBy)}`,
  ];
  return [...facts, ...notes].filter((fact): fact is string => Boolean(fact));
}

/** Lists the first `most` items. A person opens the others below them. */
function listWithMore(name: string, items: readonly Child[], most: number): Child[] {
  const rest = items.slice(most);
  return [list(name, items.slice(0, most)), rest.length > 0 ? foldedPart(`${rest.length} more`, list(name, rest)) : ''];
}

/** Marks a fare as chosen, and says the choice once every leg has one. */
function pick(data: SearchData, offer: FareOffer, button: HTMLButtonElement): void {
  const { legs, total, offer_id: id } = offer;
  const days = legs.map((leg) => ours`${dayAndTime(leg.departs)}`);
  chosenOffers.set(
    legNumber(offer),
    ours`offer ${id}, ${joinWords(days, ' and ')}, for ${moneyText(data.currency, total)}`,
  );
  markPressed(button, button.closest('section')?.querySelectorAll('.fare') ?? []);
  const legNumbers = new Set(data.offers.map(legNumber));
  if (chosenOffers.size < legNumbers.size) announce('Now choose the other direction.', button);
  else sayChoice(ours`I choose ${joinWords([...chosenOffers.values()], ', and ')}.`, button);
}

/** Draws one fare of a departure: the whole row is the button. What differs from row to row comes first. */
function fareRow(data: SearchData, { offer, facts }: OfferRow, lowestTotal: number): HTMLElement {
  const [first, ...others] = offer.legs;
  const furtherLegs = others.flatMap((leg) => [
    `${leg.to === first.from ? 'Back' : 'Then'} ${timeSpan(leg.departs, leg.arrives)}`,
    `${showDay(leg.departs)} ${flightNumbers(leg)}`,
  ]);
  const seatsLeft = Math.min(
    ...offer.legs.flatMap((leg) => listSegments(leg).flatMap((segment) => segment.seats_left ?? [])),
  );
  const seatsText = seatsLeft <= MOST_COUNTED_SEATS ? [`${countText(seatsLeft, 'seat')} left`] : [];
  // The title is the way back or on, if there is one; else the name of the fare.
  const [title, ...about] = [...furtherLegs, fareName(offer), ...seatsText, ...facts];
  const best = readAmount(offer.total) === lowestTotal ? el('b', { class: 'best' }, 'Lowest ') : '';
  const button = el(
    'button',
    { class: 'fare', 'aria-pressed': 'false' },
    el('b', {}, title),
    ' ',
    el('b', {}, moneyText(data.currency, offer.total)),
    ' ',
    el('small', {}, best, about.join(' · ')),
  );
  button.onclick = () => pick(data, offer, button);
  return button;
}

/** Draws one train or flight, or several with a change, and its fares. @param lowestTotal of all offers, to mark the lowest */
function departureCard(data: SearchData, rows: readonly [OfferRow, ...OfferRow[]], lowestTotal: number): HTMLElement {
  const [leg] = rows[0].offer.legs;
  const { departs, arrives } = leg;
  const via = listSegments(leg)
    .slice(1)
    .map(({ from }) => placeName(from));
  const minutes = (Date.parse(arrives) - Date.parse(departs)) / MINUTE_MS;
  const about = [
    capitalized(withVehicle(flightNumbers(leg))),
    via.length > 0 && `change in ${via.join(', ')}`,
    minutes > 0 && durationText(minutes),
  ];
  const fareButtons = rows.map((row) => fareRow(data, row, lowestTotal));
  return el(
    'article',
    { class: 'card' },
    el('h2', {}, timeSpan(departs, arrives), ' ', el('small', {}, joinPresent(about, ' · '))),
    listWithMore('', fareButtons, MOST_ROWS),
  );
}

/** Lists what is sold out, folded unless `isOpen`. @param date only of this day; by default of all days */
function soldOutList(flights: readonly SoldOutView[] = [], date = '', isOpen = false): Child {
  const lines = flights
    .filter(({ departs }) => departs.startsWith(date))
    .map((sold) =>
      [
        showDay(sold.departs),
        timeSpan(sold.departs, sold.arrives),
        withVehicle(sold.flight),
        cabinName(sold.class),
      ].join(' · '),
    );
  return lines.length > 0 ? foldedPart(`${lines.length} sold out`, list('soft', lines), isOpen) : '';
}

/**
 * Draws the departures of one leg that is sold by itself, or of the whole trip. With several days, shows those of one day, and a strip
 * of days that redraws the cards.
 * @param leg from 1; 0 for the whole trip
 * @param wantedDay the day that the search was for
 */
function departuresSection(
  data: SearchData,
  leg: number,
  rows: readonly OfferRow[],
  wantedDay: string | undefined,
): HTMLElement {
  const byDay = Map.groupBy(rows, ({ offer }) => departureDay(offer));
  const lowestTotal = lowest(rows.map(({ offer }) => offer.total));
  const cards = el('div');
  const draw = (date?: string) => {
    const rowsOfDay = date === undefined ? rows : (byDay.get(date) ?? []);
    const departures = Map.groupBy(rowsOfDay, ({ offer: { legs } }) => `${legs[0].departs} ${flightNumbers(legs[0])}`);
    // A group has at least one row.
    const groups = [...departures.values()] as [OfferRow, ...OfferRow[]][];
    const departureCards = groups.map((group) => departureCard(data, group, lowestTotal));
    // What is sold out names no leg: it is listed once, with the first.
    const soldOut = leg > 1 ? '' : soldOutList(data.sold_out, date);
    fill(cards, listWithMore('cards', departureCards, MOST_CARDS), soldOut);
  };
  // Offers come cheapest first, and so do the first offers of their days.
  const cheapestFirst = [...byDay].map(([date, [best]]) => ({ date, total: best?.offer.total }));
  const shownDate = (cheapestFirst.find(({ date }) => date === wantedDay) ?? cheapestFirst[0])?.date;
  const days = cheapestFirst.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const title = leg > 0 ? `Direction ${leg}` : 'Offers';
  const hasSeveralDays = days.length > 1;
  draw(hasSeveralDays ? shownDate : undefined);
  return el(
    'section',
    { 'aria-label': title },
    leg > 0 ? el('h2', {}, title) : '',
    hasSeveralDays ? strip(days, shownDate, draw) : '',
    cards,
  );
}

/** `Makkah to Madinah and back`. */
function tripTitle(first: Partial<Leg>, last = first): string {
  const { from, to } = first;
  if (!from || !to) return 'Fares';
  return routeText(from, to) + (last !== first && last.to === from ? ' and back' : '');
}

const nothingToChoose = (why: string): Child => [
  paragraph(why, 'big'),
  paragraph('Ask the assistant for another day or class.'),
];

/** Draws the offers of a search. */
function drawSearch(data: SearchData, input: ToolInput): Child {
  chosenOffers.clear();
  const { currency, sold_out: soldOut = [] } = data;
  const offers = fullOffers(data);
  const [first] = offers;
  if (!first) {
    return [
      viewHead(tripTitle({ ...soldOut[0], ...data.common?.legs?.[0] }), data),
      nothingToChoose(soldOut.length > 0 ? 'All sold out' : 'Nothing found'),
      soldOutList(soldOut, '', true),
    ];
  }
  const allRows = offers.map((offer) => ({ offer, facts: fareFacts(offer, currency) }));
  const commonFacts = (allRows[0]?.facts ?? []).filter((fact) => allRows.every(({ facts }) => facts.includes(fact)));
  // What every fare offers is said once, above them.
  const rows = allRows.map(({ offer, facts }) => ({
    offer,
    facts: facts.filter((fact) => !commonFacts.includes(fact)),
  }));
  const rowsByLeg = [...Map.groupBy(rows, ({ offer }) => legNumber(offer))].sort(([a], [b]) => a - b);
  const days = new Set(offers.map(departureDay));
  const wantedLegs = input.legs as readonly { date?: string }[] | undefined;
  return [
    viewHead(
      tripTitle(first.legs[0], first.legs.at(-1)),
      data,
      `${days.size > 1 ? '' : `${showDay(first.legs[0].departs)} · `}${currency} · local times`,
    ),
    softParagraph(data.summary),
    commonFacts.length > 0 ? softParagraph(`Every fare: ${commonFacts.join(' · ')}.`) : '',
    rowsByLeg.map(([leg, rowsOfLeg]) =>
      departuresSection({ ...data, offers }, leg, rowsOfLeg, wantedLegs?.[Math.max(leg - 1, 0)]?.date),
    ),
  ];
}

type DatesData = ResultData & DatesResult;
type DatesDay = DatesData['days'][number];

/** Draws the pressed day: its price, what it buys, and the button that chooses it. */
function dayCard({ currency }: DatesData, day: DatesDay, lowestTotal: number): HTMLElement {
  const dayText = showDay(day.date);
  const price = moneyText(currency, day.total ?? '');
  // The tool writes a trip as `HHR0120 22:26-23:18, back Thu 17 Dec HHR0105 09:24-10:16`.
  const about = capitalized(withVehicle(day.trip?.replace(', back', ' · back') ?? ''));
  const button = el('button', { class: 'go' }, `Choose ${dayText}`);
  button.onclick = () => {
    const offer = day.offer_id ? ours`, offer ${day.offer_id}` : ours``;
    sayChoice(ours`I choose ${dayText}, for ${price}${offer}.`, button);
  };
  return el(
    'div',
    { class: 'card day' },
    el(
      'div',
      {},
      el('h2', {}, dayText),
      paragraph(
        [price, readAmount(day.total) === lowestTotal ? el('small', { class: 'lowest' }, ' lowest') : ''],
        'big',
      ),
      softParagraph(about),
    ),
    button,
  );
}

/** Draws the lowest price of each day. */
function drawDates(data: DatesData): Child {
  const { days, currency, cheapest, skipped = 0, no_service: noService = [] } = data;
  const priced = days.filter(({ total }) => total);
  const lowestTotal = lowest(priced.map(({ total }) => total));
  const cheapestDays = priced.filter(({ total }) => readAmount(total) === lowestTotal);
  const pressedDay = priced.find(({ date }) => date === cheapest?.date) ?? cheapestDays[0];
  const title = data.from ? `Cheapest days, ${routeText(data.from, data.to)}` : 'Cheapest days';
  if (!pressedDay) {
    return [viewHead(title, data), nothingToChoose('No day has a seat left')];
  }
  const card = el('section', { 'aria-label': 'Chosen day' });
  const showDayCard = (date: string) => {
    const day = days.find((pricedDay) => pricedDay.date === date);
    if (day) fill(card, dayCard(data, day, lowestTotal));
  };
  showDayCard(pressedDay.date);
  const when = cheapestDays.length === 1 ? showDay(pressedDay.date) : `${cheapestDays.length} days`;
  return [
    viewHead(title, data, `From ${moneyText(currency, pressedDay.total ?? '')} on ${when}. Totals for everybody.`),
    el('div', { class: 'dates' }, strip(days, pressedDay.date, showDayCard)),
    card,
    skipped > 0 ? softParagraph(`${countText(skipped, 'day')} not searched yet: ask the assistant to go on.`) : '',
    softParagraph(`The cheapest ${vehicleWord()} of each day.`),
    noService.length > 0
      ? softParagraph(
          `Not in the timetable: ${noService.map((span) => span.split('/').map(showDay).join(' to ')).join(', ')}. A search can still find some.`,
        )
      : '',
  ];
}

startView<SearchData | DatesData>((data, input) => ('days' in data ? drawDates(data) : drawSearch(data, input)));
