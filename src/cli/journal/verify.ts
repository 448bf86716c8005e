/** `fareclerk journal verify` checks that the hash chain of the journal is whole, and has a link that was written down before. */

import { UsageError } from '../../config/load.ts';
import { holdWords } from '../../journal/context.ts';
import type { ChainStatus, Link } from '../../journal/ports.ts';
import type { Misfit } from '../../store/journal/verify.ts';
import type { State } from '../../store/state.ts';
import type { ExitCode } from '../commands/command.ts';
import { withState } from '../runtime/open-state.ts';
import { stoppable } from '../terminal/stop-signals.ts';
import { print, progressOn } from '../terminal/window.ts';
import type { JournalRun } from './view.ts';

const WHOLE = 'The journal is whole: every event fits the one before it.';
const NOT_EXPECTED =
  'The journal is whole, but does not contain the expected link. It is an older copy, or another journal.';
/** The head of a journal without entries. */
const EMPTY_LINK: Link = { n: 0, hash: '' };
const NO_CHAIN: ChainStatus = { head: EMPTY_LINK };

const linkText = ({ n, hash }: Link) => `${n}:${hash}`;

export async function verify(run: JournalRun): Promise<ExitCode> {
  const expected = readLink(run.flags.expect);
  const verified = await withState(run, async (state) => {
    // Without a state the journal is empty: it is whole, and has no link.
    if (state === undefined) return { status: NO_CHAIN, hasExpected: expected === undefined };
    const result = await checkJournal(run, state);
    if (result === 'stopped') return 'stopped';
    const hasExpected = expected === undefined || (await state.chain.has(expected));
    return { misfit: result.misfit, status: await state.chain.status(), hasExpected };
  });
  if (verified === 'stopped') {
    run.terminal.stderr.write('fareclerk: stopped before everything was checked.\n');
    return 1;
  }
  const { misfit, status, hasExpected } = verified;
  if (misfit !== undefined) return reportMisfit(run, misfit);
  const head = linkText(status.head);
  const hold = status.hold && holdWords(status.hold);
  const record = {
    whole: true,
    head,
    held: hasExpected ? hold : undefined,
    expected: hasExpected ? undefined : false,
  };
  const lines = [hasExpected ? WHOLE : NOT_EXPECTED, `Head: ${head}`, hasExpected ? hold : undefined];
  print(run, record, lines.flatMap((line) => (line === undefined ? [] : `${line}\n`)).join(''));
  return hasExpected ? 0 : 1;
}

/** Checks the journal while it shows the progress. */
function checkJournal(run: JournalRun, state: State) {
  const progress = progressOn(run.terminal);
  const work = (signal: AbortSignal) => state.operations.check({ signal, onProgress: progress.show });
  return stoppable(work).finally(() => progress.end());
}

function reportMisfit(run: JournalRun, { operationId, seq }: Misfit): ExitCode {
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
