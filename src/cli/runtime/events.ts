/** Tells events while a server over HTTP runs: looks for those that time brings, and delivers to the webhooks of the settings. */
import type { Config } from '../../config/load.ts';
import type { RunEventsOptions } from '../../events/run-events.ts';
import { systemClock } from '../../journal/clock.ts';
import type { State } from '../../store/state.ts';
import { newOwner } from './process-id.ts';

type Webhooks = NonNullable<Config['webhooks']>;

/** The first calls of a server come before its events. Between two tries to open the state, milliseconds. */
const BEGIN_MS = 1_000;
const AGAIN_MS = 5_000;
/** Tries under way end so long after the work was stopped, milliseconds: a receiver that hangs must not hold up a restart. */
const LAST_TRIES_MS = 2_000;

export async function senderOf({ secrets, privateHosts }: Pick<Webhooks, 'secrets' | 'privateHosts'>) {
  const { createSender } = await import('../../events/signed-post.ts');
  return createSender({ secrets: secrets.reveal().split(','), privateHosts, now: () => systemClock.now() });
}

/** @param state opens it; a failure is tried again later, and readiness tells of it */
export function startEvents(
  webhooks: Config['webhooks'],
  state: () => Promise<State>,
  hears: Pick<RunEventsOptions, 'failed' | 'tried'>,
): { stop(): Promise<void> } {
  const ending = new AbortController();
  const begun = performance.now();
  const done = (async () => {
    await systemClock.sleep(BEGIN_MS, ending.signal);
    for (; !ending.signal.aborted; await systemClock.sleep(AGAIN_MS, ending.signal)) {
      const opened = await state().catch(() => undefined);
      if (opened !== undefined)
        return runWork(opened, webhooks, { ...hears, since: sinceStart(opened, begun) }, ending.signal);
    }
  })();
  return {
    async stop() {
      ending.abort();
      await done;
    },
  };
}

/** When the server began, by the clock of the store: a new address gets what happened since. */
function sinceStart({ clock = systemClock }: State, begun: number): number {
  return Math.floor(clock.now() - (performance.now() - begun));
}

async function runWork(
  { outbox, deliveries, leases, clock = systemClock }: State,
  webhooks: Config['webhooks'],
  hooks: Pick<RunEventsOptions, 'failed' | 'tried' | 'since'>,
  signal: AbortSignal,
): Promise<void> {
  const { runEvents } = await import('../../events/run-events.ts');
  const { addresses = [], withCaller = false } = webhooks ?? {};
  const sender = webhooks ? await senderOf(webhooks) : { send: () => Promise.reject(), close: async () => undefined };
  const work = { outbox, deliveries, leases, clock, sender, addresses, withCaller, owner: newOwner(), ...hooks };
  const cut = () => setTimeout(() => sender.close(), LAST_TRIES_MS).unref();
  signal.addEventListener('abort', cut, { once: true });
  await runEvents(work, signal).finally(() => sender.close());
}
