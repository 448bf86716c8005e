/** Plans, bound to the tools of a clerk and to the runtime of this process. */
import type { Asker } from '../approvals/consent-call.ts';
import { fanOut } from '../core/at-once.ts';
import { ClerkError, inputError } from '../core/errors.ts';
import { nearest } from '../core/nearest-word.ts';
import { utcDay } from '../core/times.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Plans, PlanView } from '../plans/plan.ts';
import { loadPlan } from '../plans/plan-facts.ts';
import { planView } from '../plans/plan-view.ts';
import type { Planner } from '../plans/ports.ts';
import { propose } from '../plans/propose.ts';
import { isAct, type Tool } from '../tools/definition/define.ts';
import { isRecipe, RECIPE_INPUTS, type RecipeName, recipeShape } from '../tools/plans/recipe.ts';
import { refuseCardNumbers, screenCardNumbers } from '../tools/rules/card-numbers.ts';
import { boundAct, type ClerkOptions, logMistake, type Runtime, toolContext } from './context.ts';
import { hasDetails } from './details-call.ts';
import { parseInput } from './parse-arguments.ts';

/** Lines whose terms are read at once. */
const WIDTH = 4;

export function createPlanner(options: ClerkOptions, runtime: Runtime): Planner {
  return {
    runtime,
    settings: options,
    of: (caller: Caller) => createPlanner(options, atPointOfSale(runtime, caller)),
    actOf(name, args, asker: Asker) {
      const tool = options.tools.find((each) => each.name === name);
      return tool && isAct(tool) ? boundAct(tool, args, toolContext(options, runtime, asker)) : undefined;
    },
    async each(items, done, work) {
      const results = await fanOut(items, { width: WIDTH, done }, work);
      return results.flatMap((result) => (result === undefined ? [] : [result]));
    },
    failed: (error) => logMistake(options.log, 'run_plan', error),
  };
}

/** What the page of a plan's caller sells with (http/caller-clerk.ts). */
function atPointOfSale(runtime: Runtime, caller: Caller): Runtime {
  const pointOfSale = runtime.pointOfSaleOf?.(caller);
  if (pointOfSale === undefined) return runtime;
  const { airline, ...facts } = pointOfSale;
  return { ...runtime, airline, airlineFacts: { ...runtime.airlineFacts, ...facts } };
}

/** For propose_plan. */
export function plansFor(planner: Planner, asker: Pick<Asker, 'caller' | 'signal' | 'progress'>): Plans {
  const progress = (done: number, total: number) => asker.progress?.(done, total, 'lines previewed');
  return {
    propose: (lines, leftOut, reasonsOf) => propose(planner, asker, lines, leftOut, { reasonsOf, progress }),
  };
}

/** A plan of any caller: the page and the terminal check who looks. */
export async function anyPlan(planner: Planner, id: string): Promise<PlanView | undefined> {
  const facts = await loadPlan(planner.runtime, id);
  return facts && planView(facts);
}

const NO_PAGE = 'a step has no page of its own: a plan is asked as a whole, before its travellers could enter details.';

interface WrittenStep {
  readonly tool: string;
  readonly args: unknown;
  /** Its place in the call: `steps[3]`. */
  readonly at: string;
}

/**
 * Reads the arguments of a step of a plan exactly as a call of its tool would: the same checks, and errors that name the step.
 * @param now milliseconds since 1970. @throws ClerkError
 */
export function stepArguments(
  { tools, withheld, schemas }: Pick<ClerkOptions, 'tools' | 'withheld' | 'schemas'>,
  now: number,
  { tool: name, args: raw, at }: WrittenStep,
): Readonly<Record<string, unknown>> {
  const today = utcDay(now);
  const place = `${at}.arguments`;
  if (isRecipe(name)) {
    refuseCardNumbers(raw);
    return parseInput<Record<string, unknown>>(RECIPE_INPUTS[name](), recipeShape(name), raw, today, place);
  }
  const tool = tools.find((each) => each.name === name && isStep(each));
  const why = withheld.get(name);
  if (tool === undefined && why !== undefined) {
    throw new ClerkError(why.code, `${at}.tool: ${why.message}`, { next: why.next });
  }
  if (tool === undefined) throw inputError(`${at}.tool`, `expected ${expectedStep(name, tools)}.`);
  (tool.screen ?? screenCardNumbers)(raw);
  if (hasDetails(raw)) throw inputError(`${place}.details`, NO_PAGE, `Call ${name} by itself, outside of a plan.`);
  const input = (isAct(tool) && tool.inputAlone) || tool.input;
  const { approval_id: approvalId, ...args } = parseInput(input(), schemas.input(tool), raw, today, place);
  if (approvalId === undefined) return args;
  throw inputError(`${place}.approval_id`, 'a step has none of its own: the whole plan is asked once.');
}

/** A plan is no step of another. */
const isStep = (tool: Tool) => isAct(tool) && tool.toolset !== 'plans';

/** The tools that a step may have, and the one nearest to the name. */
function expectedStep(name: string, tools: readonly Tool[]): string {
  const names = tools.filter((tool) => isStep(tool) && tool.effect === 'commit').map((tool) => tool.name);
  const steps = [...names, ...(Object.keys(RECIPE_INPUTS) as RecipeName[])];
  const nearestStep = nearest(name, steps);
  return nearestStep === undefined ? steps.join(', ') : `one of ${steps.join(', ')}; nearest: ${nearestStep}`;
}
