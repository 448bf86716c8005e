/** Statements as people write them, by the figure that they want: most give another one. Each is right as it is written, or told. */
import { type Books, type Entry, people, sum, written } from '../sixty/books.ts';
import { dayOn } from '../sixty/people.ts';

/** What the line that tells a statement says. */
export const TOLD = {
  join: /^The join repeats rows/,
  null: /is null in some rows/,
  word: / is never /,
  time: / is written as /,
  range: /^The ends of between/,
  whole: /^Whole numbers/,
  quotes: /wrong quotes: write '/,
} as const;

export interface Wanted {
  readonly figure: string;
  readonly answer: (books: Books) => number;
  /** `right`: it gives the figure, without a hint. */
  readonly statements: readonly (readonly [told: keyof typeof TOLD | 'right', sql: string])[];
}

const SINCE = "on_day >= '2026-10-19'";
const PAID = "act = 'payment' and outcome = 'done'";
const EUR = `o.currency = 'EUR' and o.${SINCE}`;
const since = <T extends { readonly day: string }>(list: readonly T[]) => list.filter(({ day }) => day >= dayOn(1));
const inEur = (list: readonly Entry[]) =>
  written(
    sum(list.filter(({ currency, day }) => currency === 'EUR' && day >= dayOn(1)).map(({ minor }) => minor)),
    'EUR',
  );
const cents = (number: number) => Math.round(number * 100) / 100;
const tenths = (number: number) => Math.round(number * 10) / 10;

const JOINED: readonly Wanted[] = [
  {
    figure: 'EUR that were taken since 19 October',
    answer: ({ paid }) => inEur(paid),
    statements: [
      ['join', `select sum(o.paid) from operation o join segment s using (locator) where ${EUR}`],
      ['join', `select sum(o.paid) from operation o join passenger p on p.locator = o.locator where ${EUR}`],
      ['join', `select round(total(o.paid), 2) from operation o, operation_leg l where l.id = o.id and ${EUR}`],
      [
        'join',
        `with p as (select o.paid as amount from operation o left join passenger p using (locator) where ${EUR}) select sum(amount) from p`,
      ],
      ['join', `select sum(iif(o.paid > 0, o.paid, 0)) from segment s join operation o using (locator) where ${EUR}`],
      ['right', `select sum(o.paid) from operation o join booking b using (locator) where ${EUR}`],
      [
        'right',
        `select sum(o.paid) from operation o where ${EUR} and exists (select 1 from segment s where s.locator = o.locator)`,
      ],
      ['right', `select sum(o.paid) from operation o join segment s using (locator) where ${EUR} and s.n = 1`],
    ],
  },
  {
    figure: 'EUR of an average sale since 19 October',
    answer: ({ sales }) => {
      const ours = since(sales).filter(({ currency }) => currency === 'EUR');
      return cents(inEur(ours) / ours.length);
    },
    statements: [
      [
        'join',
        `select round(avg(o.paid), 2) from operation o join passenger p using (locator) where o.${PAID} and ${EUR}`,
      ],
      ['right', `select round(avg(o.paid), 2) from operation o where o.${PAID} and ${EUR}`],
    ],
  },
];

const NULLS: readonly Wanted[] = [
  {
    figure: 'EUR that were taken since 19 October, less what goes back',
    answer: ({ paid, refunds }) => cents(inEur(paid) - inEur(refunds)),
    statements: [
      ['null', `select sum(o.paid - o.refunded) from operation o where ${EUR}`],
      ['null', `select sum(coalesce(paid, 0) - refunded) from operation o where ${EUR}`],
      ['null', `select sum(-refunded + paid) from operation o where ${EUR}`],
      ['null', `select sum(net) from (select paid - refunded as net from operation o where ${EUR})`],
      ['right', `select sum(paid) - sum(refunded) from operation o where ${EUR}`],
      ['right', `select sum(coalesce(paid, 0) - coalesce(refunded, 0)) from operation o where ${EUR}`],
    ],
  },
  {
    figure: 'bookings made since 19 October, not of a customer who booked before',
    answer: ({ created, all }) => {
      const customer = (one: Entry) => all.find(({ locator }) => locator === one.locator)?.customer;
      const before = created.filter(({ day }) => day < dayOn(1)).map(customer);
      return since(created).filter((one) => customer(one) === undefined || !before.includes(customer(one))).length;
    },
    statements: [
      [
        'null',
        "select count(*) from booking where date(made_at) >= '2026-10-19' and customer not in (select customer from booking where date(made_at) < '2026-10-19')",
      ],
      [
        'null',
        "select count(*) from booking where date(made_at) >= '2026-10-19' and customer not in ('CRM-1001', 'CRM-2001')",
      ],
      [
        'right',
        "select count(*) from booking where date(made_at) >= '2026-10-19' and coalesce(customer, '') not in (select customer from booking where date(made_at) < '2026-10-19')",
      ],
    ],
  },
  {
    figure: 'bookings made before 19 October, not of a customer who booked since 27 October',
    answer: ({ created }) => created.filter(({ day }) => day < dayOn(1)).length,
    statements: [
      [
        'null',
        "select count(*) from booking where made_at < '2026-10-19' and customer not in (select customer from booking where made_at >= '2026-10-27')",
      ],
      [
        'null',
        "select sum(made_at < '2026-10-19' and b.customer not in (select distinct customer from booking where made_at >= '2026-10-27')) from booking b",
      ],
      [
        'right',
        "select count(*) from booking where made_at < '2026-10-19' and customer not in (select customer from booking where made_at >= '2026-10-27' and customer is not null)",
      ],
    ],
  },
];

