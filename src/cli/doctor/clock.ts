/** Compares our clock with the airline's: we show and judge time limits by ours. */
import { type CheckOutcome, good, skipped } from './check.ts';
import { finding } from './findings.ts';
import type { RecordedExchange } from './visit.ts';

export interface ClockReading {
  readonly host: string;
  /** Theirs minus ours. */
  readonly skewMs: number;
}

/** An HTTP date has whole seconds (RFC 9110, 6.6.1): half of one is the best guess. */
const HALF_SECOND = 500;
const WARN_MS = 30_000;
const FAIL_MS = 120_000;

/** @param at when the reply was written by our clock, milliseconds since 1970 */
export function dateReading(url: string, date: string | null | undefined, at: number): readonly ClockReading[] {
  const theirs = Date.parse(date ?? '');
  return Number.isNaN(theirs) ? [] : [{ host: new URL(url).host, skewMs: Math.round(theirs + HALF_SECOND - at) }];
}

/** Returns the smallest difference per host: the quickest exchange measures it best. */
export function clockReadings(exchanges: readonly RecordedExchange[]): readonly ClockReading[] {
  const readings = exchanges.flatMap(({ request, reply, sentAt, answeredAt }) =>
    dateReading(request.url, reply?.headers?.date, (sentAt + answeredAt) / 2),
  );
  const closestLast = readings.toSorted((a, b) => Math.abs(b.skewMs) - Math.abs(a.skewMs));
  return [...new Map(closestLast.map((reading) => [reading.host, reading])).values()];
}

/** @param issuedAt the time of issue in the token, milliseconds since 1970 */
export function tokenReading(issuedAt: number, { request, answeredAt }: RecordedExchange): ClockReading {
  const host = `${new URL(request.url).host} (time in the token)`;
  return { host, skewMs: Math.round(issuedAt + HALF_SECOND - answeredAt) };
}

export function judgeClocks(readings: readonly ClockReading[]): CheckOutcome {
  const [worst, ...others] = readings.toSorted((a, b) => Math.abs(b.skewMs) - Math.abs(a.skewMs));
  if (worst === undefined) return skipped('No reply named its time.');
  const { host } = worst;
  const skewMs = Math.abs(worst.skewMs);
  if (skewMs < WARN_MS)
    return good(`Within ${spoken(Math.max(1_000, skewMs))} of ${others.length === 0 ? host : 'every host'}`);
  const agree = others.every((one) => Math.abs(one.skewMs - worst.skewMs) < WARN_MS);
  const direction = worst.skewMs > 0 ? 'behind' : 'ahead of';
  const verdict = finding(agree ? 'clock_off' : 'clock_off.hosts', { skew: spoken(skewMs), direction, host });
  return skewMs < FAIL_MS ? { ...verdict, level: 'warn' } : verdict;
}

function spoken(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
