/** Fares of one search, or the lowest of each day. Choosing one tells the model; it books nothing. */
import { choose, start } from '../shared/bridge.ts';
import { type Child, el, facts, head, join, lasts, list, one, span, when } from '../shared/dom.ts';
import type { Data } from '../shared/result.ts';

interface Flight {
  readonly flight: string;
  readonly from: string;
  readonly to: string;
  readonly departs: string;
  readonly class: string;
  readonly seats_left?: number;
}

interface Leg {
  readonly from: string;
  readonly to: string;
  readonly departs: string;
  readonly arrives: string;
  readonly duration_minutes?: number;
  readonly segments: readonly Flight[];
}

interface Offer {
  readonly offer_id: string;
  readonly total: string;
  readonly leg?: number;
  readonly legs: readonly [Leg, ...Leg[]];
  readonly per_type: readonly { readonly count: number; readonly type: string; readonly total: string }[];
  readonly refund: { readonly text: string };
  readonly baggage?: string;
  readonly pay_by?: string;
  readonly fare_basis: readonly string[];
  readonly notes?: readonly string[];
}

interface Day {
  readonly date: string;
  readonly total?: string;
  readonly flight?: string;
  readonly offer_id?: string;
}

interface Fares extends Data {
  readonly currency: string;
  readonly offers: readonly Offer[];
  readonly total_found: number;
  readonly sold_out?: readonly Flight[];
  readonly valid_until?: string;
  readonly understood?: string;
  readonly days?: readonly Day[];
  readonly searched: number;
  readonly skipped: number;
  readonly cheapest?: { readonly date: string };
}

/** What can be chosen, or a date on which nothing is offered. */
interface Card {
  readonly date: string;
  readonly name?: string;
  readonly words?: string;
  readonly price?: string;
  readonly total?: string;
  readonly leg?: number;
  readonly body?: Child;
  cheapest?: boolean;
}

const chooseText = (pressed: boolean) => (pressed ? 'Chosen' : 'Choose');

/** What is chosen by leg: an airline may sell each leg separately. */
const chosen = new Map<number, Card>();

const amount = (total?: string) => Number(/[\d.]+$/.exec(total ?? '')?.[0] ?? Number.NaN);
const dayName = (date: string) =>
  new Date(`${date}T00:00Z`).toLocaleDateString('en-GB', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });
const cheapestOf = (cards: readonly Card[]) =>
  Math.min(...cards.map(({ total }) => amount(total)).filter((each) => each >= 0));

function pick(card: Card, button: HTMLButtonElement): void {
  chosen.set(card.leg ?? 0, card);
  for (const other of document.querySelectorAll<HTMLButtonElement>('button[data-leg]')) {
    if (other.dataset.leg !== button.dataset.leg) continue;
    other.setAttribute('aria-pressed', String(other === button));
    other.textContent = chooseText(other === button);
  }
  const all = [...chosen].sort(([a], [b]) => a - b).map(([, each]) => each);
  const names = all.map(({ name, words }) => `${name} (${words})`).join(' and ');
  choose(`User chose ${names}. Nothing is booked: confirm with the user before create_booking.`, names);
}

function cardOf(card: Card): HTMLElement {
  const pressed = chosen.get(card.leg ?? 0) === card;
  const label = `Choose ${card.name}: ${card.words}`;
  const click = ({ currentTarget }: Event) => pick(card, currentTarget as HTMLButtonElement);
  const leg = String(card.leg ?? 0);
  const attributes = { 'aria-pressed': String(pressed), 'aria-label': label, 'data-leg': leg, click };
  return el(
    'article',
    { class: 'card' },
    el('p', { class: 'price' }, card.price, card.cheapest ? el('span', { class: 'best' }, 'cheapest') : ''),
    card.body,
    el('button', attributes, chooseText(pressed)),
  );
}

function legLines(leg: Leg): HTMLElement {
  const { segments } = leg;
  const seats = segments.flatMap((each) => each.seats_left ?? []);
  const about = [
    segments.map((each) => each.flight).join(' + '),
    leg.duration_minutes === undefined ? '' : lasts(leg.duration_minutes),
    `class ${[...new Set(segments.map((each) => each.class))].join('/')}`,
    seats.length > 0 ? `${Math.min(...seats)} seats left` : '',
  ];
  return el(
    'div',
    { class: 'leg' },
    el('p', { class: 'soft' }, `${dayName(leg.departs.slice(0, 10))} · ${leg.from} – ${leg.to}`),
    el('p', { class: 'times' }, span(leg.departs, leg.arrives)),
    el('p', { class: 'soft' }, join(about, ' · ')),
  );
}

