/**
 * Questions over the story of the sixty about the columns, and values, that neither the sixty nor the thirty name, each with its
 * statement and the rows that the books give.
 */
import { localDateTime } from '../../../src/sandbox/zone.ts';
import { type Books, people, routeOf, written } from '../sixty/books.ts';
import { DESKS, dayOn, instantAt, WEEKS } from '../sixty/people.ts';
import { price } from '../thirty/figures.ts';

export interface ColumnQuestion {
  readonly asks: string;
  /** `{Kraus}` stands for the locator of that booking. */
  readonly sql: string;
  readonly answer: (books: Books) => readonly (readonly (string | number | null)[])[];
}

const [FIRST_WEEK, SECOND_WEEK] = [WEEKS.first, WEEKS.second].map(([from, to]) => `between '${from}' and '${to}'`);
const SINCE = [dayOn(1)] as const;
const PAID = "act = 'payment' and outcome = 'done'";
/** OpenTravel's codes of ways to pay. */
const WAYS_TO_PAY: Readonly<Record<string, string>> = {
  '32': 'external',
  '5': 'credit_card',
  '1': 'cash',
  '40': 'invoice',
};

/** An instant as the desk in Berlin reads it. */
const at = (instant: number) => localDateTime(DESKS.hanse.zone, instant).replace('.000', '');
const yesOf = ({ questions }: Books) => questions.filter(({ end }) => end === 'yes');
const soldOf = ({ all }: Books, locator: string) => {
  const { sold } = all.find((one) => one.locator === locator) ?? {};
  if (sold === undefined) throw new Error(`${locator} was never sold`);
  return sold;
};

const BOOKINGS: readonly ColumnQuestion[] = [
  {
    asks: 'On which route is each paid booking, and how was it paid?',
    sql: 'select locator, route, payment_type from booking where paid > 0',
    answer: ({ all }) =>
      all.flatMap(({ locator, legs, sold }) => {
        if (sold === undefined) return [];
        const open = legs.filter(({ isGone }) => !isGone);
        const way = WAYS_TO_PAY[sold.booking.paymentType ?? ''] ?? null;
        return [[locator, routeOf(open.length > 0 ? open : legs), way]];
      }),
  },
  {
    asks: 'Which groups travel with us, who speaks for them, and until when do they give their names?',
    sql: 'select locator, contact, names_by from booking where is_group = 1',
    answer: ({ all }) =>
      all
        .filter(({ booking }) => booking.groupName !== undefined)
        .map(({ locator, booking: { contact, namesUntil } }) => [
          locator,
          `${contact.name?.given[0]} ${contact.name?.surname}`,
          at(namesUntil),
        ]),
  },
  {
    asks: 'How much goes back for each booking, and how much of it has been paid out?',
    sql: 'select locator, refunded, received, currency from booking where refunded > 0',
    answer: ({ refunds }) =>
      refunds
        .filter(({ minor }) => minor > 0)
        .map(({ locator, minor, isPaidOut, currency }) => [
          locator,
          written(minor, currency),
          isPaidOut ? written(minor, currency) : 0,
          currency,
        ]),
  },
  {
    asks: 'Which bookings are in doubt, and of which has a part been refunded?',
    sql: "select locator, state from booking where state in ('in_doubt', 'partly_cancelled')",
    answer: ({ all, refunds, locator: locatorOf }) => [
      [locatorOf('Roth'), 'in_doubt'],
      ...all
        .filter(
          ({ locator, booking }) => booking.state === 'ticketed' && refunds.some((one) => one.locator === locator),
        )
        .map(({ locator }) => [locator, 'partly_cancelled']),
    ],
  },
  {
    asks: 'Which holds lapsed, and when?',
    sql: "select locator, lapsed_at from booking where state = 'expired'",
    answer: ({ lapsed }) => lapsed.map(({ locator, booking }) => [locator, at(booking.payBy)]),
  },
  {
    // Both were read when they were made, and nobody looked since.
    asks: 'Which bookings did the airline not show today, and when did it last?',
    sql: "select locator, seen_at from booking where date(seen_at) < date('now')",
    answer: ({ created, locator }) =>
      created
        .filter((made) => ['Huber', 'Grimm'].some((name) => locator(name) === made.locator))
        .map((made) => [made.locator, at(made.at)]),
  },
  {
    asks: 'Between which stations do we sell?',
    sql: 'select distinct from_code, from_name, to_code, to_name from segment',
    answer: ({ all }) => {
      const stretches = all.flatMap(({ legs }) => legs.map((leg) => [leg.from, leg.fromName, leg.to, leg.toName]));
      return [...new Map(stretches.map((stretch) => [stretch.join(), stretch])).values()];
    },
  },
  {
    asks: 'Who travels in the group Chor Nord, and where do they sit?',
    sql: "select n, name, seat from passenger where locator = '{Jung}'",
    answer: (books) => {
      const { travelers, tickets } = books.booking('Jung').booking;
      return travelers.map(({ name }, i) => [
        i + 1,
        name ? `${name.surname} ${name.given[0]?.[0]}.` : null,
        tickets[i]?.coupons.map(({ coach, seat }) => `${coach}/${seat}`).join(', ') ?? null,
      ]);
    },
  },
  {
    asks: 'Who needs help on the way?',
    sql: 'select locator, n, services from passenger where services is not null',
    answer: ({ all }) =>
      all.flatMap(({ locator, booking: { services, travelers } }) =>
        services.map(({ code, travelerRefs: [ref] }) => [
          locator,
          travelers.findIndex((one) => one.ref === ref) + 1,
          `${code} confirmed`,
        ]),
      ),
  },
];

