/** The outcome of an act in words, for the person who decided: from the journal, and what was kept with the approval. */

import type { Money } from '../core/money.ts';
import { sameMoney, showMoney } from '../core/money.ts';
import type { NameChange } from '../domain/booking/expected-change.ts';
import type { Operation } from '../journal/operation.ts';
import { locatorOf } from '../journal/operation.ts';
import type { TicketFact } from './outcome-facts.ts';
import type { Approval } from './ports.ts';

/** `Paid SAR 1,423.00`, `Cancelled; SAR 562.00 comes back`, `Names changed`. */
export function doneTitle(operation: Operation): string {
  const { subject, outcome } = operation;
  switch (subject.kind) {
    case 'pay':
      return `Paid ${showMoney(subject.amount)}`;
    case 'cancel_segments':
      return `Cancelled; ${comesBack(outcome)}`;
    case 'cancel_passengers':
      return `${count(subject.gone, 'passenger')} removed; ${comesBack(outcome)}`;
    case 'cancel_booking':
      return 'The hold is released; nothing was paid';
    case 'change_names':
      return namesTitle(subject.changes);
    case 'update_passengers':
      return 'Passenger details changed';
    case 'update_contact':
      return 'Contact changed';
    case 'assign_seats':
      return subject.seats.length === 1 ? 'Seat changed' : 'Seats changed';
    case 'rebook_segment':
      return `Rebooked${outcome?.charge === undefined ? '' : `; ${showMoney(outcome.charge.amount)} charged`}`;
    case 'split_booking':
      return `${count(subject.moved, 'passenger')} moved to a booking of their own`;
    case 'create':
      return 'Held; nothing is paid yet';
  }
}

function namesTitle(changes: readonly NameChange[]): string {
  const renamed = changes.filter(({ details }) => details.includes('name'));
  if (renamed.length === 0) return 'Passenger details changed';
  return renamed.length === 1 ? 'Name changed' : 'Names changed';
}

/** Which booking, what comes back, and what is new. Tickets are apart ({@link ticketsOf}). */
export function doneLines({ after }: Approval, operation: Operation): readonly string[] {
  const { outcome } = operation;
  const locator = locatorOf(operation);
  return [
    ...(locator === undefined ? [] : [`Booking ${locator}`]),
    ...(outcome?.newLocator === undefined ? [] : [`New booking ${outcome.newLocator}`]),
    ...(after?.changes ?? []),
    ...moneyLines(operation),
  ];
}

/** With names while they are kept; afterwards the numbers alone. */
export function ticketsOf({ after }: Approval, { outcome }: Operation): readonly TicketFact[] {
  const kept = after?.tickets ?? [];
  if (kept.length > 0) return kept;
  return (outcome?.tickets ?? []).map(({ number }) => ({ number, rides: [] }));
}

/** For a terminal, one line. */
export function ticketLine({ number, passenger, rides }: TicketFact): string {
  return [`Ticket ${number}`, passenger, ...rides].filter((part) => part !== undefined).join('; ');
}

type Refunding = Pick<NonNullable<Operation['outcome']>, 'refund' | 'estimate'>;

function comesBack({ refund, estimate }: Refunding = {}): string {
  if (refund !== undefined) return backText(refund.amount);
  if (estimate?.amount !== undefined) return `${aboutText(estimate.amount)} (estimate)`;
  return 'the refund is not known yet';
}

const backText = (amount: Money) => (amount.minor === 0 ? 'nothing comes back' : `${showMoney(amount)} comes back`);
const aboutText = (amount: Money) =>
  amount.minor === 0 ? 'nothing comes back' : `about ${showMoney(amount)} comes back`;

/** What the airline stated is apart from what was estimated. */
function moneyLines({ subject, outcome = {} }: Operation): readonly string[] {
  const { refund, estimate } = outcome;
  if (!('refundsBefore' in subject)) return [];
  const guess = estimate?.amount === undefined ? [] : [`The estimate was ${showMoney(estimate.amount)}.`];
  if (refund === undefined) {
    const between = estimate?.bounds;
    const range = between && [`It is between ${showMoney(between.atLeast)} and ${showMoney(between.atMost)}.`];
    return subject.kind === 'rebook_segment'
      ? []
      : ['The airline has not stated the refund.', ...guess, ...(range ?? [])];
  }
  const parts = [
    refund.penalty && `${showMoney(refund.penalty)} penalty`,
    refund.vat && `${showMoney(refund.vat)} VAT`,
  ].filter((part) => part !== undefined);
  const keeps = parts.length === 0 ? '' : ` It keeps ${parts.join(' and ')}.`;
  if (sameMoney(refund.amount, estimate?.amount)) {
    return [`The airline states a refund of ${showMoney(refund.amount)}, as estimated.${keeps}`];
  }
  return [`The airline states a refund of ${showMoney(refund.amount)}.${keeps}`, ...guess];
}

function count({ length }: readonly unknown[], what: string): string {
  return `${length} ${what}${length === 1 ? '' : 's'}`;
}
