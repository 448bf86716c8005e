/** `fareclerk events --follow`: events as they come, until Ctrl-C. */
import { setTimeout as wait } from 'node:timers/promises';
import type { State } from '../../store/state.ts';
import type { ExitCode } from '../commands/command.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { type EventsRun, eventLine, eventRecord, withState } from './view.ts';

const LOOK_MS = 500;
const PAGE = 200;

/** After this event, or from now on. Undefined: no such event is kept. */
async function begin({ outbox }: State, after: string): Promise<number | undefined> {
  return after === '' ? outbox.last() : (await outbox.find(after))?.n;
}

export async function follow(run: EventsRun): Promise<ExitCode> {
  const { stdout, stderr } = run.terminal;
  return withState<ExitCode>(run, async (state) => {
    if (state === undefined) {
      stderr.write('There is no state yet. `fareclerk serve` makes it.\n');
      return 1;
    }
    const after = String(run.own.after ?? '');
    let n = await begin(state, after);
    if (n === undefined) {
      stderr.write(
        `fareclerk: no event ${after} is kept. Events are kept for a week: \`fareclerk events\` shows them.\n`,
      );
      return 1;
    }
    if (!run.json) stderr.write('Waiting for events. Ctrl-C ends this.\n');
    const stopped = new AbortController();
    const ended = untilStopped(run.terminal).then(() => stopped.abort());
    while (!stopped.signal.aborted) {
      const events = await state.outbox.after(n, PAGE);
      for (const event of events) {
        stdout.write(run.json ? `${JSON.stringify(eventRecord(event, run))}\n` : `${eventLine(event).join('  ')}\n`);
        n = event.n;
      }
      if (events.length === 0) await wait(LOOK_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
    await ended;
    return 0;
  });
}
