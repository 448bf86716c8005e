/** Questions and answers, failures, the hours that come twice, and what each caller sees. */
import { sum, totals, written } from './books.ts';
import { dayOn, WEEKS } from './people.ts';
import type { DeskQuestion } from './question.ts';

const SINCE = [dayOn(1)] as const;
const longestFirst = <T extends { readonly minutes: number }>(list: readonly T[]) =>
  list.toSorted((a, b) => b.minutes - a.minutes);
const counted = <T>(list: readonly T[], key: (one: T) => string) =>
  [...Map.groupBy(list, key)].map(([name, group]): [string, number] => [name, group.length]);

export const APPROVALS: readonly DeskQuestion[] = [
  {
    id: 'waited-longest',
    asks: 'Who waited longest last week for the answer to a question, about which booking, and how many minutes? Questions that nobody answered do not count. (clerk, locator, minutes)',
    ...{ asker: 'lea', kind: 'list' },
    answer: ({ questions, inDays }) =>
      longestFirst(inDays(questions, WEEKS.second).filter(({ end }) => end === 'yes' || end === 'no'))
        .slice(0, 1)
        .map(({ by, locator, minutes }) => [by, locator, minutes]),
  },
  {
    id: 'answered-on-page',
    asks: 'How many questions did lea answer on the page since 19 October, and how many minutes did the longest of them wait? (questions, minutes)',
    ...{ asker: 'lea', kind: 'list' },
    answer: ({ questions }) => {
      const ours = questions.filter(({ via, approver }) => via === 'page' && approver === 'lea');
      return [[ours.length, longestFirst(ours)[0]?.minutes ?? 0]];
    },
  },
  {
    id: 'never-answered',
    asks: 'Which questions since 19 October were never answered with a yes or a no, who had asked, and for how much was that booking paid later all the same? (locator, clerk, amount)',
    ...{ asker: 'lea', kind: 'table' },
    answer: ({ questions, sales }) =>
      questions
        .filter(({ end }) => end === 'lapsed' || end === 'withdrawn')
        .map(({ locator, by }) => {
          const { minor = 0, currency = '' } = sales.find((sale) => sale.locator === locator) ?? {};
          return [locator, by, written(minor, currency)];
        }),
  },
  {
    id: 'yes-by-person',
    asks: 'How many times did each person say yes last week? (person who said yes, number)',
    ...{ asker: 'lea', kind: 'table', trap: 'on the page another person than the clerk says yes' },
    answer: ({ questions, inDays }) =>
      counted(
        inDays(questions, WEEKS.second).filter(({ end }) => end === 'yes'),
        ({ approver }) => approver,
      ),
  },
  {
    id: 'own-yes',
    asks: 'How many times did I say yes myself since 19 October?',
    ...{ asker: 'jon', kind: 'scalar' },
    answer: ({ questions }) => [[questions.filter(({ approver, end }) => approver === 'jon' && end === 'yes').length]],
  },
  {
    id: 'reasons',
    asks: 'Which reasons did customers give for what was cancelled or given up since 19 October? (locator, reason)',
    ...{ asker: 'lea', kind: 'table' },
    answer: ({ reasons, all }) =>
      all.flatMap(({ locator }) => {
        const reason = reasons.get(locator);
        return reason === undefined ? [] : [[locator, reason]];
      }),
  },
  {
    id: 'without-reason',
    asks: 'For which cancellations with a refund since 19 October, of a whole booking or a part, was no reason given? (locator)',
    ...{ asker: 'lea', kind: 'list', trap: 'exchanges have refunds and are no cancellation' },
    answer: ({ refunds, exchanges, reasons }) =>
      refunds
        .filter(({ locator, at }) => !exchanges.some((one) => one.locator === locator && one.at === at))
        .filter(({ locator }) => !reasons.has(locator))
        .map(({ locator }) => [locator]),
  },
];

export const TROUBLE: readonly DeskQuestion[] = [
  {
    id: 'in-doubt',
    asks: 'A payment of today is in doubt: of which booking, and until when does its hold last? (locator, day, time as HH:MM)',
    ...{ asker: 'lea', kind: 'table' },
    answer: ({ booking, dayOf, clockOf }) => {
      const { locator, booking: held } = booking('Roth');
      return [[locator, dayOf(held.payBy), clockOf(held.payBy)]];
    },
  },
  {
    id: 'failed-hour',
    asks: 'Why did calls fail on 30 October between 14:00 and 15:00? (tool, error code, number of calls)',
    ...{ asker: 'lea', kind: 'table' },
    answer: ({ failed }) => {
      const ours = failed.filter(({ day, clock }) => day === dayOn(12) && clock >= '14:00' && clock < '15:00');
      const groups = Map.groupBy(ours, ({ tool, code }) => JSON.stringify([tool, code]));
      return [...groups].map(([key, group]) => [...(JSON.parse(key) as string[]), group.length]);
    },
  },
  {
    id: 'failed-by-tool',
    asks: 'How many calls of each tool failed on 30 October? (tool, number of calls)',
    ...{ asker: 'lea', kind: 'table' },
    answer: ({ failed, inDays }) => counted(inDays(failed, [dayOn(12), dayOn(12)]), ({ tool }) => tool),
  },
  {
    id: 'failed-by-caller',
    asks: 'How many calls of each clerk failed on Monday 2 November? (clerk, number of calls)',
    ...{ asker: 'lea', kind: 'table', trap: 'equal failures of an hour are one row; the other desk has a jon' },
    answer: ({ failed, inDays }) => counted(inDays(failed, [dayOn(15), dayOn(15)]), ({ by }) => by),
  },
  {
    id: 'refused-then-paid',
    asks: 'Which payment did the airline refuse, and how many minutes later was the booking paid after all? (locator, minutes)',
    ...{ asker: 'lea', kind: 'table' },
    answer: ({ failed, sales, locator }) => {
      const refused = failed.find(({ code }) => code === 'E_PAYMENT_DECLINED')?.at ?? 0;
      const paid = sales.find((sale) => sale.locator === locator('Xaver'))?.at ?? 0;
      return [[locator('Xaver'), Math.round((paid - refused) / 60_000)]];
    },
  },
  {
    id: 'new-york-failure',
    asks: 'What did jon try in vain since 19 October, and why did it fail? (tool, error code)',
    ...{ asker: 'noa', kind: 'table', trap: 'the clerk has the name of one in Berlin' },
    answer: ({ failed }) => failed.flatMap(({ by, tool, code }) => (by === 'jon' ? [[tool, code]] : [])),
  },
];

