/** Ten questions of an operations desk with their statements, asked of the desk that the examples of the tools leave behind. */
import { assertDone } from './examples.ts';
import type { Office } from './office.ts';

const QUESTIONS: readonly (readonly [question: string, sql: string])[] = [
  [
    'What did we sell this month, day by day and by way to pay?',
    `select on_day, payment_type, count(*) as sales,
  sum(paid) as sold, currency
from operation
where act = 'payment' and outcome = 'done'
group by on_day, payment_type, currency order by on_day, payment_type`,
  ],
  [
    'What came back to customers, and what did the airline keep?',
    `select locator, tool, refunded, kept, currency
from operation
where outcome = 'done' and refunded is not null order by at, refunded`,
  ],
  [
    'Who leaves in the next three weeks, on which train?',
    `select departs_at, train, from_name, to_name, locator, passengers
from segment
where departs_on between date('now') and date('now', '+21 days')
  and status <> 'cancelled' and state = 'ticketed'
order by departs_at, locator limit 4`,
  ],
  [
    'Which holds are not paid, and what are they worth?',
    `select locator, contact, passengers, price, currency, pay_by
from booking where state = 'held' order by pay_by limit 3`,
  ],
  [
    'Which group bookings still lack names?',
    `select locator, passengers, unnamed, names_by, departs_at
from booking where unnamed > 0 and state <> 'cancelled'`,
  ],
  [
    'Who said yes to what, and through what?',
    `select approver, channel, tool, count(*) as times
from question where decision = 'yes'
group by approver, channel, tool order by times desc, tool`,
  ],
  [
    'How long do questions wait for an answer?',
    `select decision, count(*) as questions, max(waited_minutes) as longest
from question group by decision order by decision`,
  ],
  [
    'What did the airline change, and who has dealt with it?',
    'select kind, locator, train, departs_on, closed_by, what from change order by seen_at, locator',
  ],
  [
    'What did one exchange cost, and what came back?',
    `select locator, train, paid, refunded, kept, currency
from operation where act = 'exchange'`,
  ],
  [
    'What is in doubt, and for how long?',
    `select tool, locator, asked_by, outcome, open_minutes
from operation where open_minutes is not null order by open_minutes desc, locator`,
  ],
];

/** Each question, its statement, and the answer as a model reads it, without its first line. */
export async function playQuestions(office: Pick<Office, 'call'>): Promise<string> {
  await holdGroup(office);
  const asked: string[] = [];
  for (const [question, sql] of QUESTIONS) {
    const { result } = await office.call('query_ledger', { sql });
    if (result.isError) throw new Error(`${question}: ${result.text}`);
    const [, ...lines] = result.text.split('\n');
    const rows = lines.length === 1 ? [...lines, '(no rows)'] : lines;
    asked.push(`**${question}**`, '', '```sql', sql, '```', '', '```text', ...rows, '```', '');
  }
  return asked.join('\n').trimEnd();
}

/** A group without names, so that two of the questions have something to find. */
async function holdGroup({ call }: Pick<Office, 'call'>): Promise<void> {
  const legs = [{ from: 'QCA', to: 'XMD', date: '2026-12-11' }];
  const { result: search } = await call('search_fares', { legs, passengers: { adults: 8 } });
  const { offers } = search.structured as { offers: readonly { offer_id: string }[] };
  const { result } = await call('create_booking', {
    offer_ids: [offers[0]?.offer_id],
    contact: { given_name: 'Layla', surname: 'Haddad', email: 'layla@haddad.example' },
    passenger_counts: { adults: 8 },
  });
  assertDone('create_booking', result);
}
