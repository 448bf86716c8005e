/** Plays parts of the campaign: in this process, or in one of several, each of which takes one order after the other. */

import { takeOrders } from '../support/child.ts';
import type { Case, Outcome } from './campaign.ts';
import type { ActName } from './irrelevant.ts';
import { allParts, type MissedPart, needsPart, reachParts } from './rows.ts';

reachParts();
const { allCases, drawn, isIrrelevant, isSilent, outcomes } = await import('./campaign.ts');
const { playChanges, playHonest } = await import('./honest.ts');
const { playHabits } = await import('./habits-played.ts');

/** Of the whole campaign, what is played: the lies with these places in its order, honest airlines, or a part that is taken out. */
export type Order =
  | { readonly lies: readonly number[] }
  | { readonly holds: number }
  | { readonly changes: number }
  | { readonly habits: number }
  | { readonly without: string };

export interface Report {
  /** What became of each lie, with its place. */
  readonly outcomes: readonly (readonly [place: number, outcome: Pick<Outcome, 'verdict' | 'place' | 'fresh'>])[];
  readonly honest?: Awaited<ReturnType<typeof playHonest>>;
  readonly changed?: Awaited<ReturnType<typeof playChanges>>;
  readonly habits?: Awaited<ReturnType<typeof playHabits>>;
  /** Of the part that was taken out. */
  readonly missed?: MissedPart;
  readonly failures: readonly string[];
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** How many lies that become silent are looked at again. */
const MOST_MISSED = 3;

export type Player = Awaited<ReturnType<typeof openPlayer>>;

export async function openPlayer(only: string, seed: number) {
  const cases = drawn(await allCases(only), seed);
  const places = new Map(cases.map((one, i) => [one, i]));

  /** What a part needs may be of acts that are not played. */
  async function casesOf(acts: readonly ActName[]): Promise<readonly Case[]> {
    const isOf = ({ act }: Case) => acts.includes(act.name);
    const own = cases.filter(isOf);
    return own.length > 0 ? own : (await allCases(acts.join(','))).filter(isOf);
  }

  /** Whether a lie becomes silent that somebody tells again once the part is back. */
  async function without(name: string, failures: unknown[]): Promise<MissedPart> {
    const part = allParts().find((one) => one.name === name);
    const needed = part && needsPart(part);
    if (part === undefined || needed === undefined) return { name, lies: 0, isMissed: false };
    const its = (await casesOf(needed.acts)).filter(({ told: { lie } }) => needed.isOf(lie));
    const isResult = !part.isOfReadings && !needed.acts.includes('reading');
    const putBack = part.takeOut();
    const silent: Outcome[] = [];
    try {
      for await (const outcome of outcomes(its, failures, isResult)) {
        if (isSilent(outcome) && !isIrrelevant(outcome)) silent.push(outcome);
        if (silent.length >= MOST_MISSED) break;
      }
    } finally {
      putBack();
    }
    for await (const outcome of outcomes(silent, failures, isResult))
      if (!isSilent(outcome)) return { name, lies: its.length, isMissed: true };
    return { name, lies: its.length, isMissed: false };
  }

  return {
    cases,
    async obey(order: Order): Promise<Report> {
      const failures: unknown[] = [];
      const done: Report['outcomes'][number][] = [];
      let rest = {};
      if ('lies' in order) {
        const its = order.lies.flatMap((i) => cases[i] ?? []);
        for await (const outcome of outcomes(its, failures)) {
          const { dialect, act, told, isPlanned, ...became } = outcome;
          const place = its.findIndex((one) => one.told === told);
          done.push([places.get(its[place] as (typeof its)[number]) ?? -1, became]);
        }
      } else if ('holds' in order) rest = { honest: await playHonest(order.holds, seed) };
      else if ('changes' in order) rest = { changed: await playChanges(order.changes, seed) };
      else if ('habits' in order) rest = { habits: await playHabits(order.habits, seed) };
      else rest = { missed: await without(order.without, failures) };
      return { outcomes: done, ...rest, failures: failures.map(textOf) };
    },
  };
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  const { CAMPAIGN_ONLY = '', CAMPAIGN_SEED = '1' } = process.env;
  const player = await openPlayer(CAMPAIGN_ONLY, Number(CAMPAIGN_SEED));
  takeOrders<Order, Report>(player.obey, async () => undefined);
}
