/** Turns the steps of propose_plan into the lines of a plan: a tool call is a line; a recipe can be many. Reads only. */
import { fanOut } from '../../core/at-once.ts';
import { InputError, inputError, inputFaults } from '../../core/errors.ts';
import { capitalized } from '../../core/words.ts';
import type { PlanLine } from '../../plans/plan.ts';
import { connectionLine, type RebookArgs } from '../acts/rebook-connection.ts';
import type { ToolContext } from '../definition/define.ts';
import { moveParty } from './move-party.ts';
import { isRecipe, type LeftOut, leftOutFor, type RecipeArgs, type RecipeCall, type RecipeName } from './recipe.ts';

/** A step as the call names it. */
interface StepInput {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

type Recipe = (call: RecipeCall) => Promise<readonly (PlanLine | LeftOut)[]>;

const RECIPES: Readonly<Record<RecipeName, Recipe>> = { cancel_bookings: cancelBookings, move_party: moveParty };

/** The lines of a plan, and what is left out of it. */
export interface Expanded {
  readonly lines: readonly PlanLine[];
  readonly leftOut: readonly LeftOut[];
}

const REBOOK = 'rebook_segment';

/** How many steps are expanded at once. */
const PARALLEL_STEPS = 4;

/** Expands all steps. @throws ClerkError if a step is not valid, or the airline cannot be read at all */
export async function expand(
  steps: readonly StepInput[],
  ctx: ToolContext,
  parseArguments: RecipeCall['parseArguments'],
): Promise<Expanded> {
  const results = await fanOut([...steps.entries()], { width: PARALLEL_STEPS }, ([i, step]) =>
    expandStep(step, `steps[${i}]`, ctx, parseArguments),
  );
  // `fanOut` starts every step here, so none of the results is undefined.
  const failures = results.flatMap((result) => (result?.status === 'rejected' ? [result.reason] : []));
  if (failures.length > 0) throw joinFailures(failures);
  return withoutRepeats(results.flatMap((result) => (result?.status === 'fulfilled' ? result.value : [])));
}

/** Joins the input errors of all steps, so that one more call can fix them. Without such errors: the first failure. */
function joinFailures(failures: readonly unknown[]): unknown {
  const faults = failures.flatMap((reason) => (reason instanceof InputError ? reason.faults : []));
  return failures.length > 1 && faults.length > 0 ? inputFaults(faults) : failures[0];
}

async function expandStep(
  { tool, arguments: raw }: StepInput,
  at: string,
  ctx: ToolContext,
  parseArguments: RecipeCall['parseArguments'],
): Promise<readonly (PlanLine | LeftOut)[]> {
  const args = parseArguments(tool, raw, at);
  if (isRecipe(tool)) return RECIPES[tool]({ args, at, ctx, parseArguments });

  if (ctx.acts.named(tool)?.countedAs === 'hold') {
    const next = `Call ${tool} by itself first, then propose the plan with what it holds.`;
    throw inputError(`${at}.tool`, 'a hold is free and needs no approval.', next);
  }

  const alone = singleLine(tool, args);
  return [tool === REBOOK ? await rebookingLine(args as typeof args & RebookArgs, alone, ctx) : alone];
}

/** The line of a connection has a step for each flight. */
async function rebookingLine(args: RebookArgs, alone: PlanLine, ctx: ToolContext): Promise<PlanLine | LeftOut> {
  try {
    return (await connectionLine(args, ctx)) ?? alone;
  } catch (error) {
    return leftOutFor(alone.title, error);
  }
}

/** `Cancel segment: ABC123`; the terms say the rest. */
function singleLine(tool: string, args: Readonly<Record<string, unknown>>): PlanLine {
  const title = capitalized(tool.replaceAll('_', ' '));
  // Every tool that needs a yes is about one booking.
  const locator = String(args.locator);
  return { title: `${title}: ${locator}`, locator, steps: [{ tool, args }] };
}

/** Leaves out further changes of the same booking: after the first, their terms are no longer what was approved. */
function withoutRepeats(proposed: readonly (PlanLine | LeftOut)[]): Expanded {
  const lines: PlanLine[] = [];
  const leftOut: LeftOut[] = [];

  for (const line of proposed) {
    if (!('steps' in line)) {
      leftOut.push(line);
      continue;
    }

    const { locator, title } = line;
    const earlier = lines.findIndex((other) => other.locator === locator);
    if (earlier < 0) lines.push(line);
    else leftOut.push({ title, why: `number ${earlier + 1} of the plan changes the same booking` });
  }

  return { lines, leftOut };
}

/** Expands the recipe "cancel these bookings" to a line for each. */
async function cancelBookings({ args, at, parseArguments }: RecipeCall): Promise<readonly PlanLine[]> {
  const { locators, reason } = args as RecipeArgs<'cancel_bookings'>;
  return locators.map((locator, i) => ({
    title: `Cancel booking: ${locator}`,
    locator,
    steps: [
      {
        tool: 'cancel_booking',
        args: parseArguments('cancel_booking', { locator, reason }, `${at}.arguments.locators[${i}]`),
      },
    ],
  }));
}
