/**
 * Whether our clock and theirs agree: time limits are told and judged by ours.
 */
import { good, skipped, toMend, type Verdict, warning } from './check.ts';
import type { Exchange } from './watch.ts';

export interface ClockReading {
  /** Host that told its time. */
  readonly host: string;
  /** Theirs minus ours. */
  readonly skewMs: number;
}

/** An HTTP date has whole seconds (RFC 9110, 6.6.1): half of one is the best guess. */
const HALF_SECOND = 500;

export function readingsOf(exchanges: readonly Exchange[]): readonly ClockReading[] {
  const byHost = new Map<string, number>();
  for (const { request, reply, sentAt, answeredAt } of exchanges) {
    const told = Date.parse(reply?.headers?.date ?? '');
    if (Number.isNaN(told)) continue;
    const skew = Math.round(told + HALF_SECOND - (sentAt + answeredAt) / 2);
    const { host } = new URL(request.url);
    const known = byHost.get(host);
    // The quickest exchange bounds it best; the smallest skew stands in for that.
    if (known === undefined || Math.abs(skew) < Math.abs(known)) byHost.set(host, skew);
  }
  return [...byHost].map(([host, skewMs]) => ({ host, skewMs }));
}

/** The time in a token that is a JSON Web Token: when its issuer says that it was issued. */
export function tokenReading(issuedAt: number | undefined, { request, answeredAt }: Exchange): ClockReading[] {
  if (issuedAt === undefined) return [];
  const skewMs = Math.round(issuedAt + HALF_SECOND - answeredAt);
  return [{ host: `${new URL(request.url).host} (time in the token)`, skewMs }];
}

const WARN_MS = 30_000;
const MEND_MS = 120_000;

export function judgeClocks(readings: readonly ClockReading[]): Verdict {
  if (readings.length === 0) return skipped('No reply told its time.');
  const worst = readings.reduce((a, b) => (Math.abs(b.skewMs) > Math.abs(a.skewMs) ? b : a));
  if (Math.abs(worst.skewMs) < WARN_MS)
    return good(
      `Within ${spoken(Math.max(1_000, Math.abs(worst.skewMs)))} of ${readings.length === 1 ? worst.host : 'every host'}`,
    );
  const direction = worst.skewMs > 0 ? 'behind' : 'ahead of';
  const text = `This machine's clock is ${spoken(Math.abs(worst.skewMs))} ${direction} ${worst.host}.`;
  const agree = readings.every(({ skewMs }) => Math.abs(skewMs - worst.skewMs) < WARN_MS);
  const mend = agree
    ? 'Set the clock of this machine (NTP): limits to pay, rename and cancel are judged by it.'
    : `Hosts disagree among themselves: check this machine's clock, then ask whoever runs ${worst.host}.`;
  return Math.abs(worst.skewMs) < MEND_MS ? warning('clock_off', text, mend) : toMend('clock_off', text, mend);
}

function spoken(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
