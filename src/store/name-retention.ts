/**
 * Names and documents of an approval go an hour after it lapsed, whether or not anybody asks for another: when the state
 * is opened, and every minute while it is open.
 */
import { KEEP_NAMES_MS } from './approval-row.ts';

const LOOK_MS = 60_000;

interface Named {
  /** Blanks what names people in approvals that lapsed before that time, milliseconds since 1970. */
  blank(before: number): Promise<void>;
}

/** Where it fails the next look does it. Returns what ends it. */
export async function keepBlanking(approvals: Named, now: () => number): Promise<() => void> {
  const look = () => approvals.blank(now() - KEEP_NAMES_MS).catch(() => undefined);
  await look();
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
