/** The actions of `fareclerk journal` that settle or close operations. Each exits with 1 if something is left to do. */

import type { Runtime } from '../../clerk/context.ts';
import { UsageError } from '../../config/load.ts';
import { cleanText } from '../../core/clean-text.ts';
import { utcText } from '../../core/times.ts';
import { isActive, locatorOf } from '../../journal/operation.ts';
import type { Restored } from '../../journal/restored.ts';
import type { State } from '../../store/state.ts';
import { composeClerk } from '../runtime/compose.ts';
import { onlyBeginning, personNamed } from '../terminal/arguments.ts';
import type { ExitCode } from '../terminal/command.ts';
import { hint, print } from '../terminal/window.ts';
import { instant, type JournalRun, operationRecord, operationTable } from './view.ts';

/** The most characters of a note. */
const LONGEST_NOTE = 500;

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
    const { settled, waiting, needsPerson } = await journal.reconcile();
    const words = `${settled} settled, ${waiting} still open, ${needsPerson} to check with the airline.\n`;
    print(run, { settled, waiting, needs_person: needsPerson }, words);
    return needsPerson === 0 ? 0 : 1;
  });
}

/** Closes an operation that needs a person. */
export async function resolve(run: JournalRun): Promise<ExitCode> {
  const note = cleanText(String(run.flags.note ?? ''), LONGEST_NOTE);
  if (note === '') throw new UsageError('journal resolve: expected --note "what the airline said".');

  return withRuntime(run, async ({ journal, state }) => {
    const unresolved = await state.operations.list({ states: ['needs_person'] });
    const operation = onlyBeginning(unresolved, ({ id }) => id, run.id);
    if (operation === undefined) {
      const where = '`fareclerk journal list --state needs_person` shows them.';
      hint(run, `fareclerk: no single operation that needs a person begins with that id. ${where}\n`);
      return 1;
    }

    const by = personNamed(run.flags.by);
    const isClosed = await journal.resolve(operation, by, note);
    const { id } = operation;
    const reread = (await state.operations.get(id)) ?? operation;
    const words = isClosed ? `${by} closed operation ${id}.\n` : `Operation ${id} is now ${reread.state}.\n`;
    print(run, operationRecord(reread), words);

    return isClosed ? 0 : 1;
  });
}

const NOTHING_MISSING = `Sending is not blocked, because the second records here miss nothing of the journal.
If you restored an older copy and second records are lost, run \`fareclerk pause "restored a copy"\`, and then this again.
`;

/** Enters again what an older copy of the journal lacks, and says when sending is allowed again. */
export function restored(run: JournalRun): Promise<ExitCode> {
  return withRuntime(run, async ({ journal }) => {
    const result = await journal.restored(personNamed(run.flags.by));
    if (result === undefined) {
      print(run, { held: false }, NOTHING_MISSING);
      return 0;
    }
    print(run, restoredRecord(result), restoredWords(result));
    return result.end === 'busy' ? 1 : 0;
  });
}

function restoredRecord({ links, acts, read, unread, end, allowedAt }: Restored) {
  return {
    held: end !== 'released',
    allowed_at: instant(allowedAt),
    links,
    operations: acts.map(operationRecord),
    bookings_read: read,
    bookings_unread: unread,
  };
}

function restoredWords(restored: Restored): string {
  const { links, acts, read, unread, isUnknown } = restored;
  if (isUnknown) return `No second record says what the copy lacks. ${endWords(restored)}\n`;

  const openActs = acts.filter(({ state }) => isActive(state)).length;
  const listedActs = acts.map((act) => ({ ...act, locator: locatorOf(act) ?? '-' }));
  const unreadText = unread.length > 0 ? `; could not be read: ${unread.join(', ')}` : '';

  return [
    `${links} lost ${links === 1 ? 'entry' : 'entries'} of the journal, ${acts.length} of acts that had been sent.`,
    ...(acts.length > 0 ? [operationTable(listedActs).trimEnd()] : []),
    `${read.length} bookings were read again${unreadText}.`,
    ...(openActs > 0
      ? [`${openActs} still open. They settle by themselves. Until then their bookings cannot be changed.`]
      : []),
    endWords(restored),
    '',
  ].join('\n');
}

function endWords({ end, allowedAt = 0, isPaused }: Restored): string {
  const compare = "Compare the airline's own list of that time with `fareclerk journal list`.";
  const next = isPaused ? `${compare} Then end the pause with \`fareclerk resume\`.` : compare;

  switch (end) {
    case 'busy':
      return 'Some operations could not be restored, because their bookings have others open. Sending stays blocked. Run this again once those have settled.';
    case 'planned':
      return `Sending is allowed again at ${utcText(allowedAt)}: until then the airline may still carry out the last requests. ${isPaused ? '' : 'Nobody needs to wait. '}${next}`;
    case 'released':
      return isPaused ? `Sending is paused, and no longer held. ${next}` : `Sending is allowed again. ${next}`;
  }
}
