/** `fareclerk events`: lists what the desk told other systems, and sends it again. */

import { type Config, UsageError } from '../../config/load.ts';
import { utcMinute } from '../../core/times.ts';
import { joined } from '../../core/words.ts';
import { type EventReceiver, receiverName } from '../../events/deliver-with-retries.ts';
import { type DeskEvent, eventPayload } from '../../events/event.ts';
import type { Delivery } from '../../events/ports.ts';
import type { Sender } from '../../events/signed-post.ts';
import type { State } from '../../store/state.ts';
import { eventTargets, openSender } from '../runtime/events.ts';
import { storeNow, withState } from '../runtime/open-state.ts';
import { type Arguments, listLimit, readArguments } from '../terminal/arguments.ts';
import type { Command, ExitCode } from '../terminal/command.ts';
import { COMMANDS } from '../terminal/command-table.ts';
import { readSettings } from '../terminal/settings.ts';
import { table } from '../terminal/table.ts';
import { type OutputOptions, print } from '../terminal/window.ts';

const TITLES = ['when (UTC)', 'booking', 'event', 'what', 'delivery', 'id'] as const;

/** One call of `fareclerk events`. */
interface EventsRun extends OutputOptions {
  readonly config: Config;
  readonly flags: Arguments['flags'];
  /** Whether it writes to the state: events are sent, or marked to be sent. */
  readonly changes: boolean;
  /** The most events that are listed. */
  readonly limit: number;
}

// The actions: list, resend and test.

async function list(run: EventsRun): Promise<ExitCode> {
  return withState<ExitCode>(run, async (state) => {
    const events = state === undefined ? [] : await chosenEvents(run, state);
    const deliveries = (await state?.deliveries.forEvents(events.map(({ n }) => n))) ?? [];
    const byEvent = Map.groupBy(deliveries, ({ n }) => n);
    const records = events.map((event) => eventRecord(event, run, byEvent.get(event.n)));
    const noEvents = run.flags.dead ? 'No event is a dead letter.\n' : 'No events are kept.\n';
    print(run, records, events.length === 0 ? noEvents : eventTable(events, byEvent));
    return 0;
  });
}

/** The newest events; with `--dead`, each event that could not be delivered to some address, once. */
async function chosenEvents({ flags, limit }: EventsRun, { outbox, deliveries }: State): Promise<readonly DeskEvent[]> {
  if (!flags.dead) return outbox.newest(limit);
  return [...new Map((await deliveries.dead(limit)).map(({ event }) => [event.n, event])).values()];
}

async function resend(run: EventsRun): Promise<ExitCode> {
  return withState<ExitCode>(run, async (state) => {
    const receivers = eventTargets(run.config).map(({ configuredAddress }) => receiverName(configuredAddress));
    const resent = (await state?.deliveries.resend(receivers, storeNow(state))) ?? 0;
    const text =
      resent === 0
        ? 'No failed delivery is waiting, so nothing is sent again.\n'
        : `${resent} to be sent again. The server that delivers sends them now.\n`;
    print(run, { resent }, text);

    return resent === 0 ? 1 : 0;
  });
}

/** Sends a test event to each address without the outbox. An address that answered 410 before gets events again if it takes this one. */
async function test(run: EventsRun): Promise<ExitCode> {
  const { webhooks } = run.config;
  if (webhooks === undefined) throw new UsageError('events test: FARECLERK_WEBHOOKS and FARECLERK_NOTIFY are not set.');

  const sender = await openSender(webhooks);
  return withState<ExitCode>(run, async (state) => {
    // Receivers check the time of a message by their own clock.
    const now = Date.now();
    const targets = eventTargets(run.config);
    const results = await Promise.all(targets.map((target) => testReceiver(target, sender, now, state)));
    const rows = results.map(({ to, said, reopened }) => [to, said, reopened ? 'gets events again' : '']);
    print(run, results, table(rows));
    return results.every(({ taken }) => taken) ? 0 : 1;
  }).finally(() => sender.close());
}

