/** The tool that prepares acts for one yes and shows what they would pay and bring back: it is a quote, too. It sends nothing. */
import * as z from 'zod';
import { accountLines } from '../approvals/account-lines.ts';
import type { ResultHead } from '../approvals/answer.ts';
import { plainText } from '../core/clean-text.ts';
import { inputError, notSent } from '../core/errors.ts';
import { localMinute, showLocal, utcText } from '../core/times.ts';
import { counted, joined, present, titled } from '../core/words.ts';
import { conditionSentence } from '../domain/refund/describe-refund.ts';
import { type LineView, MOST_LINES, type PlanView } from '../plans/plan.ts';
import { lineMoney, sumWords } from '../plans/plan-money.ts';
import { finalLines, rangeWords } from '../plans/plan-words.ts';
import { defineTool, type ResultOf } from './definition/define.ts';
import { filled, noted, optionalStrings, optionalTexts, strings, unlisted } from './definition/field-notes.ts';
import { EXAMPLE_BOOKING, listOf, text } from './definition/input-fields.ts';
import type { Expanded } from './plans/expand.ts';
import { leftOutSchema, recipeFields } from './plans/recipe.ts';
import { newestChangeTexts, openFindings } from './steps/findings.ts';

const line = () =>
  z.object({
    line: z.number(),
    ...strings('title'),
    ...optionalStrings('locator', 'departs', 'money', 'caution'),
  });

const reason = () =>
  z.object({
    ...strings('why'),
    lines: z.array(z.number()),
  });

/** Words of the airline on which refunds of these lines depend. */
const condition = () =>
  z.object({
    ...strings('says'),
    lines: z.array(z.number()),
  });

const output = () => ({
  ...strings('plan_id', 'expires_at'),
  lines: z.array(line()),
  sums: optionalTexts(),
  cannot_be_undone: z.array(z.number()).optional(),
  ...unlisted({
    accounts: optionalTexts(),
    conditions: z.array(condition()).optional(),
    reasons: z.array(reason()).optional(),
    left_out: leftOutSchema(),
  }),
});

type ProposalResult = ResultOf<typeof output>;

const SEE_ALLOWED = 'Call read_booking with detail: full to see what each booking allows now.';

/** What a model reads about the arguments of a step; short, because every conversation pays for it. */
const ARGUMENTS =
  'Those of the tool, without approval_id. cancel_bookings: locators. move_party: offer_ids (a search for each size of party), payment as in pay_booking, and locator (segment_refs?), or train, date and locators of a change in list_bookings.';

export const proposePlan = defineTool({
  name: 'propose_plan',
  title: 'Propose plan',
  description: `Quote or prepare up to ${MOST_LINES} acts for one yes; sends nothing. Then run_plan carries it out. A step: a tool that needs a yes, or a recipe: cancel_bookings; move_party books the offers for the same passengers, pays, then cancels the old trip.`,
  toolset: 'plans',
  example: { steps: [{ tool: 'cancel_booking', arguments: EXAMPLE_BOOKING }] },
  effect: 'read',

  input: () => ({
    steps: noted(
      `The acts of the plan, at most ${MOST_LINES} lines.`,
      listOf(
        z.strictObject({
          tool: noted('A tool that needs a yes, or a recipe: `cancel_bookings`, `move_party`.', text(40)),
          arguments: z.looseObject({}).meta({ description: ARGUMENTS, properties: recipeFields() }),
        }),
        1,
        MOST_LINES,
      ),
    ),
  }),

  output,

  async run({ steps }, ctx) {
    const { plans } = ctx.state;
    if (plans === undefined) throw new RangeError('plans are switched off');

    const { expand } = await import('./plans/expand.ts');
    const { lines, leftOut } = await expand(steps, ctx, plans.argumentsOf);
    assertSize(lines.length, leftOut);

    return proposalResult(
      await plans.propose(lines, leftOut, async (locators) =>
        newestChangeTexts(
          await openFindings(
            ctx,
            locators.map((locator) => ({ locator })),
          ),
          ctx,
        ),
      ),
    );
  },

  text({
    plan_id: id,
    expires_at: expires,
    accounts = [],
    lines,
    conditions = [],
    reasons = [],
    cannot_be_undone: finalLineNumbers,
    left_out: leftOut = [],
  }) {
    return [
      `Plan ${id}, good until ${showLocal(expires)}.`,
      ...accounts,
      ...lines.map(({ line, title, departs, money, caution }) => {
        const facts = joined([title, departs && showLocal(departs), money, caution], '; ');
        return `${String(line).padStart(3)}  ${facts}`;
      }),
      ...conditions.map(({ says, lines: lineNumbers }) => conditionSentence({ says, whose: linesText(lineNumbers) })),
      ...reasons.map(({ why, lines: lineNumbers }) => `Why ${linesText(lineNumbers)}: ${why}`),
      finalLineNumbers && `Cannot be undone: ${linesText(finalLineNumbers)}.`,
      ...titled(
        'Left out:',
        leftOut.map(({ title, why }) => `     ${title}: ${why}`),
      ),
    ];
  },
});

