/** What was taken and what goes back, in three currencies. */
import { type Books, type Entry, people, type Refund, routeOf, sum, totals, written } from './books.ts';
import { dayOn, WEEKS } from './people.ts';
import type { DeskQuestion } from './question.ts';

const minor = ({ minor }: Entry) => minor;
const SINCE = [dayOn(1)] as const;
const BOTH = [dayOn(1), dayOn(14)] as const;
const soldRoute = ({ all }: Books, locator: string) =>
  routeOf(all.find((one) => one.locator === locator)?.sold?.legs ?? []);
const customerOf = ({ all }: Books, locator: string) => all.find((one) => one.locator === locator)?.customer ?? '';
const ofCurrency = <T extends Entry>(list: readonly T[], currency: string) =>
  list.filter((one) => one.currency === currency);
const dearest = (list: readonly Entry[]) => list.toSorted((a, b) => b.minor - a.minor);
/** Two entries of one currency: what was taken counts, and refunds count against it. */
const net = (paid: readonly Entry[], refunds: readonly Refund[]) => [
  ...paid,
  ...refunds.map((refund) => ({ ...refund, minor: -refund.minor })),
];

export const MONEY: readonly DeskQuestion[] = [
  {
    id: 'taken-last-week',
    asks: 'How much money did we take last week, for payments and for exchanges together, in each currency? (currency, amount)',
    ...{ asker: 'lea', kind: 'table', trap: 'three currencies; what an exchange costs is money too' },
    answer: ({ paid, inDays }) => totals(inDays(paid, WEEKS.second), minor),
  },
  {
    id: 'refunded-last-week',
    asks: 'How much goes back by the refunds of last week, also those of exchanges, whether or not the airline has paid them out? (currency, amount)',
    ...{ asker: 'lea', kind: 'table', trap: 'an exchange can refund too, and one refund is 0' },
    answer: ({ refunds, inDays }) => totals(inDays(refunds, WEEKS.second), minor),
  },
  {
    id: 'net-by-route-last-week',
    asks: 'Net by route last week: what was taken for payments and exchanges, less the refunds made that week. The route is that of the whole trip as it was sold, stations joined like QCA-XMD-QCA. (route, currency, net)',
    ...{
      asker: 'lea',
      kind: 'table',
      keys: 2,
      trap: 'an exchange is of one train, its booking of two; refunds count against their route',
    },
    answer: (books) =>
      totals(
        net(books.inDays(books.paid, WEEKS.second), books.inDays(books.refunds, WEEKS.second)),
        minor,
        ({ locator, currency }) => [soldRoute(books, locator), currency],
      ),
  },
  {
    id: 'still-to-come-back',
    asks: 'Which refunds has the airline not paid out yet? (locator, amount, currency)',
    ...{ asker: 'lea', kind: 'table', trap: 'one that was pending has arrived since' },
    answer: ({ refunds }) =>
      refunds
        .filter(({ isPaidOut }) => !isPaidOut)
        .map(({ locator, minor, currency }) => [locator, written(minor, currency), currency]),
  },
  {
    id: 'paid-out-already',
    asks: 'How much of the refunds made since 19 October has the airline paid out already, in EUR and in JPY? (currency, amount)',
    ...{ asker: 'lea', kind: 'table', trap: 'the refund in JPY was pending when it was made' },
    answer: ({ refunds, inDays }) =>
      totals(
        inDays(refunds, SINCE).filter(({ isPaidOut, currency }) => isPaidOut && currency !== 'KWD'),
        minor,
      ),
  },
  {
    id: 'largest-sale',
    asks: 'Which sale since 19 October was the largest in each currency? A sale is the payment of a booking, not an exchange. (currency, locator, amount)',
    ...{ asker: 'lea', kind: 'table', trap: 'the largest number is not the largest of each currency' },
    answer: ({ sales, inDays }) =>
      [...Map.groupBy(inDays(sales, SINCE), ({ currency }) => currency)].map(([currency, group]) => {
        const [{ locator = '', minor = 0 } = {}] = dearest(group);
        return [currency, locator, written(minor, currency)];
      }),
  },
  {
    id: 'dearest-five',
    asks: 'The five dearest sales in EUR from 19 October to 1 November, the dearest first. (locator, amount)',
    ...{ asker: 'lea', kind: 'list', currency: 'EUR', ordered: true, trap: 'the largest numbers are JPY' },
    answer: ({ sales, inDays }) =>
      dearest(ofCurrency(inDays(sales, BOTH), 'EUR'))
        .slice(0, 5)
        .map(({ locator, minor }) => [locator, written(minor, 'EUR')]),
  },
  {
    id: 'spread-kwd',
    asks: 'By how much was the largest sale in KWD since 19 October above the smallest one?',
    ...{ asker: 'lea', kind: 'scalar', currency: 'KWD' },
    answer: ({ sales, inDays }) => {
      const ours = dearest(ofCurrency(inDays(sales, SINCE), 'KWD')).map(minor);
      return [[written((ours[0] ?? 0) - (ours.at(-1) ?? 0), 'KWD')]];
    },
  },
  {
    id: 'exchanges',
    asks: 'How many exchanges of trains were there since 19 October, what did they cost in all, and what did they refund in all, in EUR? (number, charged, refunded)',
    ...{ asker: 'lea', kind: 'list', currency: 'EUR', trap: 'one only refunds, one only costs, one does both' },
    answer: ({ exchanges }) => [
      [
        exchanges.length,
        written(sum(exchanges.map(({ charged }) => charged)), 'EUR'),
        written(sum(exchanges.map(({ back }) => back)), 'EUR'),
      ],
    ],
  },
  {
    id: 'exchange-both-ways',
    asks: 'Which exchange both cost something and refunded something? (locator, charged, refunded)',
    ...{ asker: 'lea', kind: 'table', trap: 'one operation has money in both directions' },
    answer: ({ exchanges }) =>
      exchanges
        .filter(({ charged, back }) => charged > 0 && back > 0)
        .map(({ locator, charged, back }) => [locator, written(charged, 'EUR'), written(back, 'EUR')]),
  },
  {
    id: 'kept-by-airline',
    asks: 'What does the airline keep of cancelled tickets since 19 October, VAT on it included, in each currency in which it keeps anything? (currency, amount)',
    ...{ asker: 'lea', kind: 'table', trap: 'the refund of 0 keeps most' },
    answer: ({ refunds, inDays }) =>
      totals(
        inDays(refunds, SINCE).filter(({ kept }) => kept > 0),
        ({ kept }) => kept,
      ),
  },
  {
    id: 'customer-net',
    asks: 'How much has customer CRM-1001 paid us since 1 September, exchanges included, less what goes back, in EUR?',
    ...{ asker: 'lea', kind: 'scalar', currency: 'EUR', trap: 'two bookings, one of them older than a month' },
    answer: (books) => {
      const of = (list: readonly Entry[]) =>
        sum(list.filter(({ locator }) => customerOf(books, locator) === 'CRM-1001').map(minor));
      return [[written(of(books.paid) - of(books.refunds), 'EUR')]];
    },
  },
  {
    id: 'customers-paid',
    asks: 'How much did each of our customers with a key pay since 1 September, payments and exchanges, without regard to refunds? (customer, currency, amount)',
    ...{ asker: 'lea', kind: 'table', keys: 2, trap: 'older than a month, and exchanges' },
    answer: (books) =>
      totals(
        books.paid.filter(({ locator }) => customerOf(books, locator) !== ''),
        minor,
        ({ locator, currency }) => [customerOf(books, locator), currency],
      ),
  },
  {
    id: 'approved-today',
    asks: 'To how much did people say yes today for payments, in EUR, whether or not it is known that the airline took it?',
    ...{ asker: 'lea', kind: 'scalar', currency: 'EUR', trap: 'what is in doubt has no amount that was taken' },
    answer: ({ sales, inDays, today, booking }) => {
      const inDoubt = booking('Roth').booking.orders[0]?.amount.minor ?? 0;
      return [[written(sum(ofCurrency(inDays(sales, [today]), 'EUR').map(minor)) + inDoubt, 'EUR')]];
    },
  },
  {
    id: 'best-day',
    asks: 'On which day since 19 October did we take the most EUR, exchanges included, and how much? (day, amount)',
    ...{
      asker: 'lea',
      kind: 'list',
      currency: 'EUR',
      trap: 'numbers of three currencies; two sales just after midnight',
    },
    answer: ({ paid, inDays }) => {
      const days = totals(ofCurrency(inDays(paid, SINCE), 'EUR'), minor, ({ day }) => [day]);
      return days.toSorted(([, a], [, b]) => Number(b) - Number(a)).slice(0, 1);
    },
  },
  {
    id: 'monday-after-change',
    asks: 'How much did we take on Monday 26 October, in EUR?',
    ...{ asker: 'lea', kind: 'scalar', currency: 'EUR', trap: 'a sale at ten past midnight is on Sunday by UTC' },
    answer: ({ paid, inDays }) => [
      [written(sum(ofCurrency(inDays(paid, [dayOn(8), dayOn(8)]), 'EUR').map(minor)), 'EUR')],
    ],
  },
  {
    id: 'weekend-sales',
    asks: 'What did we sell on the Saturdays and Sundays from 19 October to 1 November? (currency, number of sales, amount)',
    ...{ asker: 'lea', kind: 'table', trap: 'a sale on Monday at 00:10 is Sunday by UTC' },
    answer: ({ sales, inDays }) => {
      const isWeekend = ({ day }: Entry) => [0, 6].includes(new Date(day).getUTCDay());
      const ours = inDays(sales, BOTH).filter(isWeekend);
      return [...Map.groupBy(ours, ({ currency }) => currency)].map(([currency, group]) => [
        currency,
        group.length,
        written(sum(group.map(minor)), currency),
      ]);
    },
  },
  {
    id: 'best-clerk',
    asks: 'Which clerk sold the most EUR since 19 October, without exchanges, and how much? (clerk, amount)',
    ...{ asker: 'lea', kind: 'list', currency: 'EUR', trap: 'the supervisor has the largest numbers, in JPY' },
    answer: ({ sales, inDays }) =>
      totals(ofCurrency(inDays(sales, SINCE), 'EUR'), minor, ({ by }) => [by])
        .toSorted(([, a], [, b]) => Number(b) - Number(a))
        .slice(0, 1),
  },
];