function offerCard(offer: Offer, currency: string): Card {
  const price = `${currency} ${offer.total}`;
  const [first] = offer.legs;
  const body = [
    ...offer.legs.map(legLines),
    facts([
      ['For', offer.per_type.map((row) => `${row.count} ${row.type} ${row.total}`).join(', ')],
      ['Refund', offer.refund.text],
      ['Baggage', offer.baggage ?? 'not stated'],
      ['Pay by', when(offer.pay_by) ?? 'not stated'],
      ['Fare', offer.fare_basis.join(', ')],
      ['Note', offer.notes?.join(' ')],
    ]),
  ];
  const flights = offer.legs.map((leg) => `${leg.segments.map((each) => each.flight).join('+')} ${when(leg.departs)}`);
  const words = `${flights.join(', ')}, ${price}`;
  const { total, leg, offer_id: id } = offer;
  const date = first.departs.slice(0, 10);
  return { name: `offer ${id}`, words, price, total, ...(leg !== undefined && { leg }), date, body };
}

function dayCard(day: Day, currency: string): Card {
  if (day.total === undefined) return { date: day.date };
  const price = /^\d/.test(day.total) ? `${currency} ${day.total}` : day.total;
  const body = [
    el('p', { class: 'times' }, dayName(day.date)),
    facts([
      ['Flight', day.flight],
      ['Offer', day.offer_id],
    ]),
  ];
  const name = day.offer_id === undefined ? `the day ${day.date}` : `offer ${day.offer_id}`;
  return { name, words: `${day.date}, ${price}`, price, total: day.total, date: day.date, body };
}

/** One column per day, higher if dearer. Pressing one shows only that day. */
function strip(cards: readonly Card[], shown: string | undefined, onDay: (date?: string) => void): HTMLElement {
  const days = [...Map.groupBy(cards, (card) => card.date)].sort(([a], [b]) => (a < b ? -1 : 1));
  const lows = days.map(([, own]) => cheapestOf(own));
  const known = lows.filter(Number.isFinite);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const column = ([date, own]: readonly [string, readonly Card[]], i: number) => {
    const least = lows[i] ?? Number.NaN;
    const bar = el('span', { class: least === low ? 'bar low' : 'bar' });
    bar.style.height = `${Number.isFinite(least) ? 0.5 + (2 * (least - low)) / (high - low || 1) : 0}rem`;
    const click = ({ currentTarget }: Event) => {
      const button = currentTarget as HTMLButtonElement;
      const on = button.getAttribute('aria-pressed') !== 'true';
      for (const other of button.closest('ul')?.querySelectorAll('button') ?? []) {
        other.setAttribute('aria-pressed', String(on && other === button));
      }
      onDay(on ? date : undefined);
    };
    const price = own.find(({ total }) => amount(total) === least)?.total;
    const label = `${dayName(date)}: ${price ? `from ${price}` : 'nothing offered'}`;
    const pressed = String(date === shown);
    return el(
      'button',
      { 'aria-pressed': pressed, 'aria-label': label, disabled: !price, click },
      bar,
      price ?? 'none',
      el('small', {}, dayName(date)),
    );
  };
  return el('nav', { 'aria-label': 'Lowest price by date' }, list('strip', days.map(column)));
}

/** The cards of one leg, or of all. `fill` shows those of one day, or all again. */
function cardsOf(leg: number, own: readonly Card[]) {
  const cards = el('ul', { class: 'cards' });
  const fill = (date?: string) =>
    cards.replaceChildren(
      ...own
        .filter((card) => card.total !== undefined && (date === undefined || card.date === date))
        .map((card) => el('li', {}, cardOf(card))),
    );
  const title = leg === 0 ? '' : el('h2', {}, `Leg ${leg}, sold by itself`);
  return {
    fill,
    section: el('section', { 'aria-label': leg === 0 ? 'Offers' : `Offers of leg ${leg}` }, title, cards),
  };
}

function legSection([leg, own]: readonly [number, readonly Card[]], day: string | undefined): HTMLElement {
  const { fill, section } = cardsOf(leg, own);
  const low = cheapestOf(own);
  for (const card of own) card.cheapest = own.length > 1 && amount(card.total) === low;
  fill(day);
  const dates = new Set(own.map(({ date }) => date));
  if (dates.size > 1) one('.cards', section).before(strip(own, day, fill));
  return section;
}

start<Fares>('fares', (data) => {
  chosen.clear();
  const { currency, days, offers, sold_out: out = [] } = data;
  const note = days
    ? `${data.searched} days searched, ${data.skipped} left. Lowest total of each day, in ${currency}.`
    : `${offers.length} of ${data.total_found} offers, cheapest first. Totals are for all passengers.`;
  const cards = days ? days.map((day) => dayCard(day, currency)) : offers.map((offer) => offerCard(offer, currency));
  const legs = [...Map.groupBy(cards, ({ leg }) => leg ?? 0)].sort(([a], [b]) => a - b);
  const gone = out.map((each) => `${each.flight} ${each.from} – ${each.to} ${when(each.departs)}`);
  return [
    head(days ? 'Cheapest dates' : 'Fares', data, note),
    data.understood ? el('p', {}, data.understood) : '',
    legs.map((leg) => legSection(leg, data.cheapest?.date)),
    gone.length > 0 ? [el('h2', {}, 'Sold out'), list('soft', gone)] : [],
    data.valid_until ? el('p', { class: 'soft' }, `Offers hold until ${when(data.valid_until)}.`) : '',
  ];
});
