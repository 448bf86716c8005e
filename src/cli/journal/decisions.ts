/**
 * What a person does to the journal: closes an operation that they checked, and ends the hold after a restore.
 */
import { type Config, UsageError } from '../../config/load.ts';
import { cleanText } from '../../domain/time-and-text/clean-text.ts';
import { isActive, locatorOf, type Operation } from '../../journal/operation.ts';
import type { Restored } from '../../journal/restored.ts';
import type { ExitCode, Terminal } from '../commands/command.ts';
import { composeClerk } from '../runtime/compose.ts';
import { personNamed } from '../terminal/person.ts';
import { table, windowOf } from '../terminal/table.ts';
import { operationRecord, operationRow, ROW_TITLES, ROW_WHOLE } from './view.ts';

export interface PersonRun {
  readonly config: Config;
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly by: unknown;
}

function print({ terminal, json }: PersonRun, record: unknown, words: string): void {
  terminal.stdout.write(json ? `${JSON.stringify(record, undefined, 2)}\n` : words);
}

/** Closes an operation that needs a person. */
export async function resolve(run: PersonRun, id: string, given: unknown): Promise<ExitCode> {
  const note = typeof given === 'string' ? cleanText(given, 500) : '';
  if (note === '') throw new UsageError('journal resolve: expected --note "what the airline said".');
  const composed = composeClerk(run.config);
  try {
    const { journal, state } = await composed.clerk.parts();
    const open = await state.operations.list({ states: ['needs_person'] });
    const [operation, ...others] = open.filter((each) => each.id.startsWith(id));
    if (operation === undefined || others.length > 0) {
      run.terminal.stderr.write(
        'fareclerk: no one operation that needs a person begins with that id. `fareclerk journal list --state needs_person` shows them.\n',
      );
      return 1;
    }
    const by = personNamed(run.by);
    const closed = await journal.resolve(operation, by, note);
    const now = (await state.operations.get(operation.id)) ?? operation;
    const words = closed ? `Operation ${now.id} is closed by ${by}.\n` : `Operation ${now.id} is ${now.state} now.\n`;
    print(run, operationRecord(now), words);
    return closed ? 0 : 1;
  } finally {
    await composed.close();
  }
}

/** After an older copy of the journal was put back. */
export async function restored(run: PersonRun): Promise<ExitCode> {
  const composed = composeClerk(run.config);
  const { stderr } = run.terminal;
  try {
    const { journal } = await composed.clerk.parts();
    let told = Number.POSITIVE_INFINITY;
    const done = await journal.restored(personNamed(run.by), (leftMs) => {
      const minutes = Math.ceil(leftMs / 60_000);
      if (minutes < told)
        stderr.write(`Sending stays held for ${minutes} more min: what left last may still be done.\n`);
      told = Math.min(told, minutes);
    });
    if (done === undefined) {
      print(run, { held: false }, 'Nothing is held: the journal has all that was seen of it.\n');
      return 0;
    }
    print(run, restoredRecord(done), restoredWords(done, run.terminal));
    return done.released ? 0 : 1;
  } finally {
    await composed.close();
  }
}

function restoredRecord({ links, acts, read, unread, released }: Restored) {
  return {
    held: !released,
    links,
    operations: acts.map(operationRecord),
    bookings_read: read,
    bookings_unread: unread,
  };
}

function restoredWords({ links, acts, read, unread, released }: Restored, { stdout }: Terminal): string {
  const rows = acts.map((act: Operation) => operationRow({ ...act, locator: locatorOf(act) ?? '-' }));
  const open = acts.filter(({ state }) => isActive(state)).length;
  return [
    `${links} lost ${links === 1 ? 'entry' : 'entries'} of the journal, ${acts.length} of acts that had been sent.`,
    ...(acts.length > 0 ? [table([ROW_TITLES, ...rows], windowOf(stdout), ROW_WHOLE).trimEnd()] : []),
    `${read.length} bookings were read again${unread.length > 0 ? `; could not be read: ${unread.join(', ')}` : ''}.`,
    ...(open > 0
      ? [`${open} still open: they settle by themselves, and their bookings take nothing else meanwhile.`]
      : []),
    released
      ? "Acts may be sent again. Compare the airline's own list of that time with `fareclerk journal list`."
      : 'Some acts could not be entered, because their bookings have others open. Sending stays held: run this again.',
    '',
  ].join('\n');
}