function proposalResult({ id, lines, leftOut, sums, expiresAt }: PlanView): ProposalResult & ResultHead {
  const finalLineNumbers = finalLines({ lines });
  const conditions = eachOnce(lines, conditionsOf).map(([says, numbers]) => ({ says, lines: numbers }));
  const reasons = eachOnce(lines, ({ reason }) => present([reason])).map(([why, numbers]) => ({ why, lines: numbers }));

  const [firstDeparture] = lines.flatMap(({ steps }) => steps.flatMap(({ departs }) => departs ?? []));
  const money = sums.map(sumWords);
  const ofAccounts = accountLines(lines.flatMap(({ steps }) => steps));

  return {
    summary: `A plan of ${counted(lines.length, 'line')}${money.length === 0 ? '' : `: ${money.join('; ')}`}. Nothing was sent, and nobody was asked yet.`,
    next: 'Tell the person. Then call run_plan with plan_id: one person is asked once, and ticks lines.',
    plan_id: id,
    expires_at: localMinute(utcText(expiresAt), firstDeparture),
    lines: lines.map(viewLine),
    conditions: filled(conditions),
    reasons: filled(reasons),
    sums: filled(money),
    accounts: filled([...ofAccounts.warnings, ...ofAccounts.notes]),
    cannot_be_undone: filled(finalLineNumbers),
    left_out: filled(leftOut),
  };
}

/** Words of lines, each once, with the numbers of the lines that have them. */
function eachOnce(
  lines: readonly LineView[],
  wordsOf: (line: LineView) => readonly string[],
): readonly (readonly [words: string, numbers: number[]])[] {
  const said = lines.flatMap((line) => wordsOf(line).map((words) => ({ words, n: line.n })));
  return [...Map.groupBy(said, ({ words }) => words)].map(([words, same]) => [words, same.map(({ n }) => n)]);
}

/** The airline's words that say more than the figures of a line's refunds, each once. */
function conditionsOf({ steps }: LineView): readonly string[] {
  const conditional = steps.flatMap(({ estimate }) => (estimate?.onCondition === undefined ? [] : estimate));
  return [...new Set(conditional.flatMap(({ conditions = [] }) => conditions.map(({ says }) => says)))];
}

/** `line 2`, `lines 1-3, 5`. */
function linesText(lines: readonly number[]): string {
  return `${lines.length === 1 ? 'line' : 'lines'} ${rangeWords(lines)}`;
}

function viewLine(line: LineView): ProposalResult['lines'][number] {
  // The title of a move has the time of the new trip.
  const departs = line.steps.length === 1 ? line.steps[0]?.departs : undefined;
  return {
    line: line.n,
    title: plainText(line.title, 200),
    locator: line.locator,
    departs: departs && localMinute(departs),
    money: lineMoney(line).join(', ') || undefined,
    caution: line.steps.flatMap(({ differs }) => differs ?? []).join(' ') || undefined,
  };
}

function assertSize(lineCount: number, leftOut: Expanded['leftOut']): void {
  if (lineCount > MOST_LINES) {
    const problem = `expected at most ${MOST_LINES} lines, found ${lineCount}.`;
    throw inputError('steps', problem, 'Propose several plans.');
  }
  const [first] = leftOut;
  if (lineCount > 0 || first === undefined) return;
  throw notSent('E_NOT_PERMITTED', `Nothing of this can be planned: ${first.title}: ${first.why}.`, SEE_ALLOWED);
}
