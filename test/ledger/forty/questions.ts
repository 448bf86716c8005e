/** Forty questions of operations people, each as one SELECT, with the answer that the airlines' books give. */
import type { CarrierBooking } from '../../../src/sandbox/record.ts';
import { type Books, dayIn, type Entry, grouped, type Leg, sum, written } from './books.ts';
import { dayOn } from './desk.ts';

type Cell = string | number | null;
type Rows = readonly (readonly Cell[])[];

export interface DeskQuestion {
  readonly asks: string;
  readonly sql: string | ((books: Books) => string);
  readonly answer: (books: Books) => Rows;
  /** The order of the rows is part of the answer. */
  readonly ordered?: true;
}

const PAID = "act = 'payment' and outcome = 'done'";
const GONE = "state in ('ticketed', 'partly_cancelled')";
const PAYMENT_WORDS: Readonly<Record<string, string>> = {
  ...{ '32': 'external', '5': 'credit_card', '1': 'cash', '4': 'debit_credit_account', '40': 'invoice' },
};
const minor = ({ minor }: Entry) => minor;
const sold = (books: Books, { locator }: Entry): CarrierBooking => {
  const record = books.fortnight.sold.get(locator);
  if (record === undefined) throw new Error(`${locator} was never sold`);
  return record;
};
const segments = ({ options }: CarrierBooking) => options.flatMap((option) => option.segments);
const route = (books: Books, locator: string) => {
  const legs = books.legs.filter((leg) => leg.locator === locator);
  return [legs[0]?.from, ...legs.map(({ to }) => to)].join('-');
};
const price = ({ orders }: CarrierBooking) =>
  orders.find(({ direction }) => direction === 'PAYMENT')?.amount.minor ?? 0;
const tomorrow = dayOn(15);
const answers = (books: Books, end: string) => books.fortnight.questions.filter((question) => question.end === end);
const at = (instant: number) => `${new Date(instant + 3 * 3_600_000).toISOString().slice(0, 19)}+03:00`;

const SALES: readonly DeskQuestion[] = [
  {
    asks: 'What did we sell, day by day?',
    sql: `select on_day, count(*), sum(paid), currency from operation where ${PAID} group by on_day, currency`,
    answer: ({ sales }) =>
      grouped(sales, ({ day }) => [day], minor).map(({ key: [day = '', currency = ''], count, minor }) => [
        day,
        count,
        written(minor, `${currency}`),
        currency,
      ]),
  },
  {
    asks: 'What was sold at night, between midnight and six in the morning?',
    sql: `select locator, on_day, paid, currency from operation where ${PAID} and substr(at, 12, 5) < '06:00'`,
    answer: ({ sales }) =>
      sales
        .filter(({ at: instant }) => at(instant).slice(11, 16) < '06:00')
        .map(({ locator, day, minor, currency }) => [locator, day, written(minor, currency), currency]),
  },
  {
    asks: 'What did each clerk sell?',
    sql: `select asked_by, count(*), sum(paid) from operation where ${PAID} group by asked_by, currency`,
    answer: ({ sales }) =>
      grouped(sales, ({ by }) => [by], minor).map(({ key: [by = '', currency], count, minor }) => [
        by,
        count,
        written(minor, `${currency}`),
      ]),
  },
  {
    asks: 'How was it paid: cash, card, account, by currency?',
    sql: `select payment_type, currency, count(*), sum(paid) from operation where ${PAID} group by payment_type, currency`,
    answer: (books) =>
      grouped(books.sales, (entry) => [PAYMENT_WORDS[sold(books, entry).paymentType ?? ''] ?? '?'], minor).map(
        ({ key: [type = '', currency = ''], count, minor }) => [type, currency, count, written(minor, `${currency}`)],
      ),
  },
  {
    asks: 'What is the average sale in SAR?',
    sql: `select round(avg(paid), 2) from operation where ${PAID} and currency = 'SAR'`,
    answer: ({ sales }) => {
      const ours = sales.filter(({ currency }) => currency === 'SAR').map(minor);
      return [[written(Math.round(sum(ours) / ours.length), 'SAR')]];
    },
  },
  {
    asks: 'Which routes sell most?',
    sql: `select route, count(*), sum(paid), currency from operation where ${PAID} group by route, currency`,
    answer: (books) =>
      grouped(books.sales, ({ locator }) => [route(books, locator)], minor).map(
        ({ key: [trip = '', currency = ''], count, minor }) => [trip, count, written(minor, `${currency}`), currency],
      ),
  },
  {
    asks: 'How much of it was business class (C), how much economy (Y)?',
    sql: `select class, currency, sum(paid) from operation where ${PAID} group by class, currency`,
    answer: (books) =>
      grouped(books.sales, (entry) => [segments(sold(books, entry))[0]?.bookingClass ?? '?'], minor).map(
        ({ key: [one = '', currency = ''], minor }) => [one, currency, written(minor, `${currency}`)],
      ),
  },
  {
    asks: 'For how many adults, children and infants did we sell tickets?',
    sql: `select sum(passengers) - sum(children) - sum(infants), sum(children), sum(infants) from operation where ${PAID}`,
    answer: (books) => [
      ['ADT', 'CHD', 'INF'].map((type) => sum(books.sales.map((entry) => books.heads(sold(books, entry), type)))),
    ],
  },
  {
    asks: 'How many holds were made, how many of them were paid, how many lapsed?',
    sql: "select count(*), sum(paid > 0), sum(state = 'expired') from booking where made_by is not null",
    answer: ({ all, sales, lapsed }) => [
      [all.length, new Set(sales.map(({ locator }) => locator)).size, lapsed.length],
    ],
  },
  {
    asks: 'How many days before the trip are tickets bought, on average?',
    sql: `select round(avg(julianday(date(departs_at)) - julianday(on_day)), 1) from operation where ${PAID}`,
    answer: (books) => {
      const days = books.sales.map(
        (entry) => (Date.parse(firstDay(books, entry)) - Date.parse(entry.day)) / 86_400_000,
      );
      return [[Math.round((sum(days) / days.length) * 10) / 10]];
    },
  },
];

