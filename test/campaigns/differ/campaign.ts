/** All lies of all acts, and what becomes of each. */
import { Chance } from '../support/chance.ts';
import { type Act, airlineOf, liesOf, placesOf, type ToldLie } from './acts.ts';
import { type Desk, type Dialect, openDesk } from './desk.ts';
import { IRRELEVANT, OPEN, shortPath, type TableRow } from './irrelevant.ts';
import { type Judged, judge } from './judge.ts';
import { type Played, play } from './play.ts';
import { publishedTrips } from './published.ts';
import { isLate, offersRules, sandboxTrip } from './trips.ts';

/** The same desk for so many trips: its store remembers all of them. */
const TRIPS_AT_ONE_DESK = 200;
/** A plan asks the same as the payment alone, so that the plan hears few lies. */
const PLANNED_EVERY = 5;

export interface Case {
  readonly dialect: Dialect;
  readonly act: Act;
  readonly told: ToldLie;
  readonly isPlanned: boolean;
}

export interface Outcome extends Case {
  /** Of the place that says least. */
  readonly verdict: Judged['verdict'];
  readonly place: string;
  readonly fresh: readonly string[];
}

async function actsOf(dialect: Dialect): Promise<readonly Act[]> {
  const published = publishedTrips()[dialect];
  const names = [await sandboxTrip('names', dialect), ...published.names];
  const counts = [await sandboxTrip('counts', dialect), ...published.counts];
  const checked = dialect === 'airline' ? [await sandboxTrip('checked', dialect), ...published.checked] : [];
  // The airline dialect shows no birth dates, without which nobody can be booked anew.
  const moved = dialect === 'rail' ? [await sandboxTrip('moved', dialect)] : [];
  const added = await sandboxTrip('added', dialect);
  const recorded = dialect === 'rail' ? [await sandboxTrip('availability', dialect)] : [];
  return [
    ...names.map((trip): Act => ({ name: 'search', trip, step: 'search' })),
    ...recorded.map((trip): Act => ({ name: 'availability', trip, step: 'search' })),
    ...checked.map((trip): Act => ({ name: 'check', trip, step: 'check' })),
    ...names.map((trip): Act => ({ name: 'hold', trip, step: 'hold' })),
    ...counts.map((trip): Act => ({ name: 'counts', trip, step: 'hold' })),
    ...moved.map((trip): Act => ({ name: 'moved', trip, step: 'hold' })),
    ...[...names, ...counts, added].map((trip): Act => ({ name: 'reading', trip, step: 'reading' })),
  ];
}

export async function allCases(): Promise<readonly Case[]> {
  const cases: Case[] = [];
  for (const dialect of ['rail', 'airline'] as const) {
    for (const act of await actsOf(dialect))
      cases.push(
        ...liesOf(act).map((lie, i): Case => ({ dialect, act, told: lie, isPlanned: i % PLANNED_EVERY === 0 })),
      );
  }
  return cases;
}

/** In the order of a seed: one of each kind first, then a second one of each. */
export function drawn(cases: readonly Case[], seed: number): readonly Case[] {
  const kinds = Map.groupBy(
    new Chance(seed).shuffled(cases),
    ({ dialect, act, told: { lie } }) => `${dialect} ${act.name} ${shortPath(lie.path)} ${lie.kind}`,
  );
  const numbered = [...kinds.values()].flatMap((alike) => alike.map((one, i) => [i, one] as const));
  return numbered.toSorted(([a], [b]) => a - b).map(([, one]) => one);
}

const VERDICTS: readonly Judged['verdict'][] = ['nothing', 'only the new value', 'told', 'refused'];
const rank = ({ verdict }: Pick<Judged, 'verdict'>): number => VERDICTS.indexOf(verdict);

/**
 * Plays cases.
 * @param failures takes the mistakes inside
 * @param isResult only what the results of the search and of the hold say counts
 */
export async function* outcomes(
  cases: readonly Case[],
  failures: unknown[],
  isResult = false,
): AsyncGenerator<Outcome> {
  for (const [act, ofAct] of Map.groupBy(cases, (one) => one.act)) {
    let desk: Desk | undefined;
    let honest: Played | undefined;
    const closed = async () => {
      failures.push(...(desk?.failures ?? []));
      await desk?.close();
    };
    try {
      for (const [i, one] of ofAct.entries()) {
        if (i % TRIPS_AT_ONE_DESK === 0) {
          await closed();
          desk = await openDesk(act.trip.desk);
          honest = await play(desk.person(airlineOf(act)), act.trip);
        }
        if (desk === undefined || honest === undefined) throw new Error('no desk is open');
        const played = await play(desk.person(airlineOf(act, one.told)), act.trip, one.isPlanned);
        yield { ...one, ...leastTold(one, honest, played, isResult) };
      }
    } finally {
      await closed();
    }
  }
}

/** Of the places that must tell it, the one that says least. */
function leastTold({ act, told: lie, isPlanned }: Case, honest: Played, played: Played, isResult: boolean) {
  const reply = act.trip.replies[act.step];
  const wanted = placesOf(act, lie).filter(([first]) => !isResult || first === 'hold' || first === 'search');
  const all = wanted.flatMap((places) => {
    const judged = places.flatMap((place) => {
      const before = honest[place];
      if (before === undefined || (place === 'plan' && !isPlanned)) return [];
      // A hold that cannot be paid is no trap.
      const isOver = place === 'hold' && played.question?.refused === true;
      const { verdict, fresh } = judge(lie.lie, reply, before, isOver ? undefined : played[place]);
      return [{ place, verdict, fresh }];
    });
    return judged.toSorted((a, b) => rank(b) - rank(a)).slice(0, 1);
  });
  return all.toSorted((a, b) => rank(a) - rank(b))[0] ?? { place: '', verdict: 'refused' as const, fresh: [] };
}

const fits = ({ path, kinds, acts, only }: TableRow, { act, told: { lie } }: Case): boolean =>
  path === shortPath(lie.path) &&
  kinds.includes(lie.kind) &&
  acts.includes(act.name) &&
  !(only === 'unruled' && offersRules(act.trip)) &&
  !(only === 'late' && !isLate(lie.was, act.trip));

export const isSilent = ({ verdict }: Outcome): boolean => verdict === 'nothing' || verdict === 'only the new value';
export const isIrrelevant = (one: Outcome): boolean => IRRELEVANT.some((row) => fits(row, one));
export const isOpen = (one: Outcome): boolean => OPEN.some((row) => fits(row, one));
/** Nobody hears of it, and no table says why that does not matter. */
export const isHarmful = (one: Outcome): boolean => isSilent(one) && !isIrrelevant(one) && !isOpen(one);