async function testReceiver(
  { address, configuredAddress, testMessage }: EventReceiver,
  sender: Sender,
  now: number,
  state: State | undefined,
) {
  const receiver = receiverName(configuredAddress);
  const reply = await sender.send(address, testMessage(now));
  const taken = reply.kind === 'delivered';
  const reopened = taken && ((await state?.deliveries.reopen(receiver)) ?? false);
  return { to: originName(address), taken, said: taken ? 'taken' : reply.said, reopened: reopened || undefined };
}

// How events are written.

function eventRecord(event: DeskEvent, run: EventsRun, deliveries: readonly Delivery[] = []) {
  const { data, ...payload } = eventPayload(event);
  return {
    id: event.id,
    ...payload,
    data: { ...data, caller: event.caller },
    deliveries: deliveries.length === 0 ? undefined : deliveries.map((delivery) => deliveryRecord(delivery, run)),
  };
}

function deliveryRecord(delivery: Delivery, run: EventsRun) {
  const { receiver, state, tries, nextAt, failedAt, said } = delivery;
  return {
    to: receiverText(run, receiver),
    state,
    tries,
    next_at: state === 'waiting' && nextAt > 0 ? instantText(nextAt) : undefined,
    failed_at: failedAt === undefined ? undefined : instantText(failedAt),
    said,
  };
}

/** The address of a delivery. The store has only its key, so an address that is no longer in the settings cannot be named. */
function receiverText({ config }: EventsRun, receiver: string): string {
  const target = eventTargets(config).find(({ configuredAddress }) => receiverName(configuredAddress) === receiver);
  return target === undefined ? `${receiver} (no longer set)` : originName(target.address);
}

/** Scheme and host of an address: the rest may be a key. */
const originName = (address: string): string => new URL(address).origin;

const instantText = (ms: number) => new Date(ms).toISOString();

/** @param byEvent the deliveries, by the number of their event */
function eventTable(events: readonly DeskEvent[], byEvent: ReadonlyMap<number, readonly Delivery[]>): string {
  const rows = events.map((event) => [...eventLine(event), stateWords(byEvent.get(event.n) ?? []), event.id]);
  return table([TITLES, ...rows]);
}

/** `2026-11-20 07:40  ABC123  booking.changed  cancelled` */
function eventLine({ at, locator, type, kind, tool, dueAt }: DeskEvent): readonly string[] {
  const due = dueAt === undefined ? undefined : `until ${utcMinute(dueAt)}`;
  const details = joined([kind, tool, due]);
  return [utcMinute(at), locator ?? '-', type, details];
}

function stateWords(deliveries: readonly Delivery[]): string {
  const byState = Map.groupBy(deliveries, ({ state }) => state);
  const words = [...byState].map(([state, group]) => (deliveries.length === 1 ? state : `${group.length} ${state}`));
  return words.join(', ') || '-';
}

// The command, and how it chooses the action.

const ACTIONS = new Map([
  ['list', list],
  ['resend', resend],
  ['test', test],
]);

/** @throws UsageError */
function chosenAction(name: string, { dead }: EventsRun['flags']) {
  const action = ACTIONS.get(name);
  if (action === undefined) throw new UsageError('events: expected list, resend or test.');
  if (name !== 'list' && dead) throw new UsageError(`events ${name}: takes no --dead.`);
  return action;
}

export const events: Command = {
  about: `usage: fareclerk events [ACTION] [options]

What the desk told other systems: a booking changed, a hold expires soon, a
question is open, an operation ended. Without a terminal it prints JSON.
\`fareclerk serve --http\` delivers events to FARECLERK_WEBHOOKS.

  fareclerk events                  the newest events, and who has got them
  fareclerk events --dead           dead letters: given up after three days
  fareclerk events resend           tries again now what failed, also dead
                                    letters, where the address is set and open
  fareclerk events test             sends a test event to every address; exit 1
                                    if one does not take it
`,
  async run(argv, terminal) {
    const args = readArguments(argv, COMMANDS.events);
    const { flags, positionals } = args;
    const [name = 'list'] = positionals;
    const action = chosenAction(name, flags);

    const limit = listLimit(flags.limit);
    const config = readSettings(terminal, args);
    const json = flags.json === true || !terminal.stdout.isTTY;
    return action({ config, terminal, json, flags, changes: name !== 'list', limit });
  },
};
