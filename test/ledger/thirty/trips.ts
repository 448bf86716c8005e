/** Who travels and who waits, and what people asked and were told. */
import { people, sum, written } from '../sixty/books.ts';
import { dayOn, WEEKS } from '../sixty/people.ts';
import type { DeskQuestion } from '../sixty/question.ts';
import { rounded } from './figures.ts';
import { cancellations } from './finance.ts';

const SINCE = [dayOn(1)] as const;
/** The Tuesday on which is asked, and the Sunday after it. */
const [TUESDAY, SUNDAY] = [dayOn(16), dayOn(21)];

export const OPERATIONS: readonly DeskQuestion[] = [
  {
    id: 'people-by-day',
    asks: 'How many people leave with our tickets on each day from 3 to 8 November, train by train? (day, people)',
    ...{ asker: 'lea', kind: 'table', trap: 'cancelled bookings, trains and ways back' },
    answer: ({ travelled }) => {
      const legs = travelled.filter(({ day }) => day >= TUESDAY && day <= SUNDAY);
      return [...Map.groupBy(legs, ({ day }) => day)].map(([day, group]) => [day, sum(group.map((leg) => leg.people))]);
    },
  },
  {
    id: 'board-in-madinah',
    asks: 'Who gets on a train in Madinah (XMD) after today with our tickets? (locator, train, day, people)',
    ...{ asker: 'lea', kind: 'table', keys: 3 },
    answer: ({ travelled, today }) =>
      travelled
        .filter(({ from, day }) => from === 'XMD' && day > today)
        .map((leg) => [leg.locator, leg.train, leg.day, leg.people]),
  },
  {
    id: 'ways-back',
    asks: 'Which bookings have a second train that they still take after today, and when does it leave? (locator, day, time as HH:MM)',
    ...{ asker: 'lea', kind: 'table', trap: 'one way back was cancelled' },
    answer: ({ travelled, today }) =>
      travelled.filter(({ n, day }) => n === 2 && day > today).map((leg) => [leg.locator, leg.day, leg.clock]),
  },
  {
    id: 'people-by-class',
    asks: 'How many people travel with our tickets after today in each class (C is business, Y is economy), train by train? (class, people)',
    ...{ asker: 'lea', kind: 'table', trap: 'an exchange took another class' },
    answer: ({ travelled, today }) => {
      const legs = travelled.filter(({ day }) => day > today);
      const classes = Map.groupBy(legs, ({ bookingClass }) => bookingClass);
      return [...classes].map(([one, group]) => [one, sum(group.map((leg) => leg.people))]);
    },
  },
  {
    id: 'holds-of-several',
    asks: 'Which bookings of more than one person wait for their payment and can still be paid, also where a payment is in doubt, and until when? (locator, people, day, time as HH:MM)',
    ...{ asker: 'lea', kind: 'table' },
    answer: ({ held, dayOf, clockOf }) =>
      held
        .filter(({ booking }) => people(booking) > 1)
        .map(({ locator, booking }) => [locator, people(booking), dayOf(booking.payBy), clockOf(booking.payBy)]),
  },
  {
    id: 'fate-of-holds',
    asks: 'Of the bookings made since 19 October, how many were paid, how many lapsed, how many did we give up unpaid, and how many can still be paid, also where a payment is in doubt? (paid, lapsed, given up, open)',
    ...{ asker: 'lea', kind: 'list', trap: 'paid bookings that were cancelled since were paid' },
    answer: ({ created, sales, lapsed, released, held, inDays }) => {
      const made = inDays(created, SINCE).map(({ locator }) => locator);
      const among = (list: readonly { readonly locator: string }[]) =>
        list.filter(({ locator }) => made.includes(locator)).length;
      return [[among(sales), among(lapsed), among(released), among(held)]];
    },
  },
  {
    id: 'names-missing',
    asks: 'How many people of the group Chor Nord ({Jung}) have no name yet, and how many are they in all? (without a name, people)',
    ...{ asker: 'lea', kind: 'list' },
    answer: (books) => {
      const { travelers } = books.booking('Jung').booking;
      return [[travelers.filter(({ name }) => name === undefined).length, travelers.length]];
    },
  },
  {
    id: 'over-midnight',
    asks: 'Which trains with our travellers arrive on another day than they left, tickets of the past included? (locator, train)',
    ...{ asker: 'lea', kind: 'table', trap: 'cancelled bookings and trains' },
    answer: ({ travelled }) =>
      travelled.filter(({ day, arrivalDay }) => arrivalDay > day).map(({ locator, train }) => [locator, train]),
  },
];

export const SUPPORT: readonly DeskQuestion[] = [
  {
    id: 'money-of-one',
    asks: 'The customer of {Ebert} asks about the money: what was paid, what goes back, and what does the airline keep, in EUR? (paid, goes back, kept)',
    ...{ asker: 'lea', kind: 'list', currency: 'EUR' },
    answer: ({ paid, refunds, locator }) => {
      const isOurs = (one: { readonly locator: string }) => one.locator === locator('Ebert');
      const back = refunds.filter(isOurs);
      const amounts = [paid.filter(isOurs), back].map((list) => sum(list.map(({ minor }) => minor)));
      return [[...amounts, sum(back.map(({ kept }) => kept))].map((minor) => written(minor, 'EUR'))];
    },
  },
  {
    id: 'asked-and-refused',
    asks: 'How many questions for a yes were asked last week, how many got a no, and how many no answer at all? (asked, no, unanswered)',
    ...{ asker: 'lea', kind: 'list', trap: 'one ended because it was asked anew' },
    answer: ({ questions, inDays }) => {
      const asked = inDays(questions, WEEKS.second);
      const of = (...ends: readonly string[]) => asked.filter(({ end }) => ends.includes(end)).length;
      return [[asked.length, of('no'), of('lapsed', 'withdrawn')]];
    },
  },
  {
    id: 'average-wait',
    asks: 'How many minutes did a yes of last week take on average, to two decimals?',
    ...{ asker: 'lea', kind: 'scalar' },
    answer: ({ questions, inDays }) => {
      const yes = inDays(questions, WEEKS.second).filter(({ end }) => end === 'yes');
      return [[rounded(sum(yes.map(({ minutes }) => minutes)) / yes.length, 2)]];
    },
  },
  {
    id: 'failed-of-clerks',
    asks: 'Which calls of which clerk failed since 19 October, with which code, and how often? (clerk, code, number)',
    ...{ asker: 'lea', kind: 'table', keys: 2, trap: 'equal failures of an hour are one row' },
    answer: ({ failed }) => {
      const groups = Map.groupBy(failed, ({ by, code }) => JSON.stringify([by, code]));
      return [...groups].map(([key, group]) => [...(JSON.parse(key) as [string, string]), group.length]);
    },
  },
  {
    id: 'own-cancelled',
    asks: 'Of which of my bookings was something cancelled since 19 October that had been paid, and how much goes back? (locator, amount)',
    ...{ asker: 'jon', kind: 'table', currency: 'EUR', trap: 'exchanges have refunds too' },
    answer: (books) =>
      cancellations(books)
        .filter(({ by }) => by === 'jon')
        .map(({ locator, minor }) => [locator, written(minor, 'EUR')]),
  },
];
