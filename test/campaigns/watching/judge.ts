/** Whether the findings of a month are those that its mishaps account for, each within its reading interval. */
import { type Case, DAY, fits, goneAt, HOUR, latest, movesLimitAlone, REFUND, tells } from './cases.ts';
import type { Played } from './play.ts';

const NEVER = Number.POSITIVE_INFINITY;
const iso = (at: number) => (at === NEVER ? 'never' : new Date(at).toISOString());

/** What is wrong with each case, `''` if nothing. Cases that no reading could show are left out: `run.ts` counts them. */
export function judge(played: Played): readonly string[] {
  return played.cases.map((one) => judgeOne(played, one)).filter((one) => one !== undefined);
}

function judgeOne({ dialect, cases, reads, findings, acts, end }: Played, one: Case): string | undefined {
  const { kind, locator, goals } = one;
  const all = reads.filter((read) => read.locator === locator);
  const shown = all.find((read) => read.at >= one.at && !read.stripped)?.at;
  // It is pending since the first reading that shows it.
  const at = kind === 'refund-pending' ? (shown ?? one.at) + REFUND : one.at;
  const later = all.filter((read) => read.at >= at);
  const whole = later.find(({ stripped }) => !stripped)?.at ?? NEVER;
  const mine = findings.filter((it) => it.locator === locator);
  const finding = mine.findLast((it) => it.seenAt >= one.at && tells(it, one, cases));
  const seenAt = finding?.seenAt ?? NEVER;
  /** Readings of a part of it until then, each of which may be the last for one interval. */
  const stepsTo = (last: number) => [at, ...later.map((read) => read.at).filter((time) => time < last), last];
  const isInPace = (last: number) =>
    stepsTo(last).every((time, i, steps) => i === 0 || time <= latest({ at: steps[i - 1] ?? at, goals }));
  const gone = goneAt(one, cases);
  if (gone <= whole && gone <= seenAt && isInPace(gone)) return undefined;
  // A part that shows it is as good as the whole, which may never be read: the booking can be over.
  const readAt = Math.min(whole, seenAt);
  const by = latest({ at: stepsTo(readAt).at(-2) ?? at, goals });
  if (readAt === NEVER && by > end) return undefined;
  if (seenAt <= readAt && readAt !== NEVER && isInPace(readAt)) return '';
  const told = mine.map((it) => `${it.kind} ${iso(it.seenAt)}`);
  const did = acts.filter((it) => it.locator === locator).map(({ tool, at: done }) => `${tool} ${iso(done)}`);
  return `${dialect} ${locator} ${kind} ${iso(one.at)}: due ${iso(by)}, read ${iso(readAt)}; told ${told}; did ${did}`;
}

/** How many findings of a booking may say the same. Each act of ours can have a refund, and two of them one sum. */
function mostAlike({ kind, locator }: Played['findings'][number], acts: Played['acts']): number {
  if (kind === 'seat_changed') return NEVER;
  if (kind !== 'refund_pending' && kind !== 'refund_arrived') return 1;
  return acts.filter((act) => act.locator === locator).length;
}

/** Findings that no mishap of that booking accounts for, and repeated ones. */
export function strays({ dialect, cases, findings, acts, splits, reads }: Played): readonly string[] {
  const told = new Map<string, number>();
  const isStray = (finding: Played['findings'][number]) => {
    const { locator, kind, seenAt, segment, before, after, deadlines } = finding;
    const key = JSON.stringify([locator, kind, segment, before, after, deadlines]);
    const times = (told.get(key) ?? 0) + 1;
    told.set(key, times);
    if (times > mostAlike(finding, acts)) return true;
    // The airline dialect pays no refund out by itself, which is found after 14 days.
    const waits = acts.some((act) => act.locator === locator && seenAt - act.at >= REFUND - DAY / 24);
    if (kind === 'refund_pending' && waits) return false;
    const mayComeOf = (one: Case) =>
      fits(one.kind, kind) || tells(finding, one, cases) || (kind === 'deadline_moved' && movesLimitAlone(one, cases));
    // What struck a booking before this one left it is news if the readings of this one had left it out so far.
    const { from, at: leftAt = 0 } = splits.find((split) => split.locator === locator) ?? {};
    const wasLeftOut = !reads.some((read) => read.locator === locator && !read.stripped && read.at < seenAt);
    const isCaseOf = (one: Case) =>
      one.locator === locator ? one.at <= seenAt : wasLeftOut && one.locator === from && one.at <= leftAt;
    return !cases.some((one) => isCaseOf(one) && mayComeOf(one));
  };
  return findings
    .toReversed()
    .filter(isStray)
    .map(({ locator, kind, seenAt, before, after, deadlines }) => {
      const ofIt = (all: readonly { locator: string; at: number }[]) =>
        JSON.stringify(all.filter((one) => one.locator === locator));
      const facts = JSON.stringify([before, after, deadlines]);
      return `${dialect} ${locator} ${kind} ${iso(seenAt)} ${facts}; acts ${ofIt(acts)}; mishaps ${ofIt(cases)}`;
    });
}

export function mostInAnHour(reads: Played['reads']): number {
  let [first, most] = [0, 0];
  reads.forEach(({ at }, i) => {
    while ((reads[first]?.at ?? at) <= at - HOUR) first += 1;
    most = Math.max(most, i - first + 1);
  });
  return most;
}