/** `02:00` to `03:00` of a day on which it comes twice. */
const twice = (day: string, from: string, to: string) => (one: { readonly day: string; readonly clock: string }) =>
  one.day === day && one.clock >= from && one.clock < to;

export const CLOCKS: readonly DeskQuestion[] = [
  {
    id: 'berlin-twice',
    asks: 'Which sales were made on 25 October between two and three in the night, in the order in which they happened? (locator)',
    ...{ asker: 'lea', kind: 'list', ordered: true, trap: 'the hour comes twice: 02:21 was before 02:11' },
    answer: ({ sales }) => sales.filter(twice(dayOn(7), '02:00', '03:00')).map(({ locator }) => [locator]),
  },
  {
    id: 'new-york-twice',
    asks: 'Which sales were made on 1 November between one and two in the night, in the order in which they happened? (locator, clerk)',
    ...{ asker: 'noa', kind: 'list', ordered: true, trap: 'the hour comes twice: 01:41 was before 01:21' },
    answer: ({ sales }) => sales.filter(twice(dayOn(14), '01:00', '02:00')).map(({ locator, by }) => [locator, by]),
  },
  {
    id: 'new-york-day',
    asks: 'How much did we take on 1 November, in USD?',
    ...{
      asker: 'noa',
      kind: 'scalar',
      currency: 'USD',
      trap: 'a day of 25 hours; the last sale is on the next day by UTC',
    },
    answer: ({ paid }) => [[written(sum(paid.flatMap(({ day, minor }) => (day === dayOn(14) ? [minor] : []))), 'USD')]],
  },
  {
    id: 'new-york-clerks',
    asks: 'How many bookings did each clerk make since 19 October? (clerk, bookings)',
    ...{ asker: 'noa', kind: 'table' },
    answer: ({ created, inDays }) => counted(inDays(created, SINCE), ({ by }) => by),
  },
];

export const OWN: readonly DeskQuestion[] = [
  {
    id: 'own-money',
    asks: 'How much did I take since 19 October, for payments and exchanges, in EUR?',
    ...{ asker: 'jon', kind: 'scalar', currency: 'EUR', trap: 'an exchange costs money; the other desk has a jon' },
    answer: ({ paid, inDays }) => [
      [written(sum(inDays(paid, SINCE).flatMap(({ by, minor }) => (by === 'jon' ? [minor] : []))), 'EUR')],
    ],
  },
  {
    id: 'own-still-to-travel',
    asks: 'Which of my paid bookings have their first train after today, and on which day? (locator, day)',
    ...{ asker: 'jon', kind: 'table', trap: 'one leaves with its first train today, and back later' },
    answer: ({ travelled, today }) =>
      [...Map.groupBy(travelled, ({ locator }) => locator)].flatMap(([locator, [leg]]) =>
        leg?.by === 'jon' && leg.day > today ? [[locator, leg.day]] : [],
      ),
  },
  {
    id: 'older-than-a-month',
    asks: 'What was paid for {Ahlers} in all, exchange included, and on which day was its first payment? (amount, day)',
    ...{ asker: 'lea', kind: 'list', trap: 'its first payment is older than a month' },
    answer: ({ paid, locator }) => {
      const ours = paid.filter((one) => one.locator === locator('Ahlers'));
      const [[amount = 0] = []] = totals(
        ours,
        ({ minor }) => minor,
        () => [],
      );
      return [[amount, ours[0]?.day ?? '']];
    },
  },
];

export const APPROVALS_LATER: readonly DeskQuestion[] = [
  {
    id: 'later-waited-longest',
    asks: 'Which three questions waited longest for their yes or no from 19 October to 1 November, the longest first? (locator, minutes)',
    ...{ asker: 'lea', kind: 'list', ordered: true, later: true, trap: 'over a month ago; some ended with a no' },
    answer: ({ questions, inDays }) =>
      longestFirst(inDays(questions, [dayOn(1), dayOn(14)]).filter(({ end }) => end === 'yes' || end === 'no'))
        .slice(0, 3)
        .map(({ locator, minutes }) => [locator, minutes]),
  },
];
