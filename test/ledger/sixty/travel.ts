/** Holds, trains and who travels on them. */
import { type Books, people, sum, written } from './books.ts';
import { dayOn, WEEKS } from './people.ts';
import type { DeskQuestion } from './question.ts';

const minutesBetween = (from: number, to: number) => Math.round((to - from) / 60_000);
const price = ({ booking }: Books['all'][number]) =>
  booking.orders.find(({ direction }) => direction === 'PAYMENT')?.amount.minor ?? 0;

export const HOLDS: readonly DeskQuestion[] = [
  {
    id: 'lapse-today',
    asks: 'Which holds lapse today and can still be paid, at what time, and what are they worth? (locator, time as HH:MM, amount, currency)',
    ...{ asker: 'lea', kind: 'table', trap: 'one lapsed today already' },
    answer: ({ held, dayOf, clockOf, today }) =>
      held
        .filter(({ booking }) => dayOf(booking.payBy) === today)
        .map((one) => [one.locator, clockOf(one.booking.payBy), written(price(one), one.currency), one.currency]),
  },
  {
    id: 'never-paid',
    asks: 'Which holds made from 19 to 25 October were neither paid nor given up by us, and for how many people were they? (locator, people)',
    ...{ asker: 'lea', kind: 'table', trap: 'nobody has read it since it lapsed' },
    answer: ({ lapsed, dayOf }) =>
      lapsed
        .filter(({ booking }) => dayOf(booking.createdAt) <= dayOn(7))
        .map(({ locator, booking }) => [locator, people(booking)]),
  },
  {
    id: 'own-open-holds',
    asks: 'What are my open holds worth together, in EUR?',
    ...{ asker: 'jon', kind: 'scalar', currency: 'EUR' },
    answer: ({ held }) => [[written(sum(held.filter(({ by }) => by === 'jon').map(price)), 'EUR')]],
  },
  {
    id: 'hold-to-payment',
    asks: 'How many minutes passed from the making of the hold of Kraus ({Kraus}) until it was paid?',
    ...{ asker: 'lea', kind: 'scalar', trap: 'the clocks went back in between' },
    answer: ({ created, sales, locator }) => {
      const [from, to] = [created, sales].map((list) => list.find((one) => one.locator === locator('Kraus'))?.at ?? 0);
      return [[minutesBetween(from ?? 0, to ?? 0)]];
    },
  },
  {
    id: 'released',
    asks: 'Which unpaid holds did we give up ourselves since 19 October, who did, and what reason did the customer give? (locator, clerk, reason)',
    ...{ asker: 'lea', kind: 'table' },
    answer: ({ released, reasons }) => released.map(({ locator, by }) => [locator, by, reasons.get(locator) ?? '']),
  },
  {
    id: 'paid-late',
    asks: 'Which bookings made since 19 October were paid more than an hour after the hold was made? (locator)',
    ...{ asker: 'lea', kind: 'list', trap: 'some were paid on the next day, one across the change of clocks' },
    answer: ({ created, sales, inDays }) =>
      inDays(created, [dayOn(1)])
        .filter(({ locator, at }) => sales.some((sale) => sale.locator === locator && sale.at - at > 3_600_000))
        .map(({ locator }) => [locator]),
  },
];

