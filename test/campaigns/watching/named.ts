/** What seeds have shown to be judged or told wrongly, each in its smallest form. All of it is played each time. */
import type { Finding } from './cases.ts';
import { judge, strays } from './judge.ts';
import type { Played, Script, Wanted } from './play.ts';

type Dialect = Wanted['dialect'];

interface Named {
  readonly name: string;
  readonly dialects?: readonly Dialect[];
  readonly held?: true;
  /** Hours after noon of the first day; a paid booking is read about every 21 hours, a hold every 11 and on its last day every hour. */
  readonly steps: Script['steps'];
  /** Kinds of findings in the order in which they are seen, else of the alphabet; without `deadline_moved`, which only rail shows. */
  readonly told: readonly Finding['kind'][];
}

const NAMED: readonly Named[] = [
  // The first booking gets the seats of before.
  {
    name: 'another train twice',
    steps: [
      ['equipment', 1],
      ['equipment', 4],
    ],
    told: [],
  },
  // 120 bookings, seed 2. Airlines show no time limits of a paid booking.
  {
    ...{ name: 'a limit moves, then the train, between two readings', dialects: ['rail'] },
    ...{
      steps: [
        ['deadline', 1],
        ['delay', 4],
      ],
      told: ['retimed'],
    },
  },
  // 120 bookings, seed 5: the airline's new code says that it runs for this booking.
  {
    ...{
      name: 'nobody came, and after a reading a new time',
      steps: [
        ['no-show', 1],
        ['retime', 50],
      ],
    },
    told: ['no_show', 'segment_restored'],
  },
  // What else one code of a segment hides or tells.
  {
    name: 'nobody came, then a new time',
    steps: [
      ['no-show', 1],
      ['retime', 4],
    ],
    told: ['retimed'],
  },
  {
    name: 'a new time, then nobody came',
    steps: [
      ['retime', 1],
      ['no-show', 4],
    ],
    told: ['no_show'],
  },
  {
    name: 'nobody came, and after a reading a delay',
    steps: [
      ['no-show', 1],
      ['delay', 50],
    ],
    told: ['no_show'],
  },
  // 120 bookings, seed 1129651: who left took along a segment that already says so.
  {
    name: 'nobody came, one of two leaves the booking, and a delay',
    steps: [
      ['no-show', 1],
      ['split_booking', 30],
      ['delay', 50],
    ],
    told: ['no_show'],
  },
  {
    name: 'nobody came, and after a reading a cancellation',
    steps: [
      ['no-show', 1],
      ['cancel', 50],
    ],
    told: ['no_show'],
  },
  {
    name: 'a delay, then a new number',
    steps: [
      ['delay', 1],
      ['renumber', 4],
    ],
    told: ['number_changed'],
  },
  // 20 bookings, 120 disturbed, seed 2.
  {
    name: 'another class, and after a reading another train',
    steps: [
      ['class-lost', 1],
      ['equipment', 50],
    ],
    told: ['class_changed', 'seat_changed'],
  },
  // Two refunds of one sum: that of one passenger of two, and that of the other.
  {
    name: 'a passenger and then the booking are cancelled, and both refunds wait and are paid out',
    steps: [
      ['cancel_passenger', 1],
      ['refund-pending', 30],
      ['cancel_booking (paid)', 31],
      ['refund-paid', 60],
    ],
    told: ['refund_arrived', 'refund_arrived'],
  },
  {
    ...{ name: 'another price, then a train of the hold is cancelled, between two readings', held: true },
    steps: [
      ['price', 1],
      ['cancel', 4],
    ],
    told: ['segment_cancelled'],
  },
  {
    ...{ name: 'a limit to pay moves, then a train is cancelled, between two readings', held: true },
    steps: [
      ['deadline', 1],
      ['cancel', 4],
    ],
    told: ['segment_cancelled'],
  },
  // It lapses after 60 hours.
  {
    ...{ name: 'a hold lapses that lost a train, and its other train is late', held: true },
    steps: [
      ['cancel', 1],
      ['delay', 64, 1],
    ],
    told: ['segment_cancelled'],
  },
  {
    ...{ name: 'a hold loses all its trains, and one of them runs again', held: true },
    steps: [
      ['cancel', 1],
      ['cancel', 2, 1],
      ['restore', 30],
    ],
    told: ['segment_cancelled', 'segment_cancelled', 'segment_restored'],
  },
];

const namedOf = (dialect: Dialect) => NAMED.filter(({ dialects }) => dialects?.includes(dialect) !== false);

/** The months that are always played. */
export function namedMonths(dialect: Dialect): readonly Wanted[] {
  const basis = { dialect, readsPerHour: 300 };
  return [
    { ...basis, seed: 2, bookings: 0, disturbed: 0, days: 5, scripts: namedOf(dialect) },
    // 30 bookings, seed 1: once all that are left were disturbed, a mishap found no booking.
    { ...basis, seed: 1, bookings: 1, disturbed: 3, days: 8 },
    // 120 bookings, seed 1066299: a cancelled booking is read once a day, also where it would have departed soon.
    {
      ...basis,
      seed: 1,
      bookings: 3,
      disturbed: 3,
      days: 20,
      only: 'refund-pending',
      departs: { first: 17, last: 18 },
    },
  ];
}

/** What is wrong in a named month. */
export function wrongOf(played: Played): readonly string[] {
  const { dialect, findings, followed } = played;
  const untold = namedOf(dialect).flatMap(({ name, told }, i) => {
    const mine = findings.filter(({ locator, kind }) => locator === followed[i] && kind !== 'deadline_moved');
    const kinds = mine.toSorted((a, b) => a.seenAt - b.seenAt || a.kind.localeCompare(b.kind)).map(({ kind }) => kind);
    const isTold = followed.length === 0 || kinds.join() === told.join();
    return isTold ? [] : [`${dialect}, ${name}: told ${kinds.join(', ')}, not ${told.join(', ')}`];
  });
  const refused = played.refused.map((kind) => `${dialect}: ${kind} could not happen`);
  const problems = judge(played).filter((problem) => problem !== '');
  return [...untold, ...problems, ...strays(played), ...refused, ...played.failures].map((one) => `named: ${one}`);
}
