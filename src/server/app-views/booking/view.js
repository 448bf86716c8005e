/** A booking as the airline holds it: what to do by when, flights, people, rules. Nothing can be changed here. */
import { start } from '../shared/bridge.js';
import { el, facts, head, lasts, list, span, when } from '../shared/dom.js';

const LIMITS = { pay_by: 'Pay by', names_until: 'Names until', cancel_until: 'Cancel until' };

const part = (title, items) => (items.length === 0 ? [] : [el('h2', {}, title), list('rows', items)]);

function deadlines({ next, ...limits }) {
  return Object.entries(LIMITS).flatMap(([key, name]) => {
    if (limits[key] === undefined) return [];
    const first = next?.at === limits[key];
    const left = first ? `, in ${lasts(next.in_minutes)}` : '';
    return [el('span', first ? { class: 'next' } : {}, `${name} ${when(limits[key])}${left}`)];
  });
}

function segment(each) {
  const state = each.status === 'active' ? '' : el('span', { class: 'badge' }, each.status);
  const about = [
    each.flight,
    each.operated_by && `operated by ${each.operated_by}`,
    `class ${each.class}`,
    each.fare_basis,
  ];
  return el(
    'div',
    { class: each.status === 'cancelled' ? 'gone' : '' },
    el(
      'p',
      {},
      el('strong', {}, `${each.from} – ${each.to}`),
      ` ${each.departs.slice(0, 10)} `,
      el('b', {}, span(each.departs, each.arrives)),
      ' ',
      state,
    ),
    el('p', { class: 'soft' }, `Segment ${each.ref} · ${about.filter(Boolean).join(' · ')}`),
  );
}

function passenger(each) {
  const coupons = each.tickets.flatMap((ticket) => [
    `ticket ${ticket.number}`,
    ...ticket.coupons.map(({ segment_ref: ref, status, coach, seat }) =>
      [`segment ${ref ?? '?'}: ${status}`, coach && `coach ${coach}`, seat && `seat ${seat}`]
        .filter(Boolean)
        .join(', '),
    ),
  ]);
  const name = each.unnamed ? 'Not named yet' : each.name;
  return el(
    'div',
    {},
    el(
      'p',
      {},
      el('strong', {}, name),
      ` ${each.type}${each.with_adult_ref ? ` with passenger ${each.with_adult_ref}` : ''}`,
    ),
    el('p', { class: 'soft' }, [`Passenger ${each.ref}`, ...coupons].join(' · ')),
  );
}

function rule(each) {
  const where = each.segment_refs ? `, segment ${each.segment_refs.join(', ')}` : '';
  const act = each.kind === 'refund' ? 'Refund' : 'Change';
  const cost = each.refundable
    ? `${each.kind === 'refund' ? 'keeps' : 'costs'} ${each.currency} ${each.total}, tax included`
    : `no ${each.kind}`;
  const time = `${when(each.from) ?? 'From the start'} to ${when(each.until) ?? 'the end'}`;
  return el(
    'div',
    {},
    el('p', {}, `${act} ${each.passenger_type}${where}: ${cost}`),
    el('p', { class: 'soft' }, [time, each.text].filter(Boolean).join(' · ')),
  );
}

function allowed(acts) {
  const named = Object.entries(acts).map(([name, { ok, why }]) => ({ ok, why, name: name.replaceAll('_', ' ') }));
  const may = named.filter(({ ok }) => ok).map(({ name }) => name);
  const not = named.filter(({ ok }) => !ok).map(({ name, why }) => (why ? `${name}: ${why}` : name));
  return facts([
    ['Possible', may.join(', ') || 'nothing'],
    ['Not', not.length > 0 ? list('', not) : ''],
  ]);
}

function notices({ price_changed: price, warnings = [] }, { pending_operation: open }) {
  return [
    ...(price ? [`The price changed: it was ${price.was}, it is now ${price.now}.`] : []),
    ...(open ? [`${open.tool} is still open: its outcome is not known yet.`] : []),
    ...warnings,
  ];
}

start('booking', ({ structuredContent: data }) => {
  const { booking } = data;
  if (!booking?.segments) return undefined;
  const { currency, total, paid, price, contact, baggage } = booking;
  const money = (value) => value && `${currency} ${value}`;
  return [
    head(
      `Booking ${booking.locator}`,
      data,
      [booking.state.replaceAll('_', ' '), booking.group_name].filter(Boolean).join(' · '),
    ),
    list('warn', notices(data, booking)),
    part('Deadlines', deadlines(booking.deadlines)),
    part('Itinerary', booking.segments.map(segment)),
    part('Passengers', booking.passengers.map(passenger)),
    el('h2', {}, 'Price'),
    facts([
      ['Total', money(total) ?? 'not sent'],
      ['Of it', price && `fare ${price.base}, taxes ${price.taxes}, fees ${price.fees}`],
      ['Paid', money(paid)],
      ['Baggage', baggage?.join(', ')],
      [
        'Contact',
        contact &&
          [contact.name, contact.email_masked ?? contact.email, contact.phone_masked ?? contact.phone]
            .filter(Boolean)
            .join(', '),
      ],
    ]),
    part('Rules', (booking.rules ?? []).map(rule)),
    el('h2', {}, 'What can be done now'),
    allowed(booking.allowed),
  ];
});
