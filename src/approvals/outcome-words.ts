/** The outcome of an act in words, for the person who decided: from the journal, and what was kept with the approval. */

import { sameMoney, showMoney } from '../core/money.ts';
import { paymentsBeforeOf, refundsBeforeOf } from '../domain/booking/expected-change.ts';
import type { Operation } from '../journal/operation.ts';
import { locatorOf } from '../journal/operation.ts';
import type { TicketFact } from './outcome-facts.ts';
import type { Approval } from './ports.ts';

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

/** What the airline stated is apart from what was estimated. */
function moneyLines({ subject, outcome = {} }: Operation): readonly string[] {
  const { refund, estimate } = outcome;
  if (refundsBeforeOf(subject) === undefined) return [];
  const guess = estimate?.amount === undefined ? [] : [`The estimate was ${showMoney(estimate.amount)}.`];
  if (refund === undefined) {
    const between = estimate?.bounds;
    const range = between && [`It is between ${showMoney(between.atLeast)} and ${showMoney(between.atMost)}.`];
    // What is charged is refunded only if the airline says so.
    return paymentsBeforeOf(subject) !== undefined
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
