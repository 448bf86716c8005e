/** A booking as text: every ref that another tool needs, in aligned lines. */
import { couponCounts, orderStatus, segmentStatusWord } from '../../domain/booking/status-codes.ts';
import { showLeft } from '../../domain/time-and-text/times.ts';
import type { BookingView } from './booking-schema.ts';
import { table } from './table.ts';
import { showDeadline, showSpan } from './times.ts';

export function bookingText(view: BookingView): string {
  return [
    headline(view),
    ...referenceLines(view),
    ...section('Segments', segmentLines(view)),
    ...section('Passengers', passengerLines(view)),
    ...ticketLines(view),
    ...unnamedLines(view),
    ...contactLines(view),
    ...orderLines(view),
    ...deadlineLines(view),
    ...section('Refund rules', ruleLines(view)),
    ...allowedLines(view),
    ...pendingLines(view),
  ].join('\n');
}

function pendingLines({ pending_operation: open }: BookingView): string[] {
  return open ? [`Open operation: ${open.tool} ${open.operation_id}: outcome not known yet.`] : [];
}

function headline(view: BookingView): string {
  const price = view.total === undefined ? 'no price sent' : `${view.currency} ${view.total}`;
  const paid = view.paid === undefined ? '' : `, paid ${view.paid}`;
  const group = view.group_name === undefined ? '' : `, group ${view.group_name}`;
  return `Booking ${view.locator}${group}: ${view.state} (${view.state_basis}), ${price}${paid}`;
}

/** Locators in other systems; an operator can have one for each segment. */
function referenceLines({ locator, references }: BookingView): string[] {
  const others = references.filter((reference) => reference.locator !== locator);
  const told = others.map(({ system, locator: name, segment_refs: refs }) => {
    const where = refs === undefined ? '' : ` (segment ${refs.join(', ')})`;
    return `${system === undefined ? '' : `${system} `}${name}${where}`;
  });
  return told.length === 0 ? [] : [`Also known as: ${told.join('; ')}`];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function segmentLines(view: BookingView): string[] {
  return table(
    view.segments.map((segment) => [
      segment.ref,
      segment.flight,
      `${segment.from}-${segment.to}`,
      showSpan(segment.departs, segment.arrives),
      segment.class,
      segment.status === 'other' ? segmentStatusWord(segment.status_code) : segment.status,
    ]),
  );
}

function passengerLines(view: BookingView): string[] {
  return table(
    view.passengers.map((passenger) => [
      passenger.ref,
      passenger.type,
      passenger.name,
      passenger.with_adult_ref === undefined ? '' : `with ${passenger.with_adult_ref}`,
      passenger.tickets.map(ticketText).join('; '),
      documentText(passenger.document),
    ]),
  );
}

/** Empty for a masked number, which helps no reader. */
function documentText(document: BookingView['passengers'][number]['document']): string {
  if (document?.number === undefined) return '';
  const { type, number, nationality = '?', expires = '?' } = document;
  return `${type.replace('_', ' ')} ${number} (${nationality}, expires ${expires})`;
}

function ticketText(ticket: BookingView['passengers'][number]['tickets'][number]): string {
  const coupons = ticket.coupons.map((coupon) => {
    const where = [coupon.coach && `coach ${coupon.coach}`, coupon.seat && `seat ${coupon.seat}`].filter(Boolean);
    return [`${coupon.segment_ref ?? '?'} ${coupon.status}`, ...where].join(' ');
  });
  return coupons.length === 0 ? `ticket ${ticket.number}` : `ticket ${ticket.number} (${coupons.join(', ')})`;
}

/** Where the tickets are. */
function ticketLines({ passengers }: BookingView): string[] {
  const tickets = passengers.flatMap((passenger) => passenger.tickets);
  const isGood = ({ coupons }: (typeof tickets)[number]) =>
    coupons.length === 0 || coupons.some(({ status_code: code }) => couponCounts(code));
  return tickets.some(isGood) ? ['Tickets as PDF: get_tickets'] : [];
}

function unnamedLines(view: BookingView): string[] {
  if (view.unnamed === undefined) return [];
  const { passenger_refs: refs, until } = view.unnamed;
  const by = until === undefined ? '' : ` by ${until}`;
  const names = view.allowed.change_names;
  const how = names?.ok
    ? `names them, in parts if need be${by}`
    : `cannot name them now${names?.why ? `: ${names.why}` : ''}`;
  return [
    `Not named yet: ${refs.length} of ${view.passengers.length} passengers (${refs.join(', ')}); change_names ${how}`,
  ];
}

function orderLines(view: BookingView): string[] {
  const orders = (view.orders ?? []).filter(({ amount }) => amount !== undefined);
  return section(
    'Orders',
    table(
      orders.map(({ direction, currency, amount, status }) => [
        direction === 'REFUND' ? 'refund' : direction === 'PAYMENT' ? 'payment' : (direction ?? ''),
        `${currency} ${amount}`,
        orderStatus(status),
      ]),
    ),
  );
}

function contactLines(view: BookingView): string[] {
  if (view.contact === undefined) return [];
  const { name, email_masked, email, phone_masked, phone } = view.contact;
  const told = [name, email_masked ?? email, phone_masked ?? phone].filter(Boolean);
  return told.length === 0 ? [] : [`Contact: ${told.join(', ')}`];
}

function deadlineLines(view: BookingView): string[] {
  const { pay_by, names_until, cancel_until, next } = view.deadlines;
  const limits = [
    pay_by && `pay by ${pay_by}`,
    names_until && `names until ${names_until}`,
    cancel_until && `cancel until ${cancel_until}`,
  ].filter(Boolean);
  if (limits.length === 0) return [];
  const first = next ? ` (next: ${next.what} in ${showLeft(next.in_minutes)})` : '';
  return [`Deadlines: ${limits.join(', ')}${first}`];
}

type RuleView = NonNullable<BookingView['rules']>[number];

/** One line for equal rules of several passenger types or segments. */
function ruleLines(view: BookingView): string[] {
  const near = view.segments[0]?.departs;
  const rules = (view.rules ?? []).filter((rule) => rule.kind === 'refund');
  const words = (rule: RuleView) => [
    keptText(rule),
    rule.from === undefined ? '' : `from ${showDeadline(rule.from, near)}`,
    rule.until === undefined ? '' : `until ${showDeadline(rule.until, near)}`,
    rule.text === undefined ? '' : `airline's text: ${rule.text}`,
  ];
  return table(
    [...Map.groupBy(rules, (rule) => words(rule).join('|')).values()].map((same) => {
      const refs = [...new Set(same.flatMap(({ segment_refs = [] }) => segment_refs))];
      const types = [...new Set(same.map(({ passenger_type: type }) => type))].join(',');
      return [types, refs.length > 0 ? `segment ${refs.join(',')}` : '', ...words(same[0] as RuleView)];
    }),
  );
}

function keptText({ refundable, currency, total, tax }: RuleView): string {
  if (!refundable) return 'not refundable';
  if (Number(total) === 0) return 'free';
  return `keeps ${currency} ${total} per person and segment${Number(tax) === 0 ? '' : ', tax included'}`;
}

function allowedLines(view: BookingView): string[] {
  const acts = Object.entries(view.allowed);
  const may = acts.filter(([, permission]) => permission.ok).map(([name]) => name);
  const not = acts.filter(([, permission]) => !permission.ok).map(([name, { why }]) => `${name} (${why})`);
  return [
    `Allowed now: ${may.length > 0 ? may.join(', ') : 'nothing'}`,
    ...(not.length > 0 ? [`Not allowed: ${not.join('; ')}`] : []),
  ];
}
