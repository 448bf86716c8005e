import { own } from '../core/own.ts';

/** Columns that the views had in 0.3.0, and what to write now. */
const FORMER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  booking: {
    adults: 'passenger.type',
    children: 'passenger.type',
    infants: 'passenger.type',
    total: 'price',
    made_on: 'date(made_at)',
    departs_on: 'date(departs_at)',
    pay_by_on: 'date(pay_by)',
    lapsed_on: 'date(lapsed_at)',
    returns_on: 'segment.departs_on',
    class: 'segment.class',
    kept: 'operation.kept',
    attention: 'list_bookings with needs_attention',
  },
  segment: { fare: 'operation_leg.fare' },
  passenger: { unnamed: 'booking.unnamed' },
  operation: {
    adults: 'passengers - children - infants',
    approved_amount: 'approved_at_most',
    departs_on: 'date(departs_at)',
    fare: 'operation_leg.fare',
    unnamed: 'booking.unnamed',
    channel: 'question.channel, joined by id',
    asked_at: 'question.asked_at, joined by id',
    answered_at: 'question.answered_at, joined by id',
    settled_by: 'history.what',
  },
  operation_leg: { class: 'operation.class' },
  question: { amount: 'asked_amount', asked_on: 'date(asked_at)', plan: "tool = 'run_plan'" },
  change: { seen_on: 'date(seen_at)', route: 'booking.route' },
  failure: { on_day: 'date(hour_at)', last_at: 'hour_at', locator: "question, decision = 'lapsed'" },
};

/** Says what to write for a column that a view of the statement had once. */
export function formerColumn(column: string, sql: string): string | undefined {
  const statement = sql.toLowerCase();
  for (const [view, columns] of Object.entries(FORMER)) {
    const now = own(columns, column);
    if (now !== undefined && statement.includes(view))
      return `The view ${view} no longer has the column ${column}: use ${now}.`;
  }
  return undefined;
}
