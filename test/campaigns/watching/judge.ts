/** Whether the findings of a month are those that its mishaps account for, each within its reading interval. */
import { ALSO, type Case, DAY, EXPECTED, HOUR, latest, REFUND } from './cases.ts';
import type { Played } from './play.ts';

export interface Judged {
  readonly dialect: string;
  readonly kind: string;
  readonly found: boolean;
  readonly inTime: boolean;
  /** The reading that was due showed less than the whole booking, and not this: the next one counts, and its interval. */
  readonly stripped: boolean;
  /** From the mishap, or from that reading, to the finding. */
  readonly hours: number;
  /** The most that they may be. */
  readonly interval: number;
  /** Empty: as it should be. */
  readonly problem: string;
}

const iso = (at: number) => (at === NEVER ? 'never' : new Date(at).toISOString());

/** Cases that no reading could show are left out: `run.ts` counts them. */
export function judge(played: Played): readonly Judged[] {
  return played.cases.map((one) => judgeOne(played, one)).filter((one) => one !== undefined);
}

function judgeOne({ dialect, cases, reads, findings, acts, end }: Played, one: Case): Judged | undefined {
  const { kind, locator, goals, held } = one;
  const all = reads.filter((read) => read.locator === locator);
  const shown = all.find((read) => read.at >= one.at && !read.stripped)?.at;
  // It is pending since the first reading that shows it.
  const at = kind === 'refund-pending' ? (shown ?? one.at) + REFUND : one.at;
  const later = all.filter((read) => read.at >= at);
  const whole = later.find(({ stripped }) => !stripped)?.at ?? NEVER;
  const own = findings.findLast(
    (it) => it.locator === locator && it.seenAt >= one.at && EXPECTED[kind].includes(it.kind),
  );
  const seenAt = own?.seenAt ?? NEVER;
  /** Readings of a part of it until then, each of which may be the last for one interval. */
  const stepsTo = (last: number) => [at, ...later.map((read) => read.at).filter((time) => time < last), last];
  const isInPace = (last: number) =>
    stepsTo(last).every((time, i, steps) => i === 0 || time <= latest({ at: steps[i - 1] ?? at, goals }));
  const gone = goneAt(one, cases);
  if (gone <= whole && gone <= seenAt && isInPace(gone)) return undefined;
  // A part that shows it is as good as the whole, which may never be read: the booking can be over.
  const readAt = Math.min(whole, seenAt);
  const from = stepsTo(readAt).at(-2) ?? at;
  const by = latest({ at: from, goals });
  if (readAt === NEVER && by > end) return undefined;
  const inTime = seenAt <= readAt && readAt !== NEVER && isInPace(readAt);
  const told = findings.filter((it) => it.locator === locator).map((it) => `${it.kind} ${iso(it.seenAt)}`);
  const did = acts.filter((it) => it.locator === locator).map(({ tool, at: done }) => `${tool} ${iso(done)}`);
  return {
    ...{ dialect, found: own !== undefined, inTime, stripped: from !== at },
    kind: held ? `${kind} (hold)` : kind,
    hours: ((own?.seenAt ?? from) - from) / HOUR,
    interval: (by - from) / HOUR,
    problem: inTime
      ? ''
      : `${dialect} ${locator} ${kind} ${iso(one.at)}: due ${iso(by)}, read ${iso(readAt)}; told ${told.join()}; did ${did.join()}`,
  };
}

const NEVER = Number.POSITIVE_INFINITY;

/**
 * From when on no reading can show it: the same run was cancelled, which is a case of its own, or the hold lapsed unpaid. No
 * reading was due before that, else it is missed all the same.
 */
function goneAt(one: Case, cases: readonly Case[]): number {
  const ends = cases.filter(
    (it) => it.kind === 'cancel' && it !== one && it.locator === one.locator && it.run === one.run && it.at >= one.at,
  );
  return Math.min(one.payBy ?? NEVER, ...(one.run === undefined ? [] : ends.map(({ at }) => at)));
}

/** Findings that no mishap of that booking accounts for, and repeated ones. */
export function strays({ dialect, cases, findings, acts }: Played): readonly string[] {
  const told = new Set<string>();
  return findings
    .toReversed()
    .filter(({ locator, kind, seenAt, segment, before, after, deadlines }) => {
      const key = JSON.stringify([locator, kind, segment, before, after, deadlines]);
      if (kind !== 'seat_changed' && told.has(key)) return true;
      told.add(key);
      // The airline dialect pays no refund out by itself, which is found after 14 days.
      const waits = acts.some((act) => act.locator === locator && seenAt - act.at >= REFUND - DAY / 24);
      if (kind === 'refund_pending' && waits) return false;
      const own = cases.filter((one) => one.locator === locator && one.at <= seenAt);
      return !own.some((one) => [...EXPECTED[one.kind], ...(ALSO[one.kind] ?? [])].includes(kind));
    })
    .map((one) => {
      const did = acts.filter(({ locator }) => locator === one.locator).map(({ tool, at }) => `${tool} ${iso(at)}`);
      const had = cases.filter(({ locator }) => locator === one.locator).map(({ kind, at }) => `${kind} ${iso(at)}`);
      const facts = JSON.stringify([one.before, one.after, one.deadlines]);
      return `${dialect} ${one.locator} ${one.kind} ${iso(one.seenAt)} ${facts}; acts ${did.join()}; mishaps ${had.join()}`;
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

/** One row for each kind in each dialect. */
export function tableOf(judged: readonly Judged[]): string {
  const columns = ['disturbed', 'found', 'within interval', 'after a part', 'worst delay', 'of at most'];
  const rows = [...Map.groupBy(judged, ({ dialect, kind }) => `${dialect.padEnd(8)} ${kind}`)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const lines = rows.map(([name, all]) => {
    const worst = all.reduce((a, b) => (b.hours / b.interval > a.hours / a.interval ? b : a));
    const cells = [
      ...[all.length, all.filter(({ found }) => found).length, all.filter(({ inTime }) => inTime).length].map(String),
      ...[String(all.filter(({ stripped }) => stripped).length)],
      ...[`${worst.hours.toFixed(1)} h`, `${worst.interval.toFixed(1)} h`],
    ];
    return `${name.padEnd(24)} ${cells.map((cell, i) => cell.padStart(columns[i]?.length ?? 0)).join('  ')}`;
  });
  return `${' '.repeat(24)} ${columns.join('  ')}\n${lines.join('\n')}\n`;
}
