/** `fareclerk events`: lists what the desk told other systems, and sends it again. */

import { type Config, UsageError } from '../../config/load.ts';
import { own } from '../../core/own.ts';
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
import { hint, type OutputOptions, print } from '../terminal/window.ts';

const TITLES = ['when (UTC)', 'booking', 'event', 'what', 'delivery', 'id'] as const;

/** One call of `fareclerk events`. */
interface EventsRun extends OutputOptions {
  readonly config: Config;
  readonly flags: Arguments['flags'];
  /** The event that is named after the action; else empty. */
  readonly id: string;
  /** Whether it writes to the state: events are sent, or marked to be sent. */
  readonly changes: boolean;
  /** The most events that are listed. */
  readonly limit: number;
}

// The actions: list and show, resend and test.

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

async function show(run: EventsRun): Promise<ExitCode> {
  return withState<ExitCode>(run, async (state) => {
    const event = await state?.outbox.find(run.id);
    if (state === undefined || event === undefined) return unknownEvent(run);
    const record = eventRecord(event, run, await state.deliveries.forEvents([event.n]));
    print({ ...run, json: true }, record, '');
    return 0;
  });
}

function unknownEvent(run: EventsRun): ExitCode {
  hint(run, `fareclerk: no event ${run.id} is kept. \`fareclerk events\` shows them.\n`);
  return 1;
}

async function resend(run: EventsRun): Promise<ExitCode> {
  return withState<ExitCode>(run, async (state) => {
    const event = run.id === 'all' ? undefined : await state?.outbox.find(run.id);
    if (event === undefined && run.id !== 'all') return unknownEvent(run);
    const receivers = eventTargets(run.config).map(({ configuredAddress }) => receiverName(configuredAddress));
    const { resent = 0, unsent = [] } = (await state?.deliveries.resend(receivers, storeNow(state), event?.n)) ?? {};
    const notSent = unsent.map(({ receiver, count }) => {
      const isSet = receivers.includes(receiver);
      const why = isSet ? 'it answered 410; `fareclerk events test` opens it' : 'the settings do not have it';
      return { to: isSet ? receiverText(run, receiver) : receiver, events: count, why };
    });
    print(run, { resent, not_sent: notSent }, resendText(resent, notSent));
    return resent === 0 ? 1 : 0;
  });
}

interface UnsentEvents {
  readonly to: string;
  /** How many events. */
  readonly events: number;
  readonly why: string;
}

function resendText(resent: number, notSent: readonly UnsentEvents[]): string {
  if (resent === 0 && notSent.length === 0) return 'No failed delivery is waiting, so nothing is sent again.\n';
  const again = resent === 0 ? '' : `${resent} to be sent again. The server that delivers sends them now.\n`;
  return again + notSent.map(({ to, events: count, why }) => `${count} not sent to ${to}: ${why}.\n`).join('');
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

interface EventsAction {
  /** What its argument is, in words. Absent: it takes none. */
  readonly takes?: string;
  /** Whether it writes to the state: events are sent, or marked to be sent. */
  readonly changes?: true;
  run(run: EventsRun): Promise<ExitCode>;
}

const ACTIONS: Readonly<Record<string, EventsAction>> = {
  list: { run: list },
  show: { takes: 'one event id', run: show },
  resend: { takes: 'one event id, or all', changes: true, run: resend },
  test: { changes: true, run: test },
};

/** @throws UsageError */
function chosenAction(name: string, id: string | undefined, { dead }: EventsRun['flags']): EventsAction {
  const action = own(ACTIONS, name);
  if (action === undefined) throw new UsageError('events: expected list, show ID, resend ID, resend all or test.');
  if (action.takes !== undefined && id === undefined) throw new UsageError(`events ${name}: expected ${action.takes}.`);
  if (action.takes === undefined && id !== undefined) throw new UsageError(`events ${name}: takes no argument.`);
  if (name !== 'list' && dead) throw new UsageError(`events ${name}: takes no --dead.`);
  return action;
}

export const events: Command = {
  about: `usage: fareclerk events [ACTION] [options]

What the desk told other systems: a booking changed, a hold expires soon, a
question is open, an operation ended. show prints JSON, and so does list without
a terminal. \`fareclerk serve --http\` delivers events to FARECLERK_WEBHOOKS.

  fareclerk events                  the newest events, and who has got them
  fareclerk events --dead           dead letters: given up after three days
  fareclerk events show ID          one event and each delivery of it
  fareclerk events resend ID        tries again now what failed; all: every one
  fareclerk events test             sends a test event to every address; exit 1
                                    if one does not take it
`,
  async run(argv, terminal) {
    const args = readArguments(argv, COMMANDS.events);
    const { flags, positionals } = args;
    const [name = 'list', id] = positionals;
    const action = chosenAction(name, id, flags);
    const limit = listLimit(flags.limit);
    const config = readSettings(terminal, args);
    const json = flags.json === true || !terminal.stdout.isTTY;
    const { changes = false } = action;
    return action.run({ config, terminal, json, flags, id: id ?? '', changes, limit });
  },
};
