/**
 * Honest airlines with habits, through whole acts, by themselves and in a plan: one question, one yes, and it is done, and nobody hears
 * of a difference.
 */
import { Chance } from '../support/chance.ts';
import { type Desk, type Dialect, openDesk } from './desk.ts';
import { HABITS, type HabitName, IN_SEARCHES } from './habits.ts';
import { changesIn } from './honest.ts';
import type { ActName } from './irrelevant.ts';
import { type HonestJourney, honestJourneys } from './journeys.ts';
import type { Played } from './play.ts';
import { HOLD, type Rewrite, SEARCH } from './recordings.ts';
import { DIFFICULT } from './trips.ts';

/** A habit of an airline through an act. */
export interface HabitCase {
  readonly dialect: Dialect;
  readonly act: ActName;
  readonly isPlanned: boolean;
  readonly habit: HabitName;
  readonly journey: HonestJourney;
}

export interface HabitOutcome extends Omit<HabitCase, 'journey'> {
  /** `asked anew`: the yes was stale, and nothing was sent. `idle`: the habit changes nothing of this act. */
  readonly became: 'through' | 'not asked' | 'asked anew' | 'blocked' | 'alarm' | 'idle';
  readonly why: string;
}

const UNDER_RULES: readonly ActName[] = ['pay', 'release', 'rebook', 'leg', 'person', 'all'];

const OF_DETAILS: readonly ActName[] = ['names', 'passenger', 'contact'];

/** What cannot be done, or not be proved, at an airline with a habit: neither is a difference. */
const NOT_DONE: Readonly<Partial<Record<HabitName, readonly ActName[]>>> = {
  // The requests name the times of their flights.
  ...{ 'no arrival times': ['seats', 'leg', 'all'], 'the same clock without a zone': ['seats'] },
  // What the airline does not show cannot be sent back with a change.
  ...{ 'no contact, now and then': ['contact'], 'no contact, before the send': ['contact'] },
  'no names, now and then': OF_DETAILS,
  // The reply is where an address or a service that was added is looked for.
  ...{
    'e-mail masked, now and then': ['passenger', 'contact'],
    'e-mail masked, before the send': ['passenger', 'contact'],
  },
  ...{ 'no e-mail, now and then': ['passenger', 'contact'], 'no e-mail, before the send': ['passenger', 'contact'] },
  'no services': ['service'],
};

/**
 * Where the person is asked anew, or needs not be: the reading before the send leaves out what the question names, or with it another
 * name, seat or sum would be sent.
 */
const MAY_ASK_ANEW: Readonly<Partial<Record<HabitName, readonly ActName[]>>> = {
  ...{
    'no rules, now and then': UNDER_RULES,
    'no rules of changes': UNDER_RULES,
    'no words of rules': ['pay', 'leg', 'person', 'all'],
  },
  ...{ 'no limits, now and then': ['pay', 'release'], 'no names, now and then': ['pay', 'seats', 'person'] },
  ...{
    'names cut': ['names'],
    'names masked, now and then': ['names'],
    'a middle name of its own, now and then': ['names'],
  },
  ...{ 'no tax lines, now and then': ['rebook'], 'no tax lines, before the send': ['rebook'] },
  ...{ 'taxes one minor unit off': ['rebook'], 'price rows one minor unit off': ['rebook'] },
  'no price rows, now and then': ['rebook', 'leg', 'person'],
  ...{ 'no seats': ['seats'], 'no coaches': ['seats'] },
  // With it, an address would be lost.
  ...{ 'no e-mail, now and then': ['names'], 'e-mail masked, now and then': ['names'] },
  ...{ 'no e-mail, before the send': ['names'], 'e-mail masked, before the send': ['names'] },
  'no telephone, before the send': OF_DETAILS,
  ...{ 'telephone masked, now and then': OF_DETAILS, 'no telephone, now and then': OF_DETAILS },
};

/**
 * In a plan every other reading is the one before the send, which then leaves out what the question showed. An act alone has its question
 * from such a reading: what appears after it is no difference.
 */
const MISSING_BEFORE_A_SEND: ReadonlySet<HabitName> = new Set([
  ...(['no arrival times', 'no stops', 'no class, now and then'] as const),
  ...(['no names, now and then', 'names masked, now and then'] as const),
  ...(['no words of rules', 'no price rows, now and then', 'no limits, now and then'] as const),
  // In the other language the words repeat no figure that is understood: they are a condition.
  ...(['one language of rules, each in turn', 'one language of rules less'] as const),
]);

/** What somebody is told on purpose, as a difference: a hold that cuts a name, because the ticket will have it so. */
const TOLD: Readonly<Partial<Record<HabitName, readonly ActName[]>>> = { 'names cut': ['pay'] };

