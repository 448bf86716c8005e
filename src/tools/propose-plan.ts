import * as z from 'zod';
import { finalLines, lineCount, lineMoney, rangeWords, sumWords } from '../approvals/plans/line-words.ts';
import { type LineView, MOST_LINES, type PlanSum, type PlanView } from '../approvals/plans/plan.ts';
import { plainText } from '../core/clean-text.ts';
import { inputError } from '../core/errors.ts';
import { formatMoney } from '../core/money.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import { utcText } from '../core/times.ts';
import { defineTool, optionalStrings, type ResultOf, strings } from './definition/define.ts';
import { OF } from './definition/example-inputs.ts';
import { listOf, text } from './definition/input-fields.ts';
import type { Expanded } from './plans/expand.ts';
import { RECIPE_FIELDS } from './plans/recipe-inputs.ts';
import { changedTexts, openFindings } from './rules/attention.ts';
import { notSent } from './rules/permissions.ts';

const output = () => ({
  ...strings('plan_id', 'expires_at'),
  lines: z.array(z.object({ line: z.number(), ...strings('title'), ...optionalStrings('locator', 'money') })),
  reasons: z.array(z.object({ ...strings('why'), lines: z.array(z.number()) })).optional(),
  sums: z.array(z.object({ ...strings('currency', 'paid', 'comes_back', 'words'), at_least: z.boolean().optional() })),
  ...optionalStrings('cannot_be_undone'),
  left_out: z.array(z.object(strings('title', 'why'))),
});

type ProposalResult = ResultOf<typeof output>;

const ARGUMENTS =
  'Those of the tool, without approval_id. cancel_bookings: locators. move_party: offer_ids (one search serves parties of any size), payment, and locator (segment_refs?), or train and date of a change in list_bookings: moves all its parties (locators: only these).';

export const proposePlan = defineTool({
  name: 'propose_plan',
  title: 'Propose plan',
  description: `Prepare up to ${MOST_LINES} acts for one yes; sends nothing. Then call run_plan. A step: a tool that needs a yes, or a recipe: cancel_bookings; move_party books the offers for the same passengers, pays, then cancels the old trip.`,
  toolset: 'plans',
  example: `steps.0.tool=cancel_booking steps.0.arguments.${OF}`,
  effect: 'read',
  input: () => ({
    steps: listOf(
      z.strictObject({
        tool: text(40),
        arguments: z.looseObject({}).meta({ description: ARGUMENTS, properties: RECIPE_FIELDS }),
      }),
      1,
      MOST_LINES,
    ),
  }),
  output,

  async run({ steps }, ctx) {
    const { plans, argumentsOf } = ctx;
    if (plans === undefined || argumentsOf === undefined) throw new RangeError('plans are switched off');
    const { expand } = await import('./plans/expand.ts');
    const { lines, leftOut } = await expand(steps, ctx, argumentsOf);
    assertSize(lines.length, leftOut);
    return viewOf(
      await plans.propose(lines, leftOut, async (locators) => changedTexts(await openFindings(ctx, locators), ctx)),
    );
  },

  text({ plan_id: id, lines, reasons = [], sums, cannot_be_undone: final, left_out: leftOut, expires_at: expires }) {
    return [
      `Plan ${id}, ${lineCount(lines.length)}. Nothing was sent, and nobody was asked yet.`,
      ...lines.map(({ line, title, money }) => `${String(line).padStart(3)}  ${title}${money ? `; ${money}` : ''}`),
      ...reasons.map(({ why, lines: own }) => `Why ${linesWord(own)}: ${why}`),
      ...sums.map((sum) => `In all: ${sum.words}.`),
      final && `Cannot be undone: ${final}.`,
      ...(leftOut.length > 0 ? ['Left out:', ...leftOut.map(({ title, why }) => `     ${title}: ${why}`)] : []),
      `Tell the person. Then call run_plan with plan_id ${id} before ${expires}: one person is asked once, and ticks lines.`,
    ];
  },
});

function viewOf({ id, lines, leftOut, sums, expiresAt }: PlanView): ProposalResult {
  const final = finalLines({ lines });
  const told = lines.flatMap(({ n, reason }) => (reason === undefined ? [] : [{ n, reason }]));
  const reasons = [...Map.groupBy(told, ({ reason }) => reason)].map(([why, all]) => ({
    why,
    lines: all.map(({ n }) => n),
  }));
  return omitUndefined({
    plan_id: id,
    expires_at: utcText(expiresAt),
    lines: lines.map(lineOf),
    sums: sums.map(viewSum),
    reasons: reasons.length === 0 ? undefined : reasons,
    cannot_be_undone: final.length === 0 ? undefined : linesWord(final),
    left_out: [...leftOut],
  });
}

/** `line 2`, `lines 1-3, 5` */
function linesWord(lines: readonly number[]): string {
  return `${lines.length === 1 ? 'line' : 'lines'} ${rangeWords(lines)}`;
}

function lineOf(line: LineView): ProposalResult['lines'][number] {
  const money = lineMoney(line).join(', ');
  return omitUndefined({
    line: line.n,
    title: plainText(line.title, 200),
    locator: line.locator,
    money: money === '' ? undefined : money,
  });
}

function viewSum(sum: PlanSum): ProposalResult['sums'][number] {
  const { paid, comesBack, comesBackAtMost, atLeast, paidUnknown } = sum;
  const amounts = { currency: paid.currency, paid: formatMoney(paid), comes_back: formatMoney(comesBack) };
  return {
    ...amounts,
    words: sumWords(sum),
    ...((atLeast ?? paidUnknown ?? comesBackAtMost) !== undefined && { at_least: true as const }),
  };
}

function assertSize(lines: number, leftOut: Expanded['leftOut']): void {
  if (lines > MOST_LINES) throw inputError('steps', `expected at most ${MOST_LINES} lines, found ${lines}.`);
  const [first] = leftOut;
  if (lines > 0 || first === undefined) return;
  throw notSent('E_NOT_PERMITTED', `Nothing of this can be planned: ${first.title}: ${first.why}.`, SEE);
}

const SEE = 'Call read_booking to see what the bookings allow now.';
