/** `fareclerk journal verify` checks that the hash chain of the journal is whole, and has a link that was written down before. */

import { UsageError } from '../../config/load.ts';
import { holdWords } from '../../journal/context.ts';
import type { ChainStatus, Link } from '../../journal/ports.ts';
import type { Checked } from '../../store/journal/checkpoint.ts';
import type { State } from '../../store/state.ts';
import type { ExitCode } from '../commands/command.ts';
import { storeNow, withState } from '../runtime/open-state.ts';
import { stoppable } from '../terminal/stop-signals.ts';
import { print, progressOn } from '../terminal/window.ts';
import { instant, type JournalRun } from './view.ts';

/** The head of a journal without entries. */
const EMPTY_LINK: Link = { n: 0, hash: '' };
const NO_CHAIN: ChainStatus = { head: EMPTY_LINK };
const EMPTY_RESULT: Checked = { from: EMPTY_LINK, head: EMPTY_LINK, complete: true };

const linkText = ({ n, hash }: Link) => `${n}:${hash}`;

export async function verify(run: JournalRun): Promise<ExitCode> {
  const expected = readLink(run.flags.expect);
  const verified = await withState(run, async (state) => {
    // Without a state the journal is empty: it is whole, and has no link.
    if (state === undefined) return { result: EMPTY_RESULT, status: NO_CHAIN, hasExpected: expected === undefined };
    const result = await checkJournal(run, state, expected);
    if (result === 'stopped') return 'stopped';
    const hasExpected = expected === undefined || (await state.chain.has(expected));
    return { result, status: await state.chain.status(), hasExpected };
  });
  if (verified === 'stopped') {
    run.terminal.stderr.write('fareclerk: stopped before everything was checked.\n');
    return 1;
  }
  const { result, status, hasExpected } = verified;
  if (result.misfit !== undefined) return reportMisfit(run, result.misfit);
  const head = linkText(status.head);
  const hold = status.hold && holdWords(status.hold);
  const record = {
    whole: true,
    head,
    complete: result.complete,
    from: linkText(result.from),
    completely_checked_at: instant(result.completeAt),
    held: hasExpected ? hold : undefined,
    expected: hasExpected ? undefined : false,
  };
  const lines = [intactText(result, hasExpected), `Head: ${head}`, hasExpected ? hold : undefined];
  print(run, record, lines.flatMap((line) => (line === undefined ? [] : `${line}\n`)).join(''));
  return hasExpected ? 0 : 1;
}

/** Checks the journal while it shows the progress. */
async function checkJournal(run: JournalRun, state: State, expected: Link | undefined): Promise<Checked | 'stopped'> {
  const progress = progressOn(run.terminal);
  const now = storeNow(state);
  const all = run.flags.all === true;
  const work = (signal: AbortSignal) =>
    state.operations.check({ now, all, expected, signal, onProgress: progress.show });
  return stoppable(work).finally(() => progress.end());
}

function intactText({ complete, from, completeAt }: Checked, hasExpected: boolean): string {
  if (!hasExpected)
    return 'The journal is whole, but does not contain the expected link. It is an older copy, or another journal.';
  if (complete) return 'The journal is whole: every event fits the one before it.';
  return `The journal is whole after event ${from.n}. Everything was last checked at ${instant(completeAt)}; --all does it now.`;
}

function reportMisfit(run: JournalRun, { operationId, seq }: NonNullable<Checked['misfit']>): ExitCode {
  const event = operationId === '' ? `entry ${seq} of the journal itself` : `event ${seq} of operation ${operationId}`;
  const words = `The journal was changed from outside: ${event} does not fit.\n`;
  print(run, { whole: false, operation_id: operationId, event: seq }, words);
  return 1;
}

/** Reads a link such as `12:0ab…`, as verify prints it. @throws UsageError */
function readLink(flag: unknown): Link | undefined {
  if (flag === undefined) return undefined;
  const [, n, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(String(flag)) ?? [];
  if (n === undefined || hash === undefined)
    throw new UsageError('--expect: expected number:hash, as verify prints it.');
  return { n: Number(n), hash };
}
