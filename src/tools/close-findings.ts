/** The tool that notes that a person has dealt with what the airline changed. Nothing is sent. */
import * as z from 'zod';
import { plainText } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import type { Finding } from '../domain/booking/finding.ts';
import { defineTool } from './definition/define.ts';
import { noted, optionalTexts } from './definition/field-notes.ts';
import { listOf, text } from './definition/input-fields.ts';
import { callerFindings, findingsNamed, SHOWN_ID } from './steps/findings.ts';

export const closeFindings = defineTool({
  name: 'close_findings',
  title: 'Close findings',
  description: 'Note that a person has dealt with what the airline changed. Nothing changes at the airline.',
  toolset: 'desk',
  example: 'finding_ids=3f9c2ab7',
  effect: 'hold',
  input: () => ({
    finding_ids: noted(
      `The \`finding_ids\` {}, as shown with a change, at least ${SHOWN_ID} characters each.`,
      listOf(text(64), 1, 200).describe('of list_bookings'),
    ),
  }),
  output: () => ({
    closed: noted('how many findings were closed', z.int()),
    not_open: optionalTexts('ids that no open finding of the caller has'),
  }),

  async run({ finding_ids: names }, ctx) {
    const open = await callerFindings(ctx);
    const isNamed = ({ id }: Finding, name: string) => name.length >= SHOWN_ID && id.startsWith(name);
    const { chosen, unknown } = findingsNamed(open, names, isNamed);
    if (unknown.length === names.length) throw notOpen();
    const ids = chosen.map(({ id }) => id);
    const { tenant, id: by } = ctx.caller;
    const closed = (await ctx.state.findings?.close(tenant, ids, by, ctx.now())) ?? 0;
    const what = closed === 1 ? '1 finding is closed' : `${closed} findings are closed`;
    const summary = `${what}. Nothing changed at the airline.`;
    if (unknown.length === 0) return { summary, closed };
    return { summary, next: SEE_OPEN, closed, not_open: unknown.map((name) => plainText(name, 64)) };
  },

  text: ({ not_open: left }) => (left ? [`No open finding of yours has these ids: ${left.join(', ')}.`] : []),
});

const SEE_OPEN = 'Call list_bookings with needs_attention to see what is open.';

function notOpen(): ClerkError {
  return new ClerkError('E_NOT_FOUND', 'No open finding of yours has one of these ids. Nothing was closed.', {
    next: SEE_OPEN,
  });
}