const ofIda = ({ sales }: Books) => since(sales).filter(({ by }) => by === 'ida').length;
const WORDS: readonly Wanted[] = [
  {
    figure: 'sales of ida since 19 October',
    answer: ofIda,
    statements: [
      ['word', `select count(*) from operation where ${PAID} and asked_by = 'Ida' and ${SINCE}`],
      ['word', `select count(*) from operation where ${PAID} and asked_by like 'ida.%' and ${SINCE}`],
      ['word', `select count(*) from operation where ${PAID} and asked_by glob 'Ida*' and ${SINCE}`],
      ['word', `select count(*) from operation where ${PAID} and upper(asked_by) = 'Ida' and ${SINCE}`],
      ['word', `select count(*) from operation where ${PAID} and trim(asked_by) in ('Ida B.') and ${SINCE}`],
      ['word', `select count(*) from operation where act = 'payments' and asked_by = 'ida' and ${SINCE}`],
      [
        'word',
        `select count(*) from operation where ${PAID} and asked_by = 'ida' and act not like 'pay%s' and outcome = 'ok' and ${SINCE}`,
      ],
      [
        'word',
        `select count(case act when 'pay' then 1 end) from operation where asked_by = 'ida' and outcome = 'done' and ${SINCE}`,
      ],
      [
        'word',
        `select sum(case when act = 'sale' then 1 else 0 end) from operation where asked_by = 'ida' and ${SINCE}`,
      ],
      ['word', `select sum('PAYMENT' = act) from operation where asked_by = 'ida' and outcome = 'done' and ${SINCE}`],
      ['word', `select count(*) from operation where substr(act, 1, 3) = 'Pay' and asked_by = 'ida' and ${SINCE}`],
      ['word', `select count(*) filter (where act is 'paid') from operation where asked_by = 'ida' and ${SINCE}`],
      ['quotes', `select count(*) from operation where act = "payment" and asked_by = 'ida' and ${SINCE}`],
      ['right', `select count(*) from operation where ${PAID} and lower(asked_by) = 'ida' and ${SINCE}`],
      ['right', `select count(*) from operation where ${PAID} and asked_by like 'IDA' and ${SINCE}`],
      [
        'right',
        `select count(case act when 'payment' then 1 end) from operation where asked_by = 'ida' and outcome = 'done' and ${SINCE}`,
      ],
    ],
  },
];

/** Sales whose time at the desk is of these, beginnings of times. */
const between = ({ sales }: Books, from: string, to: string) =>
  sales.filter(({ day, clock }) => `${day}T${clock}` >= from && `${day}T${clock}` < to).length;
