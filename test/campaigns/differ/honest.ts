/**
 * Honest airlines with every quirk, alone and several at once: nobody may hear of it as a difference, and each trip must come to the
 * question about its payment.
 */
import { Chance } from '../support/chance.ts';
import { airlineOf } from './acts.ts';
import { type Desk, type Dialect, openDesk } from './desk.ts';
import { honestJourneys } from './journeys.ts';
import { type Played, play } from './play.ts';
import { publishedTrips } from './published.ts';
import { QUIRKS, type QuirkName } from './quirks.ts';
import { HOLD, type Rewrite, SEARCH } from './recordings.ts';
import { CHANGE, READING_BEFORE, sandboxTrip, type Trip } from './trips.ts';

const TRIPS_AT_ONE_DESK = 200;
const MOST_AT_ONCE = 4;

/** Words of a line that tells a difference. */
const ALARM = /not as offered|, (?:offered|sent)\b|not asked for|is missing|is not (?:held|on)\b/i;

/** Quirks that are still told as a difference. This list only becomes shorter. */
export const FALSE_ALARMS: readonly QuirkName[] = [];

const ALL = (Object.keys(QUIRKS) as QuirkName[]).filter((name) => !FALSE_ALARMS.includes(name));

function withQuirks(trip: Trip, names: readonly QuirkName[]): Trip {
  const applied = (reply: unknown, isReading: boolean) =>
    names.reduce((before, name) => QUIRKS[name](before, isReading), reply);
  const { hold, reading } = trip.replies;
  const replies = { ...trip.replies, hold: applied(hold, false), reading: applied(reading, true) };
  const ofChange = [CHANGE, READING_BEFORE].filter((message) => message in trip.others);
  const others = Object.fromEntries(ofChange.map((message) => [message, applied(trip.others[message], true)]));
  return { ...trip, replies, others: { ...trip.others, ...others } };
}

function alarmsIn(honest: Played, played: Played): readonly string[] {
  return (['hold', 'question', 'plan'] as const).flatMap((place) => {
    const [before, now] = [honest[place], played[place]];
    if (before === undefined || now === undefined) return before === now ? [] : [`${place}: does not come so far`];
    if (now.refused) return [`${place}: refused: ${now.lines[0]}`];
    return now.lines
      .filter((line) => !before.lines.includes(line) && ALARM.test(line))
      .map((line) => `${place}: ${line}`);
  });
}

async function tripsOf(dialect: Dialect): Promise<readonly Trip[]> {
  const { names, counts } = publishedTrips()[dialect];
  const own: Trip[] = [];
  for (const kind of ['names', 'difficult', 'counts', 'added'] as const) own.push(await sandboxTrip(kind, dialect));
  return [...own, ...names, ...counts];
}

/** Words of what an airline changed since the reading before. */
const CHANGED = /WARNING|changed since|the airline changed/i;

export function changesIn(honest: Played, played: Played): readonly string[] {
  return (['question', 'result', 'read', 'tickets'] as const).flatMap((place) => {
    const [before, now] = [honest[place], played[place]];
    if (before === undefined || now === undefined) return before === now ? [] : [`${place}: does not come so far`];
    if (now.refused && !before.refused) return [`${place}: refused: ${now.lines[0]}`];
    return now.lines
      .filter((line) => !before.lines.includes(line) && (CHANGED.test(line) || ALARM.test(line)))
      .map((line) => `${place}: ${line}`);
  });
}

/** What cannot be done, or not be proved, at an airline with a quirk: neither is a difference. */
const NOT_DONE: Readonly<Partial<Record<QuirkName, readonly string[]>>> = {
  'a flight with a stop held as two': ['seats'],
  'dates with a time': ['names', 'passenger'],
  'e-mail masked': ['passenger', 'contact'],
  'names masked': ['names'],
  'no contact': ['contact'],
  'no e-mail': ['passenger', 'contact'],
  'no names': ['names', 'passenger', 'contact'],
};

/** Pays, changes and cancels with each quirk; of few, those that the seed draws. */
export async function playChanges(
  changes: number,
  seed: number,
): Promise<Pick<Honest, 'alarms'> & { changes: number }> {
  const chance = new Chance(seed);
  const alarms: string[] = [];
  const journeys = [...honestJourneys('rail'), ...honestJourneys('airline')];
  const singly = ALL.flatMap((name) => {
    const able = journeys.filter((journey) => NOT_DONE[name]?.includes(journey.act) !== true);
    return able.map((journey) => [journey, [name]] as const);
  });
  const all = chance.shuffled(singly).slice(0, changes);
  for (const [journey, ofJourney] of Map.groupBy(all, ([one]) => one)) {
    const { desk, play: playOne } = await journey.ready();
    let open = await openDesk(desk);
    const honest = await playOne(open);
    for (const [, names] of ofJourney) {
      const quirky: Rewrite = (reply, message) =>
        message === SEARCH ? reply : names.reduce((before, name) => QUIRKS[name](before, message !== HOLD), reply);
      const played = await playOne(open, quirky).catch((error: Error): Played => ({ question: seenError(error) }));
      const found = changesIn(honest, played);
      alarms.push(...found.map((alarm) => `${journey.name}, ${names.join(' + ')}: ${alarm}`));
      alarms.push(...open.failures.map((error) => `failed inside: ${error instanceof Error ? error.stack : error}`));
      if (found.length > 0) {
        await open.close();
        open = await openDesk(desk);
      }
    }
    await open.close();
  }
  return { changes: all.length, alarms };
}

const seenError = ({ message }: Error) => ({ lines: [message], refused: true });

export interface Honest {
  readonly holds: number;
  readonly quirks: number;
  /** What was wrong, one line each. */
  readonly alarms: readonly string[];
}

/** Plays each quirk alone with every trip, and then several at once; of few, those that the seed draws. */
export async function playHonest(holds: number, seed: number): Promise<Honest> {
  const chance = new Chance(seed);
  const alarms: string[] = [];
  const trips = [...(await tripsOf('rail')), ...(await tripsOf('airline'))];
  const singly = chance.shuffled(ALL.flatMap((name) => trips.map((trip) => [trip, [name]] as const)));
  const together = () => [chance.pick(trips), chance.shuffled(ALL).slice(0, chance.between(2, MOST_AT_ONCE))] as const;
  const all = Array.from({ length: holds }, (_, i) => singly[i] ?? together());
  for (const [trip, ofTrip] of Map.groupBy(all, ([of]) => of)) {
    let desk: Desk | undefined;
    let honest: Played | undefined;
    for (const [i, [, names]] of ofTrip.entries()) {
      if (desk === undefined || honest === undefined || i % TRIPS_AT_ONE_DESK === 0) {
        await desk?.close();
        desk = await openDesk(trip.desk);
        honest = await play(desk.person(airlineOf({ trip, step: 'hold' })), trip);
      }
      const person = desk.person(airlineOf({ trip: withQuirks(trip, names), step: 'hold' }));
      const found = alarmsIn(honest, await play(person, trip));
      alarms.push(...found.map((alarm) => `${trip.desk.dialect} ${trip.name}, ${names.join(' + ')}: ${alarm}`));
    }
    alarms.push(
      ...(desk?.failures ?? []).map((error) => `failed inside: ${error instanceof Error ? error.stack : error}`),
    );
    await desk?.close();
  }
  return { holds: all.length, quirks: new Set(all.flatMap(([, names]) => names)).size, alarms };
}