/** Departure of the first leg as it was sold: no leg of these bookings was moved to another day. */
function firstDay(books: Books, { locator }: Entry): string {
  return books.legs.filter((leg) => leg.locator === locator).map(({ day }) => day)[0] ?? '';
}

const ONE_BY_ONE: readonly DeskQuestion[] = [
  {
    asks: 'Give me the sales of 6 and 7 December with ticket numbers and way to pay, for the reconciliation.',
    sql: `select locator, tickets, payment_type, paid from operation where ${PAID} and on_day in ('${dayOn(1)}', '${dayOn(2)}')`,
    answer: (books) =>
      books.sales
        .filter(({ day }) => day <= dayOn(2))
        .map((entry) => [
          entry.locator,
          entry.about.join(', '),
          PAYMENT_WORDS[sold(books, entry).paymentType ?? ''] ?? '?',
          written(entry.minor, entry.currency),
        ]),
  },
  {
    asks: 'What happened to the booking of Lahoud, in order, with its money?',
    sql: (books) => `select act, outcome, paid from operation where locator = '${books.locator('Lahoud')}' order by at`,
    ordered: true,
    answer: (books) => {
      const locator = books.locator('Lahoud');
      const [amount] = books.sales.filter((sale) => sale.locator === locator).map(minor);
      const charged = books.charges.filter((charge) => charge.locator === locator).map(minor);
      return [
        ['hold', 'done', null],
        ['payment', 'refused', null],
        ['payment', 'done', written(amount ?? 0, 'SAR')],
        ...books
          .of('rebooked')
          .flatMap((entry) => (entry.locator === locator ? [['exchange', 'done', written(sum(charged), 'SAR')]] : [])),
      ];
    },
  },
];