export const TRAINS: readonly DeskQuestion[] = [
  {
    id: 'changed-trains',
    asks: 'Which trains did the airline cancel or move by itself since 28 October? Name each with the day on which it leaves. (train, day, locator)',
    ...{ asker: 'lea', kind: 'table', keys: 3 },
    answer: ({ mishaps, all }) =>
      mishaps.map((locator) => {
        const { train = '', day = '' } = all.find((one) => one.locator === locator)?.sold?.legs[0] ?? {};
        return [train, day, locator];
      }),
  },
  {
    id: 'people-moved',
    asks: 'How many people still have a ticket for a train that the airline moved to another time?',
    ...{ asker: 'lea', kind: 'scalar', trap: 'the train of another booking was cancelled' },
    answer: ({ mishaps, travelled }) => [
      [sum(travelled.flatMap(({ locator, people }) => (mishaps.includes(locator) ? [people] : [])))],
    ],
  },
  {
    id: 'minutes-later',
    asks: 'By how many minutes later does the train of Weber ({Weber}) leave now than when it was sold?',
    ...{ asker: 'lea', kind: 'scalar', trap: 'the booking shows the new time only' },
    answer: (books) => {
      const { legs, sold } = books.booking('Weber');
      return [[minutesBetween(sold?.legs[0]?.departsAt ?? 0, legs[0]?.departsAt ?? 0)]];
    },
  },
  {
    id: 'as-sold',
    asks: 'Which trains did we sell to Ahlers ({Ahlers}) at first, before the exchange, in the order of travel? (train, day of departure)',
    ...{
      asker: 'lea',
      kind: 'list',
      ordered: true,
      trap: 'sold over a month ago; the booking shows the exchanged train',
    },
    answer: (books) => books.booking('Ahlers').sold?.legs.map(({ train, day }) => [train, day]) ?? [],
  },
  {
    id: 'left-makkah',
    asks: 'How many people left Makkah (QCA) with our tickets last week?',
    ...{ asker: 'lea', kind: 'scalar' },
    answer: ({ travelled, inDays }) => [
      [sum(inDays(travelled, WEEKS.second).flatMap(({ from, people }) => (from === 'QCA' ? [people] : [])))],
    ],
  },
  {
    id: 'still-leave-today',
    asks: 'Who still leaves today with our tickets? (locator, train, time as HH:MM, people)',
    ...{ asker: 'lea', kind: 'table', keys: 2, trap: 'two trains left already, one was cancelled, one booking too' },
    answer: ({ travelled, today, now }) =>
      travelled
        .filter(({ day, departsAt }) => day === today && departsAt > now)
        .map(({ locator, train, clock, people }) => [locator, train, clock, people]),
  },
  {
    id: 'night-train',
    asks: 'How many minutes was the night train of Lorenz ({Lorenz}) on its way by the timetable?',
    ...{ asker: 'lea', kind: 'scalar', trap: 'the clocks went back in that night' },
    answer: (books) => {
      const [leg] = books.booking('Lorenz').legs;
      return [[minutesBetween(leg?.departsAt ?? 0, leg?.arrivesAt ?? 0)]];
    },
  },
  {
    id: 'small-travellers',
    asks: 'Which bookings with children or infants leave after today? (locator, children, infants)',
    ...{ asker: 'lea', kind: 'table' },
    answer: ({ travelled, today, all }) =>
      all.flatMap(({ locator, booking }) => {
        const [children, infants] = [people(booking, 'CHD'), people(booking, 'INF')];
        const leaves = travelled.some((leg) => leg.locator === locator && leg.day > today);
        return leaves && children + infants > 0 ? [[locator, children, infants]] : [];
      }),
  },
  {
    id: 'price-of-a-head',
    asks: 'What did the group Chor Nord ({Jung}) pay for each person, in EUR?',
    ...{ asker: 'lea', kind: 'scalar', currency: 'EUR' },
    answer: (books) => {
      const one = books.booking('Jung');
      return [[written(price(one) / people(one.booking), 'EUR')]];
    },
  },
  {
    id: 'arrive-in-madinah',
    asks: 'How many people with our tickets arrive in Madinah (XMD) on each day from 4 to 8 November? (day, people)',
    ...{ asker: 'lea', kind: 'table', trap: 'cancelled bookings, exchanged trains and holds that lapsed' },
    answer: ({ travelled }) =>
      [
        ...Map.groupBy(
          travelled.filter(({ to, arrivalDay }) => to === 'XMD' && arrivalDay >= dayOn(17) && arrivalDay <= dayOn(21)),
          ({ arrivalDay }) => arrivalDay,
        ),
      ].map(([day, legs]) => [day, sum(legs.map(({ people }) => people))]),
  },
  {
    id: 'exchanged-trains',
    asks: 'Which trains were exchanged since 19 October: the train as it was sold, and the one that took its place? (locator, train as sold, train now)',
    ...{ asker: 'lea', kind: 'table', trap: 'the booking shows the new train only' },
    answer: ({ exchanges, all }) =>
      exchanges.map(({ locator }) => {
        const { sold, legs } = all.find((one) => one.locator === locator) ?? {};
        return [locator, sold?.legs[0]?.train ?? '', legs?.[0]?.train ?? ''];
      }),
  },
];
