/**
 * `serve --rehearsal SECONDS`: the waits of a server in a test. A real airline may act minutes later, and a person reads before
 * saying yes, so this is for an airline on this machine alone.
 */
import { type Config, UsageError } from '../../config/load.ts';
import { isLoopback } from '../../core/hosts.ts';

/** @throws UsageError if the airline is on another machine */
export function rehearsed(config: Config, seconds: number): Config {
  const { airline, watching } = config;
  if (airline !== undefined && !isLoopback(new URL(airline.baseUrl).hostname))
    throw new UsageError('--rehearsal: is for an airline on this machine, and FARECLERK_BASE_URL is on another.');
  const settleMs = seconds * 1_000;
  return {
    ...config,
    settleMs,
    answerMs: settleMs / 2,
    // A program answers dialogs at once.
    dialogFloorMs: 0,
    watching: { ...watching, paces: [{ withinMs: Number.POSITIVE_INFINITY, everyMs: settleMs / 6 }] },
  };
}
