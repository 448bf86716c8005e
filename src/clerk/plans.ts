/** Connects src/plans to the tools of a clerk and to this process. plans/ports.ts describes each member of a planner. */
import type { Asker } from '../approvals/consent-call.ts';
import { fanOut } from '../core/at-once.ts';
import { ClerkError, inputError } from '../core/errors.ts';
import { nearest } from '../core/nearest-word.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Plans, PlanView } from '../plans/plan.ts';
import { loadPlan } from '../plans/plan-facts.ts';
import { planView } from '../plans/plan-view.ts';
import type { Planner } from '../plans/ports.ts';
import { propose } from '../plans/propose.ts';
import { isAct, type Tool } from '../tools/definition/define.ts';
import { isRecipe, RECIPE_INPUTS, type RecipeName, recipeShape } from '../tools/plans/recipe.ts';
import { refuseCardNumbers } from '../tools/rules/card-numbers.ts';
import { openChanges } from '../tools/steps/findings.ts';
import { boundAct, type ClerkOptions, logMistake, type Runtime, toolContext, withPointOfSale } from './context.ts';
import { hasDetails } from './details-arguments.ts';
import { parseInput } from './parse-arguments.ts';

/** How many lines are previewed at once. */
const WIDTH = 4;

const NO_PAGE = 'a step has no page of its own: a plan is asked as a whole, before its travellers could enter details.';

/** Lets plans use the tools of a clerk. */
export function createPlanner(options: ClerkOptions, runtime: Runtime): Planner {
  return {
    runtime,
    settings: options,
    plannerFor: (caller: Caller) => createPlanner(options, withPointOfSale(runtime, caller)),

    actOf(name, args, asker: Asker) {
      const tool = options.tools.find((candidate) => candidate.name === name);
      if (tool === undefined || !isAct(tool)) return undefined;
      return boundAct(tool, args, toolContext(options, runtime, asker));
    },

    async each(items, done, work) {
      const results = await fanOut(items, { width: WIDTH, done }, work);
      // Only for the type: a result is undefined where an item was not started, and here every item is.
      return results.flatMap((result) => (result === undefined ? [] : [result]));
    },

    changesSince(locators, since, asker) {
      const bookings = locators.map((locator) => ({ locator }));
      return openChanges(bookings, undefined, toolContext(options, runtime, asker), ({ seenAt }) => seenAt >= since);
    },

    failed: (error) => logMistake(options.log, 'run_plan', error),
  };
}

/** Gives propose_plan what it may do with plans: it proposes for this asker, and nothing else. */
export function plansFor(planner: Planner, asker: Pick<Asker, 'caller' | 'signal' | 'progress'>): Plans {
  const progress = (done: number, total: number) => asker.progress?.(done, total, 'lines previewed');
  return {
    propose: (lines, leftOut, reasonsOf) => propose(planner, asker, { lines, leftOut }, { reasonsOf, progress }),
  };
}

/** Reads a plan of any caller. The page and the terminal, which call it, check who may see the plan. */
export async function anyPlan(planner: Planner, id: string): Promise<PlanView | undefined> {
  const facts = await loadPlan(planner.runtime, id);
  return facts && planView(facts);
}

interface WrittenStep {
  readonly tool: string;
  readonly args: unknown;
  /** The place of the step in the call: `steps[3]`. */
  readonly at: string;
}

/**
 * Reads the arguments of a step of a plan exactly as a call of its tool would: the same checks, and errors that name the step.
 * @throws ClerkError
 */
export function stepArguments(
  options: Pick<ClerkOptions, 'tools' | 'withheld' | 'schemas'>,
  step: WrittenStep,
): Readonly<Record<string, unknown>> {
  const { tool: name, args: raw } = step;
  const place = `${step.at}.arguments`;
  refuseCardNumbers(raw);

  if (isRecipe(name)) {
    return parseInput<Record<string, unknown>>(RECIPE_INPUTS[name](), recipeShape(name), raw, place);
  }

  const tool = findStepTool(options, step);
  if (hasDetails(raw)) throw inputError(`${place}.details`, NO_PAGE, `Call ${name} by itself, outside of a plan.`);

  // A step has no details page, so that its arguments must hold all that the page would ask: `inputAlone` decides that. The JSON
  // schema, which is that of `input`, only helps to read what was written and to name faults.
  const input = (isAct(tool) && tool.inputAlone) || tool.input;
  const { approval_id: approvalId, ...args } = parseInput(input(), options.schemas.input(tool), raw, place);
  // Only the page may ask it, by a question of its own that begins with what was done.
  if (isAct(tool) && args.although_done === true) {
    throw inputError(
      `${place}.although_done`,
      'expected in a call of its own.',
      `Call ${name} by itself, outside of a plan.`,
    );
  }
  if (approvalId === undefined) return args;

  const problem = 'a step has none of its own: the whole plan is asked once.';
  throw inputError(`${place}.approval_id`, problem, 'Call propose_plan again without it.');
}

/** @throws ClerkError why the tool is withheld here (read-only mode), or which tools a step may have */
function findStepTool(
  { tools, withheld }: Pick<ClerkOptions, 'tools' | 'withheld'>,
  { tool: name, at }: WrittenStep,
): Tool {
  const tool = tools.find((candidate) => candidate.name === name && isStep(candidate));
  if (tool !== undefined) return tool;
  const reason = withheld.get(name);
  if (reason === undefined) throw inputError(`${at}.tool`, `expected ${expectedStep(name, tools)}.`);
  throw new ClerkError(reason.code, `${at}.tool: ${reason.message}`, { next: reason.next });
}

/** Whether a tool may be a step: acts are, but the tools of plans are no step of another plan. */
function isStep(tool: Tool): boolean {
  return isAct(tool) && tool.toolset !== 'plans';
}

/** Names the tools that a step may have, and the one nearest to the name. */
function expectedStep(name: string, tools: readonly Tool[]): string {
  const names = tools.filter((tool) => isStep(tool) && tool.effect === 'commit').map((tool) => tool.name);
  const steps = [...names, ...(Object.keys(RECIPE_INPUTS) as RecipeName[])];
  const nearestStep = nearest(name, steps);
  return nearestStep === undefined ? steps.join(', ') : `one of ${steps.join(', ')}; nearest: ${nearestStep}`;
}
