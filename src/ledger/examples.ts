/** The example statements over the views. */

/** An example statement. query_ledger shows it if it is called without `sql`. */
export interface LedgerExample {
  readonly question: string;
  readonly sql: string;
}

export const EXAMPLES: readonly LedgerExample[] = [
  {
    question: 'What did we sell, day by day?',
    sql: "select on_day, count(*) as sales, sum(paid) as sold, currency from operation where act = 'payment' and outcome = 'done' group by on_day, currency order by on_day",
  },
  {
    question: 'What was refunded today, and what kept?',
    sql: "select currency, count(*) as refunds, sum(refunded) as refunded, sum(kept) as kept from operation where refunded is not null and on_day = date('now') group by currency",
  },
  {
    question: 'Which refunds are still to come, of all bookings?',
    sql: 'select locator, contact, refunded, received, still_to_come, currency from booking where refunded > 0 and still_to_come is not 0 order by locator',
  },
  {
    question: 'Who travels tomorrow, any leg?',
    sql: "select departs_at, train, from_name, to_name, locator, contact, passengers from segment where departs_on = date('now', '+1 day') and status <> 'cancelled' and state in ('ticketed', 'partly_cancelled') order by departs_at",
  },
  {
    question: 'Which holds lapse today?',
    sql: "select locator, contact, passengers, price, currency, pay_by from booking where state in ('held', 'partly_cancelled') and date(pay_by) = date('now') order by pay_by",
  },
  {
    question: 'What is in doubt, and since when?',
    sql: 'select tool, locator, asked_by, open_minutes, approved_at_most, currency from operation where open_minutes is not null order by open_minutes desc',
  },
];
