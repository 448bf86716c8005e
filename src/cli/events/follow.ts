/** `fareclerk events --follow`: events as they come, until Ctrl-C. */
import { setTimeout as wait } from 'node:timers/promises';
import type { State } from '../../store/state.ts';
import type { ExitCode } from '../commands/command.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { hint } from '../terminal/window.ts';
import { type EventsRun, eventLine, eventRecord, isMade, withState } from './view.ts';

const LOOK_MS = 500;
const PAGE = 200;

/** After this event, or from now on. Undefined: no such event is kept. */
async function begin({ outbox }: State, after: string): Promise<number | undefined> {
  return after === '' ? outbox.last() : (await outbox.find(after))?.n;
}

export async function followEvents(run: EventsRun): Promise<ExitCode> {
  const { stderr, stdout } = run.terminal;
  const after = String(run.own.after ?? '');
  // All events of a state that does not exist yet are still to come.
  const isNew = after === '' && !isMade(run);
  const n = isNew ? 0 : await withState(run, async (state) => state && (await begin(state, after)));
  if (n === undefined) {
    hint(run, `fareclerk: no event ${after} is kept. Events are kept for a week: \`fareclerk events\` shows them.\n`);
    return 1;
  }
  if (!run.json) stderr.write('Waiting for events. Ctrl-C ends this.\n');
  const stopped = new AbortController();
  const ended = untilStopped({ stdout }).then(() => stopped.abort());
  while (!isMade(run) && !stopped.signal.aborted) await pause(stopped.signal);
  if (!stopped.signal.aborted) await withState(run, async (state) => state && tell(run, state, n, stopped.signal));
  await ended;
  return 0;
}

async function tell(run: EventsRun, { outbox }: State, since: number, stopped: AbortSignal): Promise<void> {
  let n = since;
  while (!stopped.aborted) {
    const events = await outbox.after(n, PAGE);
    for (const event of events) {
      const line = run.json ? JSON.stringify(eventRecord(event, run)) : eventLine(event).join('  ');
      run.terminal.stdout.write(`${line}\n`);
      n = event.n;
    }
    if (events.length === 0) await pause(stopped);
  }
}

function pause(stopped: AbortSignal): Promise<void> {
  return wait(LOOK_MS, undefined, { signal: stopped }).catch(() => undefined);
}