const MONEY_BACK: readonly DeskQuestion[] = [
  {
    asks: 'What went back to customers, what did the airline keep, how much of it is VAT, and what will it still pay out?',
    sql: "select o.currency, sum(o.refunded), sum(o.kept), sum(o.kept_vat), (select sum(still_to_come) from booking b where b.currency = o.currency) from operation o where outcome = 'done' and refunded is not null group by o.currency",
    answer: ({ refunds }) =>
      [...Map.groupBy(refunds, ({ currency }) => currency)].map(([currency, all]) => {
        const total = (of: (refund: (typeof all)[number]) => number) => written(sum(all.map(of)), currency);
        return [
          currency,
          total(({ minor }) => minor),
          total(({ kept }) => kept),
          total(({ vat }) => vat),
          total(({ minor, isPaidOut }) => (isPaidOut ? 0 : minor)),
        ];
      }),
  },
  {
    asks: 'List the refunds with what came back and what was kept.',
    sql: "select on_day, locator, refunded, kept, currency from operation where act = 'refund' and outcome = 'done' order by at",
    ordered: true,
    answer: ({ refunds }) =>
      refunds
        .toSorted((a, b) => a.at - b.at)
        .map(({ day, locator, minor, kept, currency }) => [
          day,
          locator,
          written(minor, currency),
          written(kept, currency),
          currency,
        ]),
  },
  {
    asks: 'What did we take in all, less what went back?',
    sql: "select currency, sum(coalesce(paid, 0)) - sum(coalesce(refunded, 0)) from operation where outcome = 'done' and currency is not null group by currency",
    answer: ({ paid, refunds }) =>
      ['SAR', 'KWD', 'JPY'].map((currency) => {
        const of = (entries: readonly Entry[]) =>
          sum(entries.filter((entry) => entry.currency === currency).map(minor));
        return [currency, written(of(paid) - of(refunds), currency)];
      }),
  },
  {
    asks: 'How many exchanges were there, and what did they cost?',
    sql: "select count(*), sum(paid) from operation where act = 'exchange' and outcome = 'done' group by currency",
    answer: ({ of, charges }) => [[of('rebooked').length, written(sum(charges.map(minor)), 'SAR')]],
  },
  {
    asks: 'Which refunds did the supervisor approve on the page, and how long did they wait?',
    sql: "select o.locator, o.asked_by, o.refunded, q.waited_minutes from operation o join question q using (id) where o.act = 'refund' and q.channel = 'page' and o.approved_by = 'sue'",
    answer: ({ fortnight, refunds }) =>
      fortnight.questions
        .filter(({ via }) => via === 'page')
        .map(({ locator, by, minutes }) => {
          const made = refunds.find((refund) => refund.locator === locator);
          return [locator, by, made ? written(made.minor, made.currency) : null, minutes];
        }),
  },
];

const TRAVEL: readonly DeskQuestion[] = [
  {
    asks: 'Who travels tomorrow, any leg?',
    sql: `select substr(s.departs_at, 12, 5), s.train, s.from_code, s.to_code, s.locator, b.passengers from segment s join booking b using (locator) where s.departs_on = date('now', '+1 day') and s.status <> 'cancelled' and b.${GONE}`,
    answer: ({ travelled, heads }) =>
      travelled
        .filter(({ day }) => day === tomorrow)
        .map(({ clock, train, from, to, locator, booking }) => [clock, train, from, to, locator, heads(booking)]),
  },
  {
    asks: 'How many people leave from Madinah on 20 December?',
    sql: `select sum(b.passengers) from segment s join booking b on b.locator = s.locator where s.from_name like '%Madinah%' and s.departs_on = '${tomorrow}' and b.${GONE}`,
    answer: ({ travelled, heads }) => [
      [
        sum(
          travelled.filter(({ from, day }) => from === 'XMD' && day === tomorrow).map(({ booking }) => heads(booking)),
        ),
      ],
    ],
  },
  {
    asks: 'Name everybody who travels tomorrow.',
    sql: `select distinct p.name, p.type from passenger p join segment s on s.locator = p.locator join booking b on b.locator = p.locator where s.departs_on = '${tomorrow}' and b.${GONE}`,
    answer: ({ travelled }) =>
      travelled
        .filter(({ day }) => day === tomorrow)
        .flatMap(({ booking }) =>
          booking.travelers.map(({ type, name }) => [`${name?.surname} ${name?.given[0]?.[0]}.`, TYPES[type] ?? type]),
        ),
  },
  {
    asks: 'With which bookings will infants travel from now on?',
    sql: `select locator, date(departs_at), sum(type = 'infant') as infants from booking join passenger using (locator) where ${GONE} and date(departs_at) > date('now') group by locator having infants > 0`,
    answer: ({ all, heads, legs }) =>
      all
        .filter(({ booking }) => booking.state === 'ticketed' && heads(booking, 'INF') > 0)
        .map(({ booking }) => [
          booking.locator,
          legs.filter(({ locator }) => locator === booking.locator)[0]?.day ?? '',
          heads(booking, 'INF'),
        ])
        .filter(([, day]) => String(day) > dayOn(14)),
  },
  {
    asks: 'Which ways back are due by 22 December?',
    sql: `select s.locator, s.train, s.departs_on from segment s join booking b using (locator) where s.n = 2 and s.departs_on between date('now') and '${dayOn(17)}' and s.status <> 'cancelled' and b.${GONE}`,
    answer: ({ travelled }) =>
      travelled
        .filter(({ n, day }) => n === 2 && day >= dayOn(14) && day <= dayOn(17))
        .map(({ locator, train, day }) => [locator, train, day]),
  },
  {
    asks: 'Which groups still lack names, how many, and until when?',
    sql: `select locator, unnamed, passengers, names_by from booking where unnamed > 0 and ${GONE}`,
    answer: ({ all, heads }) =>
      all
        .filter(({ booking }) => booking.state === 'ticketed')
        .map(
          ({ booking }) =>
            [
              booking.locator,
              booking.travelers.filter(({ name }) => name === undefined).length,
              heads(booking),
              at(booking.namesUntil),
            ] as const,
        )
        .filter(([, missing]) => missing > 0),
  },
  {
    asks: 'Where do the Jabers sit?',
    sql: (books) => `select n, seat from passenger where locator = '${books.locator('Jaber')}' order by n`,
    ordered: true,
    answer: (books) =>
      books
        .booking('Jaber')
        .tickets.map(({ coupons }, i) => [i + 1, coupons.map(({ coach, seat }) => `${coach}/${seat}`).join(', ')]),
  },
  {
    asks: 'On which trains of the coming week do five or more of our people travel?',
    sql: `select s.train, s.departs_on, sum(b.passengers) from segment s join booking b using (locator) where s.departs_on between '${dayOn(15)}' and '${dayOn(21)}' and s.status <> 'cancelled' and b.${GONE} group by s.train, s.departs_on having sum(b.passengers) >= 5`,
    answer: ({ travelled, heads }) =>
      [
        ...Map.groupBy(
          travelled.filter(({ day }) => day >= dayOn(15) && day <= dayOn(21)),
          ({ train, day }) => `${train} ${day}`,
        ),
      ]
        .map(
          ([, all]) => [all[0]?.train ?? '', all[0]?.day ?? '', sum(all.map(({ booking }) => heads(booking)))] as const,
        )
        .filter(([, , people]) => people >= 5),
  },
  {
    asks: 'How many of our people travelled last week, leg by leg?',
    sql: `select s.departs_on, sum(b.passengers) from segment s join booking b using (locator) where s.departs_on between '${dayOn(8)}' and '${dayOn(14)}' and s.status <> 'cancelled' and b.paid > 0 and b.state <> 'cancelled' group by s.departs_on`,
    answer: ({ travelled, heads }) =>
      [
        ...Map.groupBy(
          travelled.filter(({ day }) => day >= dayOn(8) && day <= dayOn(14)),
          ({ day }) => day,
        ),
      ].map(([day, all]) => [day, sum(all.map(({ booking }) => heads(booking)))]),
  },
];

