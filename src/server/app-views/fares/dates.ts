/** The lowest price of each day, of find_cheapest_dates. Choosing a day says so in the conversation; it books nothing. */
import { showDay } from '../../../core/times.ts';
import { choose } from '../shared/bridge.ts';
import { type Child, el, head, para, soft } from '../shared/dom.ts';
import { ours } from '../shared/our-words.ts';
import type { ResultData } from '../shared/result.ts';
import { amountOf, lowest, strip } from '../shared/strip.ts';
import { count, kind, money, named, route, upper } from '../shared/words.ts';

interface PricedDay {
  readonly date: string;
  readonly total?: string;
  /** `HHR0120 22:26-23:18, back Thu 17 Dec HHR0105 09:24-10:16`. */
  readonly trip?: string;
  readonly offer_id?: string;
}

export interface Dates extends ResultData {
  readonly currency: string;
  readonly from?: string;
  readonly to?: string;
  readonly days: readonly PricedDay[];
  readonly cheapest?: { readonly date: string };
  readonly skipped?: number;
  readonly no_service?: readonly string[];
}

/** The pressed day: its price, what it buys, and the button that chooses it. */
function dayCard({ currency }: Dates, day: PricedDay, low: number): HTMLElement {
  const price = money(currency, day.total ?? '');
  const about = upper(named(day.trip?.replace(', back', ' · back') ?? ''));
  const button = el('button', { class: 'go' }, `Choose ${showDay(day.date)}`);
  button.onclick = () => {
    const offer = day.offer_id ? ours`, offer ${day.offer_id}` : ours``;
    choose(ours`I choose ${showDay(day.date)}, for ${price}${offer}.`, button);
  };
  return el(
    'div',
    { class: 'card day' },
    el(
      'div',
      {},
      el('h2', {}, showDay(day.date)),
      el('p', { class: 'big' }, price, amountOf(day.total) === low ? el('small', { class: 'lowest' }, ' lowest') : ''),
      soft(about),
    ),
    button,
  );
}

export function dates(data: Dates): Child {
  const { days, currency, cheapest, skipped = 0, no_service: none = [] } = data;
  const priced = days.filter(({ total }) => total);
  const low = lowest(priced.map(({ total }) => total));
  const best = priced.filter(({ total }) => amountOf(total) === low);
  const first = priced.find(({ date }) => date === cheapest?.date) ?? best[0];
  const title = data.from ? `Cheapest days, ${route(data.from, data.to ?? '')}` : 'Cheapest days';
  if (!first) {
    return [
      head(title, data),
      el('p', { class: 'big' }, 'No day has a seat left'),
      para('Ask the assistant for other days or another class.'),
    ];
  }
  const card = el('section', { 'aria-label': 'Chosen day' });
  const fill = (date: string) => {
    const day = days.find((each) => each.date === date);
    if (day) card.replaceChildren(dayCard(data, day, low));
  };
  fill(first.date);
  const when = best.length === 1 ? `on ${showDay(first.date)}` : `on ${best.length} days`;
  return [
    head(title, data, `From ${money(currency, first.total ?? '')} ${when}. Totals for everybody.`),
    el('div', { class: 'dates' }, strip(days, first.date, fill)),
    card,
    skipped > 0 ? soft(`${count(skipped, 'day')} not searched yet: ask the assistant to go on.`) : '',
    soft(`The cheapest ${kind()} of each day.`),
    none.length > 0
      ? soft(
          `Not in the timetable: ${none.map((span) => span.split('/').map(showDay).join(' to ')).join(', ')}. Ask for such a day: a search can still find a ${kind()}.`,
        )
      : '',
  ];
}
