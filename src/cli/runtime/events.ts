/** Delivers events while a server over HTTP runs: looks for those that time brings, and posts to the webhooks of the settings. */

import { personName } from '../../approvals/asker-names.ts';
import { whereText } from '../../approvals/booking-gist.ts';
import { NOTICES, personKey } from '../../approvals/limits.ts';
import { actWord } from '../../approvals/outcome-words.ts';
import { moneyAtStake } from '../../approvals/request.ts';
import type { Config } from '../../config/load.ts';
import { plainText } from '../../core/clean-text.ts';
import { showMoney } from '../../core/money.ts';
import { type EventReceiver, webhook } from '../../events/deliver-with-retries.ts';
import { noticesTo, type WaitingQuestions } from '../../events/notices.ts';
import type { RunEventsOptions } from '../../events/run-events.ts';
import { systemClock } from '../../journal/clock.ts';
import { INBOX_PLACE, placePath } from '../../server/approval-page/page-access.ts';
import type { State } from '../../store/state.ts';
import { ACTS } from '../../tools/index.ts';
import { newOwner } from './process-id.ts';

type Webhooks = NonNullable<Config['webhooks']>;

/** Time until events are looked for, milliseconds: the first calls of a server come first. */
const BEGIN_MS = 1_000;
/** Time between two tries to open the state, milliseconds. */
const OPEN_AGAIN_MS = 5_000;
/** Time for deliveries under way when the work is stopped, milliseconds: a receiver that hangs must not hold up a restart. */
const LAST_TRIES_MS = 2_000;

export async function openSender({ secrets, privateHosts }: Pick<Webhooks, 'secrets' | 'privateHosts'>) {
  const { createSender } = await import('../../events/signed-post.ts');
  return createSender({ secrets: secrets?.reveal().split(',') ?? [], privateHosts, now: () => systemClock.now() });
}

/** Lists every address of the settings that gets events. @param state without it, no question is pending */
export function eventTargets(
  config: Pick<Config, 'webhooks' | 'http'>,
  state?: Pick<State, 'approvals' | 'clock'>,
): readonly EventReceiver[] {
  const { addresses = [], notices = [] } = config.webhooks ?? {};
  const page = (place: string) => placePath(place, config.http.publicUrl);
  const waitingWith = async (id: string) => (state === undefined ? undefined : readWaiting(state, id, page));
  const options = { inbox: page(INBOX_PLACE), everyMs: NOTICES.everyMs, personOf: personOfApproval, waitingWith };
  return [...addresses.map((address) => webhook(address)), ...notices.map((notice) => noticesTo(notice, options))];
}

const personOfApproval = ({ tenant, caller = '' }: { readonly tenant: string; readonly caller?: string }) =>
  personKey({ tenant, caller });

/** Reads a question, and what else its person asks on the page. Names no passenger. */
async function readWaiting(
  { approvals, clock = systemClock }: Pick<State, 'approvals' | 'clock'>,
  operationId: string,
  page: (place: string) => string,
): Promise<WaitingQuestions | undefined> {
  const approval = await approvals.byOperation(operationId);
  if (approval === undefined) return undefined;
  const person = personKey(approval);
  const waiting = await approvals.waiting(clock.now());
  const questions = waiting.filter((other) => other.askedBy === 'page' && personKey(other) === person);
  const ids = questions.map((other) => other.operationId);
  const { amount } = moneyAtStake(approval) ?? {};
  const what = `${actWord(ACTS, approval.tool)}${amount === undefined ? '' : ` of ${showMoney(amount)}`}`;
  const where = approval.about === undefined ? '' : plainText(whereText(approval.about), 80);
  const question = ids.includes(operationId) ? { what, where, page: page(operationId) } : undefined;
  const dueAt = Math.min(...questions.map(({ expiresAt }) => expiresAt));
  return { asker: personName(approval), question, operationIds: ids, dueAt };
}

/** Starts the work. @param state opens the state; after a failure it is tried again, and readiness reports it */
export function startEvents(
  config: Pick<Config, 'webhooks' | 'http'>,
  state: () => Promise<State>,
  hears: Pick<RunEventsOptions, 'failed' | 'tried'>,
): { stop(): Promise<void> } {
  const ending = new AbortController();
  const begunAt = performance.now();
  const done = (async () => {
    await systemClock.sleep(BEGIN_MS, ending.signal);
    for (; !ending.signal.aborted; await systemClock.sleep(OPEN_AGAIN_MS, ending.signal)) {
      const openedState = await state().catch(() => undefined);
      if (openedState !== undefined)
        return runWork(openedState, config, { ...hears, since: sinceStart(openedState, begunAt) }, ending.signal);
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
function sinceStart({ clock = systemClock }: State, begunAt: number): number {
  return Math.floor(clock.now() - (performance.now() - begunAt));
}

async function runWork(
  state: State,
  config: Pick<Config, 'webhooks' | 'http'>,
  hooks: Pick<RunEventsOptions, 'failed' | 'tried' | 'since'>,
  signal: AbortSignal,
): Promise<void> {
  const { runEvents } = await import('../../events/run-events.ts');
  const { outbox, deliveries, leases, clock = systemClock } = state;
  const { webhooks } = config;
  const targets = eventTargets(config, state);
  const sender = webhooks ? await openSender(webhooks) : { send: () => Promise.reject(), close: async () => undefined };
  const work = { outbox, deliveries, leases, clock, sender, targets, owner: newOwner(), ...hooks };
  const endSoon = () => setTimeout(() => sender.close(), LAST_TRIES_MS).unref();
  signal.addEventListener('abort', endSoon, { once: true });
  await runEvents(work, signal).finally(() => sender.close());
}
