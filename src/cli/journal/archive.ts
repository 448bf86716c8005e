/** `fareclerk journal archive`: moves old operations into a file. */
import { UsageError } from '../../config/load.ts';
import type { Archived } from '../../store/archive/archive.ts';
import type { ExitCode } from '../commands/command.ts';
import { personNamed } from '../terminal/person.ts';
import { progressOn } from '../terminal/progress.ts';
import { stoppable } from '../terminal/stoppable.ts';
import { print } from '../terminal/window.ts';
import { instantOf } from './export.ts';
import { type JournalRun, withState } from './view.ts';

export async function archive(run: JournalRun): Promise<ExitCode> {
  const { own, terminal, id: file } = run;
  if (own.before === undefined) throw new UsageError('journal archive: expected --before DAY.');
  const before = instantOf('--before', String(own.before), 0);
  const by = personNamed(own.by);
  const progress = progressOn(terminal);
  const found = await withState(run, async (state) => {
    if (state === undefined) return undefined;
    const now = state.clock?.now() ?? Date.now();
    const work = (signal: AbortSignal) =>
      state.operations.archive({ file, before, by, now, signal, onProgress: progress.show });
    return await stoppable(work).finally(() => progress.end());
  });
  if (found === 'stopped') {
    terminal.stderr.write('fareclerk: stopped. Nothing is lost; run the same command again to finish.\n');
    return 1;
  }
  const { operations = 0, to, sha256 } = found ?? ({} as Partial<Archived>);
  const link = to && `${to.n}:${to.hash}`;
  if (sha256 === undefined) {
    print(run, { operations: 0 }, 'No operation is old enough. No file was made.\n');
    return 0;
  }
  const words = `${operations} ${operations === 1 ? 'operation is' : 'operations are'} in ${file} now, and no longer in the journal.
Keep the file: nothing else has them. \`fareclerk journal verify --archive ${file}\` checks it.
To: ${link}\nSHA-256: ${sha256}\n`;
  print(run, { operations, file, to: link, sha256 }, words);
  return 0;
}
