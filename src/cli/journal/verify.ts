/** `fareclerk journal verify`: the journal's hash chain, or a file that was archived from it. */
import { UsageError } from '../../config/load.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import type { ChainStatus, Link } from '../../journal/ports.ts';
import { holdWords } from '../../journal/sending-stopped.ts';
import { type CheckedFile, checkFile, NotAnArchive } from '../../store/archive/check-file.ts';
import type { State } from '../../store/state.ts';
import type { Checked } from '../../store/verify/checkpoint.ts';
import type { ExitCode } from '../commands/command.ts';
import { progressOn } from '../terminal/progress.ts';
import { stoppable } from '../terminal/stoppable.ts';
import { print } from '../terminal/window.ts';
import { instant, type JournalRun, withState } from './view.ts';

const linkText = ({ n, hash }: Link) => `${n}:${hash}`;
const EMPTY: Link = { n: 0, hash: '' };
const NOTHING: ChainStatus = { head: EMPTY };

export async function verify(run: JournalRun): Promise<ExitCode> {
  const expected = linkOf(run.own.expect);
  if (run.own.archive !== undefined) return verifyFile(run, String(run.own.archive), expected);
  const found = await withState(run, async (state) => {
    const checked = await checkedIn(run, state, expected);
    if (checked === 'stopped' || state === undefined) return { checked, status: NOTHING, has: !expected };
    const has = expected === undefined || (await state.chain.has(expected));
    return { checked, status: await state.chain.status(), has, archives: await state.operations.archives() };
  });
  const { checked, status, has, archives = [] } = found;
  if (checked === 'stopped') return stopped(run);
  if (checked.misfit !== undefined) return broken(run, checked.misfit);
  const head = linkText(status.head);
  const held = status.hold && holdWords(status.hold);
  const last = archives.at(-1);
  const record = omitUndefined({
    whole: true,
    head,
    complete: checked.complete,
    from: linkText(checked.from),
    completely_checked_at: instant(checked.completeAt),
    archived: last && { to: linkText(last.to), file: last.file.name, sha256: last.file.sha256 },
    held: has === true ? held : undefined,
    expected: has === true ? undefined : false,
  });
  const lines = [
    wholeWords(checked, has),
    `Head: ${head}`,
    last && `Events up to number ${last.to.n} are in archives, the last of them ${last.file.name}.`,
    has === true ? held : undefined,
  ];
  print(run, record, lines.flatMap((line) => (line === undefined ? [] : `${line}\n`)).join(''));
  return has === true ? 0 : 1;
}

async function checkedIn(run: JournalRun, state: State | undefined, expected: Link | undefined) {
  if (state === undefined) return { from: EMPTY, head: EMPTY, complete: true } satisfies Checked;
  const progress = progressOn(run.terminal);
  const now = state.clock?.now() ?? Date.now();
  const all = run.own.all === true;
  const work = (signal: AbortSignal) =>
    state.operations.check({ now, all, expected, signal, onProgress: progress.show });
  return await stoppable(work).finally(() => progress.end());
}

function wholeWords({ complete, from, completeAt }: Checked, has: boolean | 'archived'): string {
  if (has === 'archived')
    return 'The journal is whole. The expected link is in an archive: add --archive FILE to look there.';
  if (!has)
    return 'The journal is whole, but does not contain the expected link. It is an older copy, or another journal.';
  if (complete) return 'The journal is whole: every event fits the one before it.';
  return `The journal is whole after event ${from.n}. Everything was last checked at ${instant(completeAt)}; --all does it now.`;
}

function broken(run: JournalRun, { operationId, seq }: NonNullable<Checked['misfit']>): ExitCode {
  const what = operationId === '' ? `entry ${seq} of the journal itself` : `event ${seq} of operation ${operationId}`;
  const words = `The journal was changed from outside: ${what} does not fit.\n`;
  print(run, { whole: false, operation_id: operationId, event: seq }, words);
  return 1;
}

/** A file that no journal here records is compared with nothing else. */
async function verifyFile(run: JournalRun, path: string, wanted: Link | undefined): Promise<ExitCode> {
  const progress = progressOn(run.terminal);
  const onEvents = (events: number) => progress.show(events, events, 'events read');
  try {
    const checked = await stoppable((signal) => checkFile(path, { wanted, signal, onEvents }));
    progress.end();
    if (checked === 'stopped') return stopped(run);
    const archives = await withState(run, async (state) => state && (await state.operations.archives()));
    const known = archives?.find(({ file }) => file.sha256 === checked.sha256);
    const has = wanted === undefined || checked.has !== undefined;
    const isKnown = archives === undefined || known !== undefined;
    print(run, fileRecord(path, checked, isKnown, has), fileWords(checked, archives && known !== undefined, has));
    return isKnown && has ? 0 : 1;
  } catch (error) {
    progress.end();
    if (!(error instanceof NotAnArchive)) throw error;
    print(run, { whole: false, archive: path, why: error.message }, `${path} ${error.message}.\n`);
    return 1;
  }
}

function fileRecord(
  archive: string,
  { header, events, operations, sha256 }: CheckedFile,
  recorded: boolean,
  has: boolean,
) {
  const [from, to] = [linkText(header.from), linkText(header.to)];
  return {
    whole: true,
    archive,
    events,
    operations,
    from,
    to,
    before: header.before,
    sha256,
    recorded,
    ...(!has && { expected: false }),
  };
}

function fileWords({ header, events, operations, sha256 }: CheckedFile, recorded: boolean | undefined, has: boolean) {
  const journal =
    recorded === undefined
      ? 'There is no journal here to compare it with.'
      : recorded
        ? 'The journal records this file, and continues from its last link.'
        : 'The journal here does not record this file. It is of another journal, or was changed as a whole.';
  return [
    `The archive is whole: ${events} events, ${operations} operations from before ${header.before}.`,
    journal,
    ...(has ? [] : ['It does not contain the expected link.']),
    `From: ${linkText(header.from)}\nTo: ${linkText(header.to)}\nSHA-256: ${sha256}\n`,
  ].join('\n');
}

function stopped({ terminal }: JournalRun): ExitCode {
  terminal.stderr.write('fareclerk: stopped before everything was checked.\n');
  return 1;
}

/** `12:0ab…`, as verify prints it. */
function linkOf(given: unknown): Link | undefined {
  if (given === undefined) return undefined;
  const [, n, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(String(given)) ?? [];
  if (n === undefined || hash === undefined)
    throw new UsageError('--expect: expected number:hash, as verify prints it.');
  return { n: Number(n), hash };
}
