/** Journal actions that settle or close operations. Each exits with 1 if something is left to do. */
import { UsageError } from '../../config/load.ts';
import { cleanText, quoted } from '../../core/clean-text.ts';
import { isActive, locatorOf } from '../../journal/operation.ts';
import type { Restored } from '../../journal/restored.ts';
import type { Runtime } from '../../server/context.ts';
import type { State } from '../../store/state.ts';
import type { ExitCode } from '../commands/command.ts';
import { composeClerk } from '../runtime/compose.ts';
import { personNamed } from '../terminal/person.ts';
import { hint, print, progressOn } from '../terminal/window.ts';
import { type JournalRun, operationRecord, operationTable } from './view.ts';

async function withRuntime(
  run: JournalRun,
  use: (runtime: Runtime, state: State) => Promise<ExitCode>,
): Promise<ExitCode> {
  const composed = composeClerk(run.config);
  try {
    return await use(await composed.clerk.runtime(), await composed.state());
  } finally {
    await composed.close();
  }
}

/** Reads the booking of every open operation that is due, and settles what the reading proves. */
export function reconcile(run: JournalRun): Promise<ExitCode> {
  return withRuntime(run, async ({ journal }) => {
    const progress = progressOn(run.terminal);
    const reconciled = journal.reconcile(({ done, total }) => progress.show(done, total, 'bookings read'));
    const { settled, waiting, needsPerson } = await reconciled.finally(() => progress.end());
    const words = `${settled} settled, ${waiting} still open, ${needsPerson} for a person to check.\n`;
    print(run, { settled, waiting, needs_person: needsPerson }, words);
    return needsPerson === 0 ? 0 : 1;
  });
}

/** Closes an operation that needs a person. */
export async function resolve(run: JournalRun): Promise<ExitCode> {
  const note = cleanText(String(run.flags.note ?? ''), 500);
  if (note === '') throw new UsageError('journal resolve: expected --note "what the airline said".');
  return withRuntime(run, async ({ journal, state }) => {
    const open = await state.operations.list({ states: ['needs_person'] });
    const [operation, ...others] = open.filter(({ id }) => id.startsWith(run.id));
    if (operation === undefined || others.length > 0) {
      hint(
        run,
        'fareclerk: no single operation that needs a person begins with that id. `fareclerk journal list --state needs_person` shows them.\n',
      );
      return 1;
    }
    const by = personNamed(run.flags.by);
    const closed = await journal.resolve(operation, by, note);
    const now = (await state.operations.get(operation.id)) ?? operation;
    const words = closed ? `${by} closed operation ${now.id}.\n` : `Operation ${now.id} is now ${now.state}.\n`;
    print(run, operationRecord(now), words);
    return closed ? 0 : 1;
  });
}

/** Allows sending again after an older copy of the journal was restored. */
export function restored(run: JournalRun): Promise<ExitCode> {
  return withRuntime(run, async ({ journal }, { forgetting }) => {
    if (forgetting.again > 0)
      run.terminal.stderr.write('Who was forgotten since that copy was made is forgotten again.\n');
    let leastMinutes = Number.POSITIVE_INFINITY;
    const onWait = (leftMs: number) => {
      const minutes = Math.ceil(leftMs / 60_000);
      if (minutes >= leastMinutes) return;
      leastMinutes = minutes;
      run.terminal.stderr.write(
        `Sending is blocked for ${minutes} more min: the airline may still carry out the last requests.\n`,
      );
    };
    const withoutRecords = run.flags['without-second-records'] === true;
    const done = await journal.restored(personNamed(run.flags.by), { onWait, withoutRecords });
    if (done === undefined) {
      print(run, { held: false }, 'Sending is not blocked: nothing of the journal is missing.\n');
      return 0;
    }
    const { links, acts, read, unread, end, releasedBy } = done;
    const record = {
      held: end !== 'released',
      second_records: end === 'no_records' ? 'missing' : undefined,
      links,
      operations: acts.map(operationRecord),
      bookings_read: read,
      bookings_unread: unread,
      released_by: releasedBy,
    };
    print(run, record, end === 'no_records' ? NO_RECORDS : restoredWords(done, run));
    return end === 'released' ? 0 : 1;
  });
}

const NO_RECORDS = `A machine that may have sent operations has no second records of this journal. Sending stays blocked.
Run this command on each machine that has its second records. If those of a machine are lost, then run
\`fareclerk journal restored --without-second-records\`.
It waits until the airline can no longer carry out a request that is in no record, and allows sending again.
`;

function restoredWords({ links, acts, read, unread, end, releasedBy }: Restored, run: JournalRun): string {
  const open = acts.filter(({ state }) => isActive(state)).length;
  const actsWithLocator = acts.map((act) => ({ ...act, locator: locatorOf(act) ?? '-' }));
  return [
    `${links} lost ${links === 1 ? 'entry' : 'entries'} of the journal, ${acts.length} of acts that had been sent.`,
    ...(acts.length > 0 ? [operationTable(run, actsWithLocator).trimEnd()] : []),
    `${read.length} bookings were read again${unread.length > 0 ? `; could not be read: ${unread.join(', ')}` : ''}.`,
    ...(open > 0
      ? [`${open} still open. They settle by themselves. Until then their bookings cannot be changed.`]
      : []),
    end === 'released'
      ? `Sending is allowed again${releasedBy === undefined ? '' : `: ${quoted(releasedBy)} released it meanwhile`}. Compare the airline's own list of that time with \`fareclerk journal list\`.`
      : 'Some operations could not be restored, because their bookings have others open. Sending stays blocked. Run this again.',
    '',
  ].join('\n');
}
