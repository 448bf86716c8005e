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
    question: 'What was refunded, what kept, and what is still to come?',
    sql: 'select currency, sum(refunded) as refunded, sum(kept) as kept, sum(still_to_come) as still_to_come, sum(still_to_come is null) as not_known from booking where refunded is not null group by currency',
  },
  {
    question: 'Who travels tomorrow, any leg?',
    sql: "select s.departs_at, s.train, s.from_name, s.to_name, s.locator, b.passengers, b.unnamed from segment s join booking b using (locator) where s.departs_on = date('now', '+1 day') and s.status <> 'cancelled' and b.state in ('ticketed', 'partly_cancelled') order by s.departs_at",
  },
  {
    question: 'Which holds lapse today?',
    sql: "select locator, contact, passengers, total, currency, pay_by from booking where state in ('held', 'partly_cancelled') and pay_by_on = date('now') order by pay_by",
  },
  {
    question: 'What is in doubt, and since when?',
    sql: 'select tool, locator, asked_by, open_minutes, approved_amount, currency from operation where open_minutes is not null order by open_minutes desc',
  },
];
