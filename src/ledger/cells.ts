/** What the cells of views are worked out with, and how those are written that several views have. */
import { formatMoney, type Money } from '../core/money.ts';
import { dateOf, localMinute } from '../core/times.ts';
import { dayIn, secondIn } from '../core/zone.ts';
import type { Finding } from '../domain/booking/finding.ts';
import type { PlaceName } from '../domain/booking/stations.ts';
import type { Acts } from '../journal/act.ts';

/** What filling the views needs besides the rows. */
export interface ViewContext {
  readonly acts: Acts;
  /** Time zone of the desk (IANA name), in which days and times are shown. */
  readonly timeZone: string;
  readonly now: number;
  readonly placeName?: PlaceName | undefined;
  /** A change by the airline in words. */
  changeWords(finding: Finding): string;
}

/** The column `channel`: how the yes was given. */
export const CHANNELS = { none: 'not_asked', caller_confirmed: 'assistant', person: 'dialog', page: 'page' } as const;

/** An amount as a number of its currency: as a text, 730.48 would be more than 1541.46. */
export function amountNumber(money: Money | undefined): number | undefined {
  return money && Number(formatMoney(money));
}

/** Leaves out an amount in another currency than its row's, because amounts are added up by that currency. */
export function inCurrency(currency: string | undefined, money: Money | undefined): Money | undefined {
  return money?.currency === currency ? money : undefined;
}

/** A time as the station's clock shows it, to the minute. */
export function atStation(time: string | undefined): string | undefined {
  return time && localMinute(time);
}

export function dayAtStation(time: string | undefined): string | undefined {
  return time && dateOf(time);
}

/** An instant as the desk's clock shows it, to the second: how long a thing took is worked out from two of them. */
export function atDesk(instant: number | undefined, { timeZone }: Pick<ViewContext, 'timeZone'>): string | undefined {
  return instant === undefined ? undefined : secondIn(instant, timeZone);
}

export function dayAtDesk(
  instant: number | undefined,
  { timeZone }: Pick<ViewContext, 'timeZone'>,
): string | undefined {
  return instant === undefined ? undefined : dayIn(instant, timeZone);
}
