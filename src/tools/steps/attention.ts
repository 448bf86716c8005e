/** Why a person should look at a booking of the list. */

import { HOUR_MS, instantOf } from '../../core/times.ts';
import { listed } from '../../core/words.ts';
import type { AirlineDeed, LedgerEntry } from '../../domain/booking/booking-ledger.ts';
import { hasPassed } from '../../domain/booking/booking-state.ts';
import type { Finding } from '../../domain/booking/finding.ts';
import type { Operation } from '../../journal/operation.ts';
import type { ToolContext } from '../definition/define.ts';
import { findingText, wordsFor } from '../views/findings.ts';

export const unreadText = (failure: string) => `could not be read now (${failure})`;

/**
 * The most serious reasons why a person should look at a booking.
 * @param changed locators of bookings that the airline changed
 */
export function attention(
  entry: LedgerEntry,
  operation: Operation | undefined,
  failures: ReadonlyMap<string, string>,
  changed: ReadonlySet<string>,
  now: number,
): readonly string[] {
  if (operation?.state === 'needs_person') return [`a person must check ${operation.tool}`];
  if (operation !== undefined) return [`the outcome of ${operation.tool} is not known yet`];
  const failure = failures.get(entry.locator);
  if (failure !== undefined) return [unreadText(failure)];
  const due = dueSoon(entry, now);
  const deeds = deedTexts(entry, now);
  // What a reading shows says more than that there is a finding.
  const news = deeds.length === 0 && changed.has(entry.locator) ? ['the airline changed it'] : deeds;
  return [...(due === undefined ? [] : [due]), ...news];
}

const DEEDS: Readonly<Record<AirlineDeed['what'], (flights: string) => string>> = {
  owed: (flights) => `the airline cancelled ${flights} and has not refunded it`,
  unclear: (flights) => `the airline cancelled ${flights}; ask it whether a recorded refund is for it`,
  cancelled: (flights) => `the airline cancelled ${flights}`,
  moved: (flights) => `the airline moved ${flights}: read it for the new times`,
};

/** One sentence for flights of the same lot. Once a flight has left, only its refund still matters. */
function deedTexts({ byAirline = [] }: LedgerEntry, now: number): readonly string[] {
  const open = byAirline.filter(
    ({ what, departs }) => what === 'owed' || what === 'unclear' || !hasPassed(departs, now),
  );
  return [...Map.groupBy(open, ({ what }) => what)].map(([what, deeds]) =>
    DEEDS[what](listed([...new Set(deeds.map(({ flight }) => flight))])),
  );
}

function dueSoon(entry: LedgerEntry, now: number): string | undefined {
  const at = entry.state === 'held' ? instantOf(entry.payBy) : undefined;
  if (at === undefined || at > now + HOUR_MS) return undefined;
  return at <= now ? 'unpaid, and its time limit has passed since it was read' : 'unpaid, and due within the hour';
}

/** What the airline changed on these bookings and nobody has dealt with, newest first. */
export async function openFindings(ctx: ToolContext, locators: readonly string[]): Promise<readonly Finding[]> {
  return (await ctx.state.findings?.open(ctx.caller.tenant, ctx.now(), locators)) ?? [];
}

/** All that are open, of bookings in the caller's ledger: a clerk's own, a supervisor's whole desk. */
export async function callerFindings({ state, caller, now }: ToolContext): Promise<readonly Finding[]> {
  const open = (await state.findings?.open(caller.tenant, now())) ?? [];
  const locators = [...new Set(open.map(({ locator }) => locator))];
  const { entries } = await state.ledger.find(caller, { locators, limit: locators.length });
  const locatorsOfCaller = new Set(entries.map(({ locator }) => locator));
  return open.filter(({ locator }) => locatorsOfCaller.has(locator));
}

/** For each booking what the airline changed: the newest change, and how many more there are. */
export function changedTexts(
  found: readonly Finding[],
  ctx: Pick<ToolContext, 'settings' | 'airline'>,
): ReadonlyMap<string, string> {
  const changes = [...Map.groupBy(found, ({ locator }) => locator)].map(([locator, [newest, ...more]]) => {
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
    return [locator, `the airline changed it: ${findingText(newest as Finding, wordsFor(ctx))}${others}`] as const;
  });
  return new Map(changes);
}