const TYPES: Readonly<Record<string, string>> = { ADT: 'adult', CHD: 'child', INF: 'infant' };

const HOLDS: readonly DeskQuestion[] = [
  {
    asks: 'Which holds are open, what are they worth, and until when must they be paid?',
    sql: "select locator, price, currency, pay_by from booking where state in ('held', 'in_doubt') order by pay_by",
    ordered: true,
    answer: ({ held }) =>
      held
        .toSorted((a, b) => a.booking.payBy - b.booking.payBy)
        .map(({ booking, currency }) => [
          booking.locator,
          written(price(booking), currency),
          currency,
          at(booking.payBy),
        ]),
  },
  {
    asks: 'Which holds lapsed, when, and what did we lose with them?',
    sql: "select locator, made_by, price, currency, date(lapsed_at) from booking where state = 'expired'",
    answer: ({ lapsed, by }) =>
      lapsed.map(({ booking, currency }) => [
        booking.locator,
        by(booking.locator),
        written(price(booking), currency),
        currency,
        dayIn(booking.payBy),
      ]),
  },
  {
    asks: 'Which holds did we release ourselves?',
    sql: "select locator, asked_by, on_day from operation where act = 'release' and outcome = 'done'",
    answer: ({ of }) => of('cancelled').map(({ locator, by, at: instant }) => [locator, by, dayIn(instant)]),
  },
];

