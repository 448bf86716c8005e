/** Fares side by side: of one search, or the lowest of each day. Choosing tells the model, and books nothing. */
import { choose, start } from '../shared/bridge.js';
import { el, facts, head, lasts, list, show, span, when } from '../shared/dom.js';
import { told } from '../shared/outcome.js';

/** By leg, what is chosen: an airline may sell each leg by itself. */
const chosen = new Map();

const amount = (total) => Number(/[\d.]+$/.exec(total ?? '')?.[0] ?? Number.NaN);
const dayOf = (date) => new Date(`${date}T00:00Z`);
const dayName = (date) =>
  dayOf(date).toLocaleDateString('en', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' });

function pick(card, button) {
  chosen.set(card.leg ?? 0, card);
  for (const other of document.querySelectorAll('button[data-leg]')) {
    if (other.dataset.leg === button.dataset.leg) other.setAttribute('aria-pressed', String(other === button));
  }
  const all = [...chosen].sort(([a], [b]) => a - b).map(([, each]) => each);
  const names = all.map(({ name, words }) => `${name} (${words})`).join(' and ');
  choose(`User chose ${names}. Nothing is booked: confirm with the user before create_booking.`, names);
}

function cardOf(card) {
  const pressed = String(chosen.get(card.leg ?? 0) === card);
  const label = `Choose ${card.name}: ${card.words}`;
  const click = ({ currentTarget }) => pick(card, currentTarget);
  const attributes = { 'aria-pressed': pressed, 'aria-label': label, 'data-leg': String(card.leg ?? 0), click };
  return el(
    'article',
    { class: 'card' },
    el('p', { class: 'price' }, card.price, card.cheapest ? el('span', { class: 'best' }, 'cheapest') : ''),
    card.body,
    el('button', attributes, 'Choose'),
  );
}

function legLines(leg) {
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
    el('p', { class: 'soft' }, `${dayName(leg.departs.slice(0, 10))} · ${leg.from} → ${leg.to}`),
    el('p', { class: 'times' }, span(leg.departs, leg.arrives)),
    el('p', { class: 'soft' }, about.filter(Boolean).join(' · ')),
  );
}

function offerCard(offer, currency, best) {
  const price = `${currency} ${offer.total}`;
  const [first] = offer.legs;
  const body = [
    ...offer.legs.map(legLines),
    facts([
      ['Leg', offer.leg && `${offer.leg}, sold by itself`],
      ['For', offer.per_type.map((row) => `${row.count} ${row.type} ${row.total}`).join(', ')],
      ['Refund', offer.refund_note ?? 'not stated'],
      ['Baggage', offer.baggage ?? 'not stated'],
      ['Pay by', when(offer.pay_by) ?? 'not stated'],
      ['Fare', offer.fare_basis.join(', ')],
      ['Note', offer.notes?.join(' ')],
    ]),
  ];
  const flights = offer.legs.map((leg) => `${leg.segments.map((each) => each.flight).join('+')} ${when(leg.departs)}`);
  const words = `${flights.join(', ')}, ${price}`;
  const { total, leg, offer_id: id } = offer;
  return { name: `offer ${id}`, words, price, total, leg, date: first.departs.slice(0, 10), cheapest: best, body };
}

function dayCard(day, currency, best) {
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
  return { name, words: `${day.date}, ${price}`, price, total: day.total, date: day.date, cheapest: best, body };
}

/** One column a day, as high as its lowest price; pressing shows that day alone. */
function strip(cards, onDay) {
  const days = [...Map.groupBy(cards, (card) => card.date)].sort(([a], [b]) => (a < b ? -1 : 1));
  const lows = days.map(([, own]) => Math.min(...own.map(({ total }) => amount(total)).filter((each) => each >= 0)));
  const top = Math.max(...lows.filter(Number.isFinite));
  const column = ([date], i) => {
    const known = Number.isFinite(lows[i]);
    const bar = el('span', { class: lows[i] === Math.min(...lows) ? 'bar low' : 'bar' });
    bar.style.height = known ? `${(0.5 + (2.5 * lows[i]) / top).toFixed(2)}rem` : '0';
    const click = ({ currentTarget }) => {
      const on = currentTarget.getAttribute('aria-pressed') !== 'true';
      for (const other of currentTarget.closest('ul').querySelectorAll('button')) {
        other.setAttribute('aria-pressed', String(on && other === currentTarget));
      }
      onDay(on ? date : undefined);
    };
    const price = known ? String(lows[i]) : 'none';
    const label = `${dayName(date)}: ${known ? `from ${price}` : 'nothing offered'}`;
    return el(
      'button',
      { 'aria-pressed': 'false', 'aria-label': label, disabled: !known, click },
      bar,
      price,
      el('small', {}, dayName(date)),
    );
  };
  return el('nav', { 'aria-label': 'Lowest price by date' }, list('strip', days.map(column)));
}

function cardsOf({ currency, offers, days, cheapest }) {
  if (days) return days.map((day) => dayCard(day, currency, day.date === cheapest?.date));
  const low = Math.min(...offers.map(({ total }) => amount(total)));
  return offers.map((offer) => offerCard(offer, currency, offers.length > 1 && amount(offer.total) === low));
}

start('fares', (result) => {
  const data = result.structuredContent;
  if (!data?.offers && !data?.days) return show(told(result));
  const all = cardsOf(data);
  const sold = all.filter(({ total }) => total !== undefined);
  const note = data.days
    ? `${data.searched} days searched, ${data.skipped} left. Lowest total of each day, in ${data.currency}.`
    : `${data.offers.length} of ${data.total_found} offers, cheapest first. Totals for all passengers.`;
  const cards = el('ul', { class: 'cards' });
  const fill = (date) =>
    cards.replaceChildren(
      ...sold.filter((card) => date === undefined || card.date === date).map((card) => el('li', {}, cardOf(card))),
    );
  fill();
  const dates = new Set(all.map(({ date }) => date));
  const gone = (data.sold_out ?? []).map((each) => `${each.flight} ${each.from} → ${each.to} ${when(each.departs)}`);
  show(
    head(data.days ? 'Cheapest dates' : 'Fares', data, note),
    data.understood ? el('p', {}, data.understood) : '',
    dates.size > 1
      ? strip(
          all.filter((card) => (card.leg ?? 1) === 1),
          fill,
        )
      : '',
    el('section', { 'aria-label': 'Offers' }, cards),
    gone.length > 0 ? [el('h2', {}, 'Sold out'), list('soft', gone)] : [],
    data.valid_until ? el('p', { class: 'soft' }, `Offers hold until ${when(data.valid_until)}.`) : '',
  );
});
