/** `fareclerk events`: what the desk tells others, and whether they got it. */
import { UsageError } from '../../config/load.ts';
import { receiverOf } from '../../events/deliver.ts';
import type { DeskEvent } from '../../events/event.ts';
import type { State } from '../../store/state.ts';
import { followEvents } from '../events/follow.ts';
import { describeEvent, type EventsRun, eventRecord, eventTable, placeOf, toWhom, withState } from '../events/view.ts';
import { senderOf } from '../runtime/events.ts';
import { readArguments, wholeNumber } from '../terminal/arguments.ts';
import { readSettings, readSettingsToChange } from '../terminal/settings.ts';
import { table } from '../terminal/table.ts';
import { hint, print } from '../terminal/window.ts';
import type { Command, ExitCode } from './command.ts';
import { COMMANDS } from './index.ts';

async function chosen({ own, limit }: EventsRun, { outbox, deliveries }: State): Promise<readonly DeskEvent[]> {
  if (!own.dead) return outbox.newest(limit);
  return [...new Map((await deliveries.dead(limit)).map(({ event }) => [event.n, event])).values()];
}

async function list(run: EventsRun): Promise<ExitCode> {
  return withState<ExitCode>(run, async (state) => {
    const events = state === undefined ? [] : await chosen(run, state);
    const all = (await state?.deliveries.of(events.map(({ n }) => n))) ?? [];
    const records = events.map((event) =>
      eventRecord(
        event,
        run,
        all.filter(({ n }) => n === event.n),
      ),
    );
    const none = run.own.dead ? 'No event is a dead letter.\n' : 'No events are kept.\n';
    print(run, records, events.length === 0 ? none : eventTable(run, events, all));
    return 0;
  });
}

function unknown(run: EventsRun): ExitCode {
  hint(run, `fareclerk: no event ${run.id} is kept. \`fareclerk events\` shows them.\n`);
  return 1;
}

async function show(run: EventsRun): Promise<ExitCode> {
  return withState<ExitCode>(run, async (state) => {
    const event = await state?.outbox.find(run.id);
    if (state === undefined || event === undefined) return unknown(run);
    const own = await state.deliveries.of([event.n]);
    print(run, eventRecord(event, run, own), describeEvent(run, event, own));
    return 0;
  });
}

async function resend(run: EventsRun): Promise<ExitCode> {
  return withState<ExitCode>(run, async (state) => {
    const event = run.id === 'all' ? undefined : await state?.outbox.find(run.id);
    if (event === undefined && run.id !== 'all') return unknown(run);
    const addresses = run.config.webhooks?.addresses ?? [];
    const now = state?.clock?.now() ?? Date.now();
    const { resent = 0, left = [] } = (await state?.deliveries.resend(addresses.map(receiverOf), now, event?.n)) ?? {};
    const skipped = left.map((one) => {
      const isSet = addresses.some((address) => receiverOf(address) === one.receiver);
      const why = isSet ? 'it answered 410; `fareclerk events test` opens it' : 'FARECLERK_WEBHOOKS does not have it';
      return { to: isSet ? toWhom(run, one) : one.receiver, events: one.events, why };
    });
    const none = skipped.length === 0 ? 'Nothing to send again: nothing waits after a failure.\n' : '';
    const sent = resent === 0 ? none : `${resent} to be sent again. The server that delivers sends them now.\n`;
    const not = skipped.map(({ to, events: count, why }) => `${count} not sent to ${to}: ${why}.\n`);
    print(run, { resent, not_sent: skipped }, [sent, ...not].join(''));
    return resent === 0 ? 1 : 0;
  });
}

/** Sends one event to each address, past the outbox. An address that had said 410 is opened again if it takes it. */
async function test(run: EventsRun): Promise<ExitCode> {
  const { webhooks } = run.config;
  if (webhooks === undefined) throw new UsageError('events test: FARECLERK_WEBHOOKS is not set.');
  const sender = await senderOf(webhooks);
  return withState<ExitCode>(run, async (state) => {
    const now = new Date();
    const body = JSON.stringify({ type: 'test', timestamp: now.toISOString(), data: {} });
    const results = await Promise.all(
      webhooks.addresses.map(async (address) => {
        const sent = await sender.send(address, { id: `test/${now.getTime()}`, body });
        const taken = sent.kind === 'delivered';
        // Events that failed before a repair are tried at once.
        if (taken) await state?.deliveries.hurry(receiverOf(address), state.clock?.now() ?? Date.now());
        const reopened = taken && ((await state?.deliveries.reopen(receiverOf(address))) ?? false);
        return { to: placeOf(address), taken, said: taken ? 'taken' : sent.said, ...(reopened && { reopened }) };
      }),
    );
    const rows = results.map(({ to, said, reopened }) => [to, said, reopened ? 'gets events again' : '']);
    print(run, results, table(rows));
    return results.every(({ taken }) => taken) ? 0 : 1;
  }).finally(() => sender.close());
}

interface Action {
  /** What its argument is. */
  readonly takes?: string;
  /** It sends, or has the server send. */
  readonly changes?: true;
  run(run: EventsRun): Promise<ExitCode>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { run: list },
  show: { takes: 'one event id', run: show },
  resend: { takes: 'one event id, or all', changes: true, run: resend },
  test: { changes: true, run: test },
};

/** @throws UsageError */
function actionOf(name: string, id: string | undefined, { follow: follows, after, dead }: EventsRun['own']): Action {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) throw new UsageError('events: expected list, show ID, resend ID, resend all or test.');
  if (action.takes !== undefined && id === undefined) throw new UsageError(`events ${name}: expected ${action.takes}.`);
  if (action.takes === undefined && id !== undefined) throw new UsageError(`events ${name}: takes no argument.`);
  if (name !== 'list' && (follows || dead)) throw new UsageError(`events ${name}: takes no --follow and no --dead.`);
  if (after !== undefined && !follows) throw new UsageError('--after: goes with --follow.');
  return follows ? { run: followEvents } : action;
}

export const events: Command = {
  about: `usage: fareclerk events [ACTION] [options]

What the desk told other systems: a booking changed, a hold lapses soon, a
question waits, an operation ended. list and show print JSON if stdout is not a
terminal. \`fareclerk serve --http\` delivers them to FARECLERK_WEBHOOKS.

  fareclerk events                  the newest events, and who has got them
  fareclerk events --follow         as they come, until Ctrl-C
  fareclerk events --follow --json --after ID   one JSON object a line, from the
                                    event behind ID on
  fareclerk events --dead           dead letters: given up after three days
  fareclerk events show ID          one event and each delivery of it
  fareclerk events resend ID        tries again now what failed; all: every one
  fareclerk events test             sends a test event to every address; exit 1
                                    if one does not take it
`,
  async run(argv, terminal) {
    const args = readArguments(argv, COMMANDS.events);
    const { own, positionals } = args;
    const [name = 'list', id] = positionals;
    const action = actionOf(name, id, own);
    const limit = wholeNumber('--limit', own.limit, 1, 10_000) ?? 50;
    const config = action.changes ? readSettingsToChange(terminal, args) : readSettings(terminal, args);
    const json = own.json === true || (!own.follow && !terminal.stdout.isTTY);
    return action.run({ config, terminal, json, own, id: id ?? '', limit });
  },
};
