/** Events that only time brings: limits that come near, questions that nobody answered. */
import type { NewEvent } from './event.ts';
import type { Limit, Outbox } from './ports.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long before a limit its event comes, the shortest first. */
const MOMENTS: Readonly<Record<string, readonly (readonly [kind: string, ms: number])[]>> = {
  pay_by: [
    ['30m', 30 * MINUTE],
    ['2h', 2 * HOUR],
  ],
  names_until: [['24h', DAY]],
};

/** How far back the first look of a process goes: a fleet may have been down. */
const LOOK_BACK_MS = DAY;

/** Looks once; returns the time up to which it looked. `since`: that of the last look. */
export async function sweep(outbox: Outbox, now: number, since = now - LOOK_BACK_MS): Promise<number> {
  const limits = await outbox.limits(now, now + DAY);
  const lapsed = await outbox.lapsed(since, now);
  const events = [...limits.flatMap((limit) => limitEvent(limit, now) ?? []), ...lapsed];
  if (events.length > 0) await outbox.add(events);
  return now;
}

/** A limit first seen within half an hour has one event, not two. */
function limitEvent({ tenant, caller, locator, what, at }: Limit, now: number): NewEvent | undefined {
  const [kind] = MOMENTS[what]?.find(([, ms]) => at - now <= ms) ?? [];
  if (kind === undefined) return undefined;
  const type = what === 'pay_by' ? 'hold.lapsing' : 'names.due';
  const id = `${type.replace('.', '_')}/${encodeURIComponent(locator)}/${at}/${kind}`;
  return { id, type, at: now, tenant, caller, locator, kind, dueAt: at };
}
