/** Delivers events while a server over HTTP runs: finds those that become due with time, and posts them to the webhooks. */

import { whereText } from '../../approvals/booking-gist.ts';
import { moneyAtStake } from '../../approvals/request.ts';
import { NOTICES, personKey } from '../../approvals/shares-of-one-person.ts';
import type { Config } from '../../config/load.ts';
import { plainText } from '../../core/clean-text.ts';
import { showMoney } from '../../core/money.ts';
import { callerName } from '../../domain/people/caller-names.ts';
import { type EventReceiver, webhook } from '../../events/deliver-with-retries.ts';
import { noticeReceiver, type WaitingQuestions } from '../../events/notices.ts';
import type { RunEventsOptions } from '../../events/run-events.ts';
import { actWord } from '../../journal/act.ts';
import { systemClock } from '../../journal/clock.ts';
import { INBOX_PLACE, pagePath } from '../../pages/approval/page-access.ts';
import type { State } from '../../store/state.ts';
import { ACTS } from '../../tools/index.ts';
import { newOwner } from './process-id.ts';

type Webhooks = NonNullable<Config['webhooks']>;

/** Time until events are looked for, milliseconds: the first calls of a server come first. */
const BEGIN_MS = 1_000;
/** Time between two tries to open the state, milliseconds. */
const OPEN_AGAIN_MS = 5_000;
/** How long deliveries may take to end once the work is stopped, milliseconds: a slow receiver must not hold up a restart. */
const LAST_TRIES_MS = 2_000;

/** Starts the work. @param openState is tried again after a failure, which readiness reports */
export function startEvents(
  config: Pick<Config, 'webhooks' | 'http'>,
  openState: () => Promise<State>,
  hooks: Pick<RunEventsOptions, 'onFailure' | 'onTry'>,
): { stop(): Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;

  const work = async (): Promise<void> => {
    await systemClock.sleep(BEGIN_MS, signal);
    while (!signal.aborted) {
      const state = await openState().catch(() => undefined);
      if (state !== undefined) return deliverEvents(state, config, hooks, signal);
      await systemClock.sleep(OPEN_AGAIN_MS, signal);
    }
  };

  const working = work();
  return {
    async stop() {
      ending.abort();
      await working;
    },
  };
}

async function deliverEvents(
  state: State,
  config: Pick<Config, 'webhooks' | 'http'>,
  hooks: Pick<RunEventsOptions, 'onFailure' | 'onTry'>,
  signal: AbortSignal,
): Promise<void> {
  const { runEvents } = await import('../../events/run-events.ts');
  const { outbox, deliveries, leases, clock = systemClock } = state;
  const { webhooks } = config;

  const targets = eventTargets(config, state);
  const sender = webhooks ? await openSender(webhooks) : { send: () => Promise.reject(), close: async () => undefined };
  const options = { outbox, deliveries, leases, clock, sender, targets, owner: newOwner(), ...hooks };
  const closeSoon = () => setTimeout(() => sender.close(), LAST_TRIES_MS).unref();
  signal.addEventListener('abort', closeSoon, { once: true });
  await runEvents(options, signal).finally(() => sender.close());
}

export async function openSender({ secrets, privateHosts }: Pick<Webhooks, 'secrets' | 'privateHosts'>) {
  const { createSender } = await import('../../events/signed-post.ts');
  return createSender({ secrets: secrets?.reveal().split(',') ?? [], privateHosts, now: () => systemClock.now() });
}

// Where events go.

/** Lists every address of the settings that gets events. @param state has the pending questions; without it there are none */
export function eventTargets(
  config: Pick<Config, 'webhooks' | 'http'>,
  state?: Pick<State, 'approvals' | 'clock'>,
): readonly EventReceiver[] {
  const { addresses = [], notices = [] } = config.webhooks ?? {};
  const page = (place: string) => pagePath(place, config.http.publicUrl);
  const waitingWith = async (id: string) => (state === undefined ? undefined : readWaiting(state, id, page));
  const options = { inbox: page(INBOX_PLACE), everyMs: NOTICES.everyMs, personOf: personOfApproval, waitingWith };
  return [...addresses.map((address) => webhook(address)), ...notices.map((notice) => noticeReceiver(notice, options))];
}

/** The key of the person who asked. */
const personOfApproval = ({ tenant, caller = '' }: { readonly tenant: string; readonly caller?: string }) =>
  personKey({ tenant, caller });

/** Reads a pending question, and the other questions that wait for the same person on the page. Names no passenger. */
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
  const act = `${actWord(ACTS, approval.tool)}${amount === undefined ? '' : ` of ${showMoney(amount)}`}`;
  const where = approval.about === undefined ? '' : plainText(whereText(approval.about), 80);
  const question = ids.includes(operationId) ? { what: act, where, page: page(operationId) } : undefined;
  const dueAt = Math.min(...questions.map(({ expiresAt }) => expiresAt));
  return { asker: callerName(approval.caller), question, operationIds: ids, dueAt };
}