export const MONEY_LATER: readonly DeskQuestion[] = [
  {
    id: 'later-sold-by-route',
    asks: 'What did we sell on each route from 19 October to 1 November? The route is that of the whole trip as it was sold, stations joined like QCA-XMD-QCA; exchanges do not count. (route, currency, amount)',
    ...{
      asker: 'lea',
      kind: 'table',
      keys: 2,
      later: true,
      trap: 'over a month ago; bookings were exchanged and cancelled since',
    },
    answer: (books) =>
      totals(books.inDays(books.sales, BOTH), minor, ({ locator, currency }) => [soldRoute(books, locator), currency]),
  },
  {
    id: 'later-refunds',
    asks: 'Which refunds were made from 26 October to 1 November, those of exchanges too and those by which nothing comes back, and how much goes back by each? (locator, amount, currency)',
    ...{ asker: 'lea', kind: 'table', later: true },
    answer: ({ refunds, inDays }) =>
      inDays(refunds, WEEKS.second).map(({ locator, minor, currency }) => [
        locator,
        written(minor, currency),
        currency,
      ]),
  },
  {
    id: 'later-taken-in-october',
    asks: 'How much did we take in the month of October, for payments and exchanges, in KWD and in JPY? (currency, amount)',
    ...{ asker: 'lea', kind: 'table', later: true },
    answer: ({ paid, inDays }) =>
      totals(
        inDays(paid, ['2026-10-01', '2026-10-31']).filter(({ currency }) => currency !== 'EUR'),
        minor,
      ),
  },
  {
    id: 'later-tickets',
    asks: 'For how many people were tickets sold from 19 to 25 October, in each currency? (currency, people)',
    ...{ asker: 'lea', kind: 'table', later: true, trap: 'people left bookings since, and names were removed' },
    answer: ({ sales, all, inDays }) =>
      [...Map.groupBy(inDays(sales, WEEKS.first), ({ currency }) => currency)].map(([currency, group]) => {
        const soldTo = ({ locator }: Entry) => {
          const booking = all.find((one) => one.locator === locator)?.sold?.booking;
          return booking === undefined ? 0 : people(booking);
        };
        return [currency, sum(group.map(soldTo))];
      }),
  },
];