const TIMES: readonly Wanted[] = [
  {
    figure: 'sales on 26 October',
    answer: (books) => between(books, '2026-10-26', '2026-10-27'),
    statements: [
      ['time', `select count(*) from operation where ${PAID} and on_day = '2026-10-26 00:00'`],
      ['time', `select count(*) from operation where ${PAID} and on_day = '26.10.2026'`],
      ['time', `select count(*) from operation where ${PAID} and on_day = '2026-10-26T00:00:00+01:00'`],
      [
        'time',
        `select count(*) from operation where ${PAID} and on_day like '2026-10-26' and on_day >= '2026-10-26T00:00'`,
      ],
      ['time', `select count(*) from operation where ${PAID} and at = '2026-10-26'`],
      ['time', `select count(*) from operation where ${PAID} and date(at) = '26/10/2026'`],
      ['time', `select count(*) from operation where ${PAID} and at >= '2026-10-26' and at <= '2026-10-26'`],
      ['time', `select count(*) from operation where ${PAID} and on_day in ('2026/10/26')`],
      ['time', `select count(*) from operation where ${PAID} and on_day = 'Monday 26 October'`],
      ['right', `select count(*) from operation where ${PAID} and substr(at, 1, 10) = '2026-10-26'`],
      ['right', `select count(*) from operation where ${PAID} and at like '2026-10-26%'`],
      ['right', `select count(*) from operation where ${PAID} and on_day between '2026-10-26' and '2026-10-26T23:59'`],
      [
        'right',
        `select count(*) from operation where ${PAID} and at >= '2026-10-26 00:00' and at < '2026-10-27 00:00'`,
      ],
      ['right', `select count(*) from operation where ${PAID} and at between '2026-10-26' and '2026-10-26T23:59:59'`],
    ],
  },
  {
    figure: 'sales on 27 October from 9 to 10 o’clock',
    answer: (books) => between(books, '2026-10-27T09:00', '2026-10-27T10:00'),
    statements: [
      ['time', `select count(*) from operation where ${PAID} and at >= '2026-10-27 09:00' and at < '2026-10-27 10:00'`],
      [
        'time',
        `select count(*) from operation where ${PAID} and at between '2026-10-27 09:00:00' and '2026-10-27 09:59:59'`,
      ],
      [
        'time',
        `select count(*) from operation where ${PAID} and at >= '2026-10-27T08:00:00Z' and at < '2026-10-27T09:00:00Z'`,
      ],
      [
        'time',
        `select count(*) from operation where ${PAID} and at >= '2026-10-27T08:00:00+00:00' and at < '2026-10-27T09:00:00.000Z'`,
      ],
      [
        'right',
        `select count(*) from operation where ${PAID} and at >= '2026-10-27T09:00' and at < '2026-10-27T10:00'`,
      ],
    ],
  },
  {
    figure: 'sales since 1 November',
    answer: (books) => between(books, '2026-11-01', '2027'),
    statements: [
      ['time', `select count(*) from operation where ${PAID} and on_day >= '2026-11-1'`],
      ['time', `select count(*) from operation where ${PAID} and on_day >= '1.11.2026'`],
      ['time', `select count(*) from operation where ${PAID} and on_day >= '20261101'`],
      ['time', `select count(*) from operation where ${PAID} and at > '2026-10-31'`],
      ['time', `select count(*) from operation where ${PAID} and at >= 'November 1'`],
      ['time', `select count(*) from operation where ${PAID} and strftime('%Y-%m-%d', at) >= '2026-11-1'`],
      ['range', `select count(*) from operation where ${PAID} and on_day between '2026-11-03' and '2026-11-01'`],
      ['range', `select count(*) from operation where ${PAID} and at between '2026-11-04' and '2026-11-01'`],
      ['right', `select count(*) from operation where ${PAID} and on_day > '2026-10-31'`],
      ['right', `select count(*) from operation where ${PAID} and on_day >= '2026-11'`],
    ],
  },
  {
    figure: 'sales from 19 to 31 October',
    answer: (books) => between(books, dayOn(1), '2026-11'),
    statements: [
      ['time', `select count(*) from operation where ${PAID} and at between '2026-10-19' and '2026-10-31'`],
      ['time', `select count(*) from operation where ${PAID} and '2026-10-31' >= at and ${SINCE}`],
      ['range', `select count(*) from operation where ${PAID} and on_day between '2026-10-31' and '2026-10-19'`],
      ['right', `select count(*) from operation where ${PAID} and date(at) between '2026-10-19' and '2026-10-31'`],
    ],
  },
];

const SHARES: readonly Wanted[] = [
  {
    figure: 'per cent of the bookings since 19 October that lapsed',
    answer: ({ created, lapsed }) => {
      const made = since(created).map(({ locator }) => locator);
      return tenths((100 * lapsed.filter(({ locator }) => made.includes(locator)).length) / made.length);
    },
    statements: [
      ['whole', "select sum(state = 'expired') / count(*) * 100 from booking where made_at >= '2026-10-19'"],
      ['whole', "select round(sum(state = 'expired') * 100 / count(*), 1) from booking where made_at >= '2026-10-19'"],
      [
        'whole',
        "select count(case when state = 'expired' then 1 end) * 100 / count(*) from booking where made_at >= '2026-10-19'",
      ],
      [
        'whole',
        "select 100 * (select count(*) from booking where state = 'expired' and made_at >= '2026-10-19') / count(*) from booking where made_at >= '2026-10-19'",
      ],
      [
        'right',
        "select round(sum(state = 'expired') * 100.0 / count(*), 1) from booking where made_at >= '2026-10-19'",
      ],
      ['right', "select round(avg(state = 'expired') * 100, 1) from booking where made_at >= '2026-10-19'"],
    ],
  },
  {
    figure: 'people of an average sale since 19 October',
    answer: ({ sales, all }) => {
      const ours = since(sales).map(({ locator }) => all.find((one) => one.locator === locator)?.sold?.booking);
      return tenths(sum(ours.map((booking) => (booking ? people(booking) : 0))) / ours.length);
    },
    statements: [
      ['whole', `select sum(passengers) / count(*) from operation where ${PAID} and ${SINCE}`],
      ['whole', `select round(sum(passengers) / count(*), 1) from operation where ${PAID} and ${SINCE}`],
      ['right', `select round(avg(passengers), 1) from operation where ${PAID} and ${SINCE}`],
    ],
  },
];

export const WANTED: readonly Wanted[] = [...JOINED, ...NULLS, ...WORDS, ...TIMES, ...SHARES];