const OPERATIONS: readonly ColumnQuestion[] = [
  {
    asks: 'How were the sales of the first week charged, as the receipts say?',
    sql: `select locator, charged_as from operation where ${PAID} and on_day ${FIRST_WEEK}`,
    answer: (books) =>
      books
        .inDays(books.sales, WEEKS.first)
        .map(({ locator }) => [locator, WAYS_TO_PAY[soldOf(books, locator).booking.paymentType ?? ''] ?? null]),
  },
  {
    asks: 'Which tickets were sold in the first week, how many, in which class, and for how many trains?',
    sql: `select locator, tickets, tickets_count, class, legs from operation where ${PAID} and on_day ${FIRST_WEEK}`,
    answer: (books) =>
      books.inDays(books.sales, WEEKS.first).map(({ locator, about }) => {
        const { legs } = soldOf(books, locator);
        const classes = new Set(legs.map(({ bookingClass }) => bookingClass));
        return [locator, about.join(', '), about.length, [...classes].join(', '), legs.length];
      }),
  },
  {
    asks: 'To which bookings with children or infants did we sell tickets, and on which trains?',
    sql: `select locator, train, children, infants from operation where ${PAID} and children + infants > 0`,
    answer: (books) =>
      books.sales
        .map(({ locator }) => {
          const { booking, legs } = soldOf(books, locator);
          const trains = legs.map(({ train }) => train).join(', ');
          return [locator, trains, people(booking, 'CHD'), people(booking, 'INF')] as const;
        })
        .filter(([, , children, infants]) => children + infants > 0),
  },
  {
    asks: 'What does the airline keep of cancelled tickets, and how much of it is VAT?',
    sql: "select locator, kept, kept_vat, currency from operation where act = 'refund' and kept > 0",
    answer: ({ refunds }) =>
      refunds
        .filter(({ kept }) => kept > 0)
        .map(({ locator, kept, vat, currency }) => [
          locator,
          written(kept, currency),
          written(vat, currency),
          currency,
        ]),
  },
  {
    asks: 'Which payments are not done, why, and for how much at most?',
    sql: "select locator, tool, error, approved_at_most, currency from operation where act = 'payment' and outcome <> 'done'",
    answer: (books) =>
      Object.entries({ Xaver: 'E_PAYMENT_DECLINED', Roth: null }).map(([name, code]) => {
        const kept = books.booking(name);
        return [kept.locator, 'pay_booking', code, written(price(kept), kept.currency), kept.currency];
      }),
  },
  {
    asks: 'Who said yes to each cancellation of the second week?',
    sql: `select locator, tool, approved_by from operation where tool like 'cancel_%' and on_day ${SECOND_WEEK}`,
    answer: (books) =>
      books
        .inDays(yesOf(books), WEEKS.second)
        .filter(({ tool }) => tool.startsWith('cancel_'))
        .map(({ locator, tool, approver }) => [locator, tool, approver]),
  },
  {
    asks: 'When and where did the trains leave that were sold in the first week, in which fare, and what did each cost?',
    sql: `select o.locator, l.n, l.from_code, l.to_code, substr(l.departs_at, 1, 16), l.fare, l.price, l.currency from operation o join operation_leg l using (id) where ${PAID} and o.on_day ${FIRST_WEEK}`,
    answer: (books) =>
      books
        .inDays(books.sales, WEEKS.first)
        .flatMap(({ locator, currency }) =>
          soldOf(books, locator).legs.map((leg) => [
            ...[locator, leg.n, leg.from, leg.to, `${leg.day}T${leg.clock}`, leg.fare],
            ...[written(leg.price, currency), currency],
          ]),
        ),
  },
];

