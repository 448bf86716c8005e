/** What was taken, what goes back, and what part of it. */
import { type Books, type Entry, type Refund, sum, totals, written } from '../sixty/books.ts';
import { dayOn, WEEKS } from '../sixty/people.ts';
import type { DeskQuestion } from '../sixty/question.ts';
import { percent, price, rounded, soldBooking } from './figures.ts';

const SINCE = [dayOn(1)] as const;
const minor = ({ minor }: Entry) => minor;
const inEur = <T extends Entry>(list: readonly T[]) => list.filter(({ currency }) => currency === 'EUR');
const WAYS: Readonly<Record<string, string>> = { '1': 'cash', '5': 'credit_card', '32': 'external', '40': 'invoice' };
const wayToPay = (books: Books, { locator }: Entry) => WAYS[soldBooking(books, locator)?.paymentType ?? ''] ?? '';
/** Refunds of what was cancelled, not of exchanges. */
export const cancellations = ({ refunds, exchanges, inDays }: Books): readonly Refund[] =>
  inDays(refunds, SINCE).filter(
    ({ locator, at }) => !exchanges.some((one) => one.locator === locator && one.at === at),
  );

export const FINANCE: readonly DeskQuestion[] = [
  {
    id: 'cash-last-week',
    asks: 'How much cash did we take last week for bookings, without exchanges, in EUR?',
    ...{ asker: 'lea', kind: 'scalar', currency: 'EUR' },
    answer: (books) => {
      const cash = inEur(books.inDays(books.sales, WEEKS.second)).filter((one) => wayToPay(books, one) === 'cash');
      return [[written(sum(cash.map(minor)), 'EUR')]];
    },
  },
  {
    id: 'by-way-to-pay',
    asks: 'How much was sold since 19 October by each way to pay, in each currency, without exchanges? The ways are cash, credit_card, external and invoice. (way to pay, currency, amount)',
    ...{ asker: 'lea', kind: 'table', keys: 2 },
    answer: (books) => totals(books.inDays(books.sales, SINCE), minor, (one) => [wayToPay(books, one), one.currency]),
  },
  {
    id: 'part-that-goes-back',
    asks: 'What part of the EUR that we took since 19 October, exchanges included, goes back by the refunds made since then, in per cent to one decimal?',
    ...{ asker: 'lea', kind: 'scalar', currency: 'EUR', trap: 'three currencies, and amounts that are not there' },
    answer: ({ paid, refunds, inDays }) => {
      const [taken, back] = [paid, refunds].map((list) => sum(inEur(inDays<Entry>(list, SINCE)).map(minor)));
      return [[percent(back ?? 0, taken ?? 0)]];
    },
  },
  {
    id: 'part-that-lapsed',
    asks: 'What part of the bookings made since 19 October lapsed without a payment, in per cent to one decimal?',
    ...{ asker: 'lea', kind: 'scalar', trap: 'whole numbers are divided' },
    answer: ({ created, lapsed, inDays }) => {
      const made = inDays(created, SINCE).map(({ locator }) => locator);
      return [[percent(lapsed.filter(({ locator }) => made.includes(locator)).length, made.length)]];
    },
  },
  {
    id: 'average-sale-kwd',
    asks: 'How much is an average sale in KWD since 1 October, to three decimals?',
    ...{ asker: 'lea', kind: 'scalar', currency: 'KWD' },
    answer: ({ sales, inDays }) => {
      const ours = inDays(sales, ['2026-10-01']).filter(({ currency }) => currency === 'KWD');
      return [[written(Math.round(sum(ours.map(minor)) / ours.length), 'KWD')]];
    },
  },
  {
    id: 'cancellations-by-clerk',
    asks: 'How many cancellations with a refund since 19 October, of a whole booking or a part, were of each clerk’s? (clerk, number)',
    ...{ asker: 'lea', kind: 'table', trap: 'exchanges have refunds too, and some cancellations bring nothing back' },
    answer: (books) => {
      const refunded = cancellations(books).filter((one) => minor(one) > 0);
      return [...Map.groupBy(refunded, ({ by }) => by)].map(([by, group]) => [by, group.length]);
    },
  },
  {
    id: 'kept-of-one',
    asks: 'What part of what was paid for {Iwan} does the airline keep, in per cent to one decimal?',
    ...{ asker: 'lea', kind: 'scalar' },
    answer: ({ paid, refunds, locator }) => {
      const isOurs = (one: Entry) => one.locator === locator('Iwan');
      return [[percent(sum(refunds.filter(isOurs).map(({ kept }) => kept)), sum(paid.filter(isOurs).map(minor)))]];
    },
  },
  {
    id: 'worth-of-lapsed',
    asks: 'What were the bookings worth that were made since 19 October and lapsed without a payment, in EUR?',
    ...{ asker: 'lea', kind: 'scalar', currency: 'EUR' },
    answer: ({ lapsed }) => [[written(sum(lapsed.filter(({ currency }) => currency === 'EUR').map(price)), 'EUR')]],
  },
  {
    id: 'largest-refund',
    asks: 'By which refund since 19 October goes most back, in each currency? (currency, locator, amount)',
    ...{ asker: 'lea', kind: 'table', trap: 'the largest number is not the largest of each currency' },
    answer: (books) =>
      [...Map.groupBy(books.inDays(books.refunds, SINCE), ({ currency }) => currency)].map(([currency, group]) => {
        const [{ locator = '', minor: amount = 0 } = {}] = group.toSorted((a, b) => b.minor - a.minor);
        return [currency, locator, written(amount, currency)];
      }),
  },
  {
    id: 'nothing-back',
    asks: 'Which cancellations since 19 October bring nothing back, and how much does the airline keep of each? (locator, kept, currency)',
    ...{ asker: 'lea', kind: 'table' },
    answer: (books) =>
      cancellations(books)
        .filter((one) => one.minor === 0)
        .map(({ locator, kept, currency }) => [locator, written(kept, currency), currency]),
  },
  {
    id: 'paid-by-customer',
    asks: 'What did customer CRM-1002 pay us since 1 September, and with how many bookings is this customer in our books? (amount, bookings)',
    ...{ asker: 'lea', kind: 'list', currency: 'EUR', trap: 'one of the bookings is not paid' },
    answer: ({ paid, all }) => {
      const ours = all.filter(({ customer }) => customer === 'CRM-1002').map(({ locator }) => locator);
      const amount = sum(paid.filter(({ locator }) => ours.includes(locator)).map(minor));
      return [[written(amount, 'EUR'), ours.length]];
    },
  },
  {
    id: 'net-by-clerk',
    asks: 'What did each clerk take last week, exchanges included, less what goes back by refunds of that week, in EUR? (clerk, net)',
    ...{ asker: 'lea', kind: 'table', currency: 'EUR', trap: 'a payment has no refund, and a refund no payment' },
    answer: ({ paid, refunds, inDays }) => {
      const back = inDays(refunds, WEEKS.second).map((one) => ({ ...one, minor: -one.minor }));
      return totals(inEur<Entry>([...inDays(paid, WEEKS.second), ...back]), minor, ({ by }) => [by]);
    },
  },
  {
    id: 'sold-at-night',
    asks: 'Which sales since 19 October were made between 22:00 and 06:00? (locator, day)',
    ...{ asker: 'lea', kind: 'table', trap: 'the evening belongs to another day than the morning' },
    answer: ({ sales, inDays }) =>
      inDays(sales, SINCE)
        .filter(({ clock }) => clock >= '22:00' || clock < '06:00')
        .map(({ locator, day }) => [locator, day]),
  },
  {
    id: 'longest-until-paid',
    asks: 'Which booking made since 19 October waited longest from its making until its payment, and how many hours, to one decimal? (locator, hours)',
    ...{ asker: 'lea', kind: 'list', trap: 'the clocks went back' },
    answer: ({ created, sales, inDays }) => {
      const waited = inDays(created, SINCE).flatMap(({ locator, at }) => {
        const paidAt = sales.find((sale) => sale.locator === locator)?.at;
        return paidAt === undefined ? [] : [{ locator, hours: rounded((paidAt - at) / 3_600_000, 1) }];
      });
      return waited
        .toSorted((a, b) => b.hours - a.hours)
        .slice(0, 1)
        .map(({ locator, hours }) => [locator, hours]);
    },
  },
  {
    id: 'later-kept',
    asks: 'What does the airline keep, VAT included, of the refunds made from 26 October to 1 November, in each currency in which it keeps anything? (currency, amount)',
    ...{ asker: 'lea', kind: 'table', later: true },
    answer: ({ refunds, inDays }) =>
      totals(
        inDays(refunds, WEEKS.second).filter(({ kept }) => kept > 0),
        ({ kept }) => kept,
      ),
  },
  {
    id: 'new-york-sold',
    asks: 'How many bookings did each clerk sell since 19 October, and for how much? (clerk, number, amount)',
    ...{ asker: 'noa', kind: 'table', currency: 'USD' },
    answer: ({ sales, inDays }) =>
      [...Map.groupBy(inDays(sales, SINCE), ({ by }) => by)].map(([by, group]) => [
        by,
        group.length,
        written(sum(group.map(minor)), 'USD'),
      ]),
  },
  {
    id: 'own-days',
    asks: 'What did I sell on each day of last week, in EUR? (day, amount)',
    ...{ asker: 'jon', kind: 'table', currency: 'EUR', trap: 'exchanges are no sales' },
    answer: ({ sales, inDays }) =>
      totals(
        inDays(sales, WEEKS.second).filter(({ by }) => by === 'jon'),
        minor,
        ({ day }) => [day],
      ),
  },
];