/** In a fare that is refunded, by an adult and a child whose names can be spelled in many ways. */
const WAY = { riders: DIFFICULT.slice(0, 2), fare: 'Flex' };

export function habitCases(): readonly HabitCase[] {
  return (['rail', 'airline'] as const).flatMap((dialect) =>
    honestJourneys(dialect, WAY).flatMap((journey) =>
      [false, true].flatMap((isPlanned) =>
        (Object.keys(HABITS) as HabitName[])
          .filter((habit) => NOT_DONE[habit]?.includes(journey.act) !== true)
          .map((habit) => ({ dialect, act: journey.act, isPlanned, habit, journey })),
      ),
    ),
  );
}

interface PlayedHabits {
  readonly acts: number;
  /** Of them, those of which the habit changes nothing. */
  readonly idle: number;
  /** What was wrong, one line each. */
  readonly failures: readonly string[];
}

/** Plays acts at airlines with habits; of few, those that the seed draws. */
export async function playHabits(acts: number, seed: number): Promise<PlayedHabits> {
  const drawn = new Chance(seed).shuffled(habitCases()).slice(0, acts);
  const inside: unknown[] = [];
  const failures: string[] = [];
  let idle = 0;
  for await (const { dialect, act, isPlanned, habit, became, why } of habitOutcomes(drawn, inside)) {
    const tables = became === 'asked anew' ? [MAY_ASK_ANEW, TOLD] : became === 'alarm' ? [TOLD] : [];
    const isMissing = isPlanned && became === 'asked anew' && MISSING_BEFORE_A_SEND.has(habit);
    const isAllowed = became === 'through' || isMissing || tables.some((table) => table[habit]?.includes(act));
    if (became === 'idle') idle += 1;
    else if (!isAllowed)
      failures.push(`${dialect} ${act}${isPlanned ? ' in a plan' : ''}, ${habit}: ${became}: ${why}`);
  }
  const texts = inside.map((error) => `failed inside: ${error instanceof Error ? error.stack : error}`);
  return { acts: drawn.length, idle, failures: [...failures, ...texts] };
}

/** @param failures takes the mistakes inside */
export async function* habitOutcomes(cases: readonly HabitCase[], failures: unknown[]): AsyncGenerator<HabitOutcome> {
  const alike = Map.groupBy(cases, ({ dialect, act, isPlanned }) => `${dialect} ${act} ${isPlanned}`);
  for (const ofJourney of alike.values()) {
    const [{ journey, isPlanned }] = ofJourney as [HabitCase];
    const { desk, play } = await journey.ready();
    let open: Desk | undefined = await openDesk(desk);
    const honest = await play(open, undefined, isPlanned);
    for (const { journey: _, ...one } of ofJourney) {
      open ??= await openDesk(desk);
      const { rewrite, isIdle } = withHabit(one.habit, failures);
      const played = await play(open, rewrite, isPlanned).catch(unplayed);
      const outcome = outcomeOf(honest, played, isIdle());
      failures.push(...open.failures);
      // What is not known at the end of a trip would stop the next one, because it is the same booking.
      if (outcome.became === 'blocked') {
        await open.close();
        open = undefined;
      }
      yield { ...one, ...outcome };
    }
    await open?.close();
  }
}

/** In a result, and of a step of a plan. */
const STALE = /^E_APPROVAL_STALE|not done\. Its terms changed after the question\./;

const unplayed = ({ message }: Error): Played => ({ question: { lines: [message], refused: true } });

function withHabit(name: HabitName, failures: unknown[]): { readonly rewrite: Rewrite; isIdle(): boolean } {
  let isIdle = true;
  return {
    rewrite(reply, message, turn) {
      if (message === SEARCH && !IN_SEARCHES.includes(name)) return reply;
      try {
        const rewritten = HABITS[name](reply, turn);
        if (message !== HOLD) isIdle &&= JSON.stringify(rewritten) === JSON.stringify(reply);
        return rewritten;
      } catch (error) {
        // Else it looks like a connection that breaks.
        failures.push(error);
        return reply;
      }
    },
    isIdle: () => isIdle,
  };
}

function outcomeOf(honest: Played, played: Played, isIdle: boolean): Pick<HabitOutcome, 'became' | 'why'> {
  const { question, result } = played;
  if (question?.refused !== false) return { became: 'not asked', why: question?.lines[0] ?? '' };
  if (result?.refused !== false) {
    const why = result?.lines.slice(0, 2).join(' ') ?? '';
    return { became: STALE.test(why) ? 'asked anew' : 'blocked', why };
  }
  const [alarm] = changesIn(honest, played);
  if (alarm !== undefined) return { became: 'alarm', why: alarm };
  return { became: isIdle ? 'idle' : 'through', why: '' };
}