const PEOPLE: readonly DeskQuestion[] = [
  {
    asks: 'Who said no, to what, and after how many minutes?',
    sql: "select tool, locator, approver, waited_minutes from question where decision = 'no'",
    answer: (books) =>
      answers(books, 'no').map(({ tool, locator, approver, minutes }) => [tool, locator, approver, minutes]),
  },
  {
    asks: 'Which questions did nobody answer, and what was at stake?',
    sql: "select tool, locator, asked_by, asked_amount, currency from question where decision = 'lapsed'",
    answer: (books) =>
      answers(books, 'lapsed').map(({ tool, locator, by }) => {
        const { minor = 0, currency = '' } = books.sales.find((sale) => sale.locator === locator) ?? {};
        return [tool, locator, by, written(minor, currency), currency];
      }),
  },
  {
    asks: 'Which questions were withdrawn or overtaken?',
    sql: "select tool, locator, asked_by from question where decision = 'withdrawn'",
    answer: (books) => answers(books, 'withdrawn').map(({ tool, locator, by }) => [tool, locator, by]),
  },
  {
    asks: 'How many times was yes said, and through what?',
    sql: "select channel, count(*) from question where decision = 'yes' group by channel",
    answer: (books) => [...Map.groupBy(answers(books, 'yes'), ({ via }) => via)].map(([via, all]) => [via, all.length]),
  },
  {
    asks: 'What is the longest that anybody waited for an answer, and for which booking?',
    sql: 'select locator, waited_minutes from question order by waited_minutes desc limit 1',
    answer: ({ fortnight }) =>
      fortnight.questions
        .toSorted((a, b) => b.minutes - a.minutes)
        .slice(0, 1)
        .map(({ locator, minutes }) => [locator, minutes]),
  },
];

const TROUBLE: readonly DeskQuestion[] = [
  {
    asks: 'What is in doubt, for how much?',
    sql: "select tool, locator, approved_at_most, currency from operation where outcome = 'in_doubt'",
    answer: (books) => [
      ['pay_booking', books.locator('Greiche'), written(price(books.booking('Greiche')), 'SAR'), 'SAR'],
    ],
  },
  {
    asks: 'What needs a person?',
    sql: "select tool, locator, asked_by, on_day from operation where outcome = 'needs_person'",
    answer: ({ of }) => of('split').map(({ locator, by, day }) => ['split_booking', locator, by, day]),
  },
  {
    asks: 'Which payment did the airline refuse, and was it paid after all?',
    sql: "select r.locator, r.approved_at_most, p.paid from operation r left join operation p on p.locator = r.locator and p.act = 'payment' and p.outcome = 'done' where r.act = 'payment' and r.outcome = 'refused'",
    answer: (books) => {
      const locator = books.locator('Lahoud');
      const amount = written(sum(books.sales.filter((sale) => sale.locator === locator).map(minor)), 'SAR');
      return [[locator, amount, amount]];
    },
  },
  {
    asks: 'Which payments lost their answer and were found by a reading?',
    sql: "select distinct o.locator, o.paid from operation o join history h using (locator) where o.paid > 0 and h.what like 'The payment: done, as a reading shows%'",
    answer: (books) =>
      books.sales
        .filter(({ locator }) => locator === books.locator('Moussa'))
        .map(({ locator, minor, currency }) => [locator, written(minor, currency)]),
  },
  {
    asks: 'What did the airline change by itself, and how many people does it touch?',
    sql: 'select c.kind, c.locator, c.train, c.departs_on, b.passengers from change c join booking b using (locator)',
    answer: ({ fortnight, legs, heads }) => {
      const kinds: Readonly<Record<string, string>> = { cancel: 'segment_cancelled', retime: 'retimed' };
      return (
        fortnight
          .at('SAR')
          .sandbox.mishaps()
          .flatMap(({ mishap, touched }) =>
            touched.map((locator): [string, Leg | undefined] => [
              kinds[mishap.kind] ?? '',
              legs.find((leg) => leg.locator === locator),
            ]),
          )
          // How the airline pays out is no change of a booking.
          .flatMap(([kind, leg]) =>
            leg && kind !== '' ? [[kind, leg.locator, leg.train, leg.day, heads(leg.booking)]] : [],
          )
      );
    },
  },
  {
    asks: 'Which of those has nobody dealt with yet?',
    sql: 'select locator from change where closed_at is null',
    answer: ({ fortnight, of }) =>
      fortnight
        .at('SAR')
        .sandbox.mishaps()
        .flatMap(({ touched }) => touched)
        .filter((locator) => !of('segments_cancelled').some((entry) => entry.locator === locator))
        .map((locator) => [locator]),
  },
];

/** What is over: whoever asks a year later reads the same. */
export const OF_CLOSED_PERIODS: readonly DeskQuestion[] = [...SALES, ...ONE_BY_ONE, ...MONEY_BACK, ...PEOPLE];

export const QUESTIONS: readonly DeskQuestion[] = [...OF_CLOSED_PERIODS, ...TRAVEL, ...HOLDS, ...TROUBLE];
