/** The tool that closes findings that a person has dealt with. It sends nothing to the airline. */
import * as z from 'zod';
import { plainText } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { defineTool } from './definition/define.ts';
import { noted, optionalTexts } from './definition/field-notes.ts';
import { listOf, text } from './definition/input-fields.ts';
import { callerFindings, matchFindings, SHOWN_ID_LENGTH } from './steps/findings.ts';

const SEE_OPEN = 'Call list_bookings with needs_attention to see what is open.';

export const closeFindings = defineTool({
  name: 'close_findings',
  title: 'Close findings',
  description: 'Note that a person has dealt with what the airline changed. Nothing changes at the airline.',
  toolset: 'desk',
  example: { finding_ids: ['3f9c2ab7'] },
  effect: 'hold',

  input: () => ({
    finding_ids: noted(
      `The \`finding_ids\` {}, as shown with a change, at least ${SHOWN_ID_LENGTH} characters each.`,
      listOf(text(64), 1, 200).describe('of list_bookings'),
    ),
  }),

  output: () => ({
    closed: z.int(),
    not_open: optionalTexts(),
  }),

  async run({ finding_ids: prefixes }, ctx) {
    const open = await callerFindings(ctx);
    const { chosen, unknown } = matchFindings(open, prefixes, SHOWN_ID_LENGTH);
    if (unknown.length === prefixes.length) throw notOpen();

    const ids = chosen.map(({ id }) => id);
    const { tenant, id: closedBy } = ctx.caller;
    const closed = (await ctx.state.findings?.close(tenant, ids, closedBy, ctx.now())) ?? 0;
    const closedText = closed === 1 ? '1 finding is closed' : `${closed} findings are closed`;
    const summary = `${closedText}. Nothing changed at the airline.`;
    if (unknown.length === 0) return { summary, closed };

    return { summary, next: SEE_OPEN, closed, not_open: unknown.map((prefix) => plainText(prefix, 64)) };
  },

  text: ({ not_open: unknown }) => (unknown ? [`No open finding of yours has these ids: ${unknown.join(', ')}.`] : []),
});

function notOpen(): ClerkError {
  return new ClerkError('E_NOT_FOUND', 'No open finding of yours has one of these ids. Nothing was closed.', {
    next: SEE_OPEN,
  });
}
