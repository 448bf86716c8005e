/** `fareclerk journal verify` checks that the hash chain of the journal is whole, and has a link that was written down before. */

import { UsageError } from '../../config/load.ts';
import { present } from '../../core/words.ts';
import { holdWords } from '../../journal/context.ts';
import type { Link } from '../../journal/ports.ts';
import type { Misfit } from '../../store/journal/verify.ts';
import { withState } from '../runtime/open-state.ts';
import type { ExitCode } from '../terminal/command.ts';
import { print } from '../terminal/window.ts';
import type { JournalRun } from './view.ts';

const WHOLE = 'The journal is whole: every event fits the one before it.';
const NOT_EXPECTED =
  'The journal is whole, but does not contain the expected link. It is an older copy, or another journal.';
/** A copy fits too, up to where it ends. */
const MAYBE_OLDER =
  'An older copy is whole too: pass `--expect number:hash` with the head that you noted last to see that nothing is missing.';
/** A journal without entries: it is whole, and has no link. */
const EMPTY = { misfit: undefined, head: { n: 0, hash: '' }, hold: undefined };

export async function verify(run: JournalRun): Promise<ExitCode> {
  const expected = readLink(run.flags.expect);
  const verified = await withState(run, async (state) => {
    if (state === undefined) return { ...EMPTY, hasExpected: expected === undefined };
    const misfit = await state.operations.verify();
    const hasExpected = expected === undefined || (await state.chain.has(expected));
    const { head, hold } = await state.chain.status();
    return { misfit, head, hold, hasExpected };
  });
  const { misfit, hold, hasExpected } = verified;
  if (misfit !== undefined) return reportMisfit(run, misfit);

  const head = `${verified.head.n}:${verified.head.hash}`;
  const held = hasExpected && hold ? holdWords(hold) : undefined;
  const isKnown = expected !== undefined || held !== undefined;
  const about = isKnown ? held : MAYBE_OLDER;
  const lines = present([hasExpected ? WHOLE : NOT_EXPECTED, `Head: ${head}`, about]);
  print(run, { whole: true, head, held, expected: hasExpected ? undefined : false }, `${lines.join('\n')}\n`);

  return hasExpected ? 0 : 1;
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