const EVENTS: readonly ColumnQuestion[] = [
  {
    asks: 'Which questions got a yes since 19 October that were not about a payment, and after how many minutes?',
    sql: `select q.tool, q.locator, q.waited_minutes from question q join operation o on o.id = q.id where q.tool <> 'pay_booking' and q.decision = 'yes' and date(q.asked_at) >= '${dayOn(1)}'`,
    answer: (books) =>
      books
        .inDays(yesOf(books), SINCE)
        .filter(({ tool }) => tool !== 'pay_booking')
        .map(({ tool, locator, minutes }) => [tool, locator, minutes]),
  },
  {
    asks: 'Which questions did nobody answer, and how did they end?',
    sql: "select locator, decision from question where decision in ('lapsed', 'withdrawn')",
    answer: ({ questions }) =>
      questions.filter(({ end }) => end === 'lapsed' || end === 'withdrawn').map(({ locator, end }) => [locator, end]),
  },
  {
    asks: 'Which changes by the airline have been dealt with, when and how, and what came back?',
    sql: 'select c.locator, c.closed_at, o.tool, c.refunded, c.currency from change c join operation o on o.id = substr(c.closed_by, 11)',
    answer: (books) => {
      const locator = books.locator('Vogel');
      return yesOf(books)
        .filter((asked) => asked.locator === locator && asked.tool === 'cancel_booking')
        .map((asked) => {
          const { minor = 0, currency = '' } = books.refunds.find((refund) => refund.locator === locator) ?? {};
          return [locator, at(asked.at + asked.minutes * 60_000), asked.tool, written(minor, currency), currency];
        });
    },
  },
  {
    asks: 'Which trains leave at another time than before, and for how many people?',
    sql: "select locator, passengers, substr(what, instr(what, 'departs'), 24) from change where kind = 'retimed'",
    answer: (books) => {
      const { locator, booking, legs, sold } = books.booking('Weber');
      return [[locator, people(booking), `departs ${legs[0]?.clock}, was ${sold?.legs[0]?.clock}`]];
    },
  },
  {
    asks: 'Which payments lost their answer and were found by a reading, and when?',
    sql: "select locator, at, what from history where what like '%as a reading shows; charged%'",
    answer: ({ sales, locator }) =>
      sales
        .filter((sale) => sale.locator === locator('Yilmaz'))
        .map(({ minor, currency }) => [
          locator('Yilmaz'),
          at(instantAt(DESKS.hanse.zone, dayOn(10), '10:00')),
          `The payment: done, as a reading shows; charged ${currency} ${written(minor, currency).toFixed(2)}`,
        ]),
  },
];

export const QUESTIONS: readonly ColumnQuestion[] = [...BOOKINGS, ...OPERATIONS, ...EVENTS];
