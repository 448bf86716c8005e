/** Reads the arguments of a step of a plan exactly as a call of its tool would: the same checks, and errors that name the step. */
import { nearest } from '../domain/time-and-text/nearest-word.ts';
import { utcToday } from '../domain/time-and-text/times.ts';
import { ClerkError, inputError } from '../errors.ts';
import { isGuarded, type Tool } from '../tools/definition/define.ts';
import { isRecipe, RECIPE_INPUTS, type RecipeName, recipeShape } from '../tools/plans/recipe-inputs.ts';
import { refuseCardNumbers, screenCardNumbers } from '../tools/rules/card-numbers.ts';
import type { ClerkOptions } from './context.ts';
import { parseInput } from './parse.ts';

interface Step {
  readonly tool: string;
  readonly args: unknown;
  /** Its place in the call: `steps[3]`. */
  readonly at: string;
}

/** @param now milliseconds since 1970. @throws ClerkError */
export function stepArguments(
  { tools, withheld, schemas }: Pick<ClerkOptions, 'tools' | 'withheld' | 'schemas'>,
  now: number,
  { tool: name, args: raw, at }: Step,
): Readonly<Record<string, unknown>> {
  const today = utcToday(now);
  const place = `${at}.arguments`;
  if (isRecipe(name)) {
    refuseCardNumbers(raw);
    return parseInput<Record<string, unknown>>(RECIPE_INPUTS[name](), recipeShape(name), raw, today, place);
  }
  const tool = tools.find((one) => one.name === name && isStep(one));
  const why = withheld.get(name);
  if (tool === undefined && why !== undefined) {
    throw new ClerkError(why.code, `${at}.tool: ${why.message}`, { next: why.next });
  }
  if (tool === undefined) throw inputError(`${at}.tool`, `expected ${expected(name, tools)}.`);
  (tool.screen ?? screenCardNumbers)(raw);
  const { approval_id: approvalId, ...args } = parseInput(tool.input(), schemas.input(tool), raw, today, place);
  if (approvalId === undefined) return args;
  throw inputError(`${place}.approval_id`, 'a step has none of its own: the whole plan is asked once.');
}

/** A plan is no step of another. */
const isStep = (tool: Tool) => isGuarded(tool) && tool.toolset !== 'plans';

function expected(name: string, tools: readonly Tool[]): string {
  const names = tools.filter((tool) => isStep(tool) && tool.effect === 'commit').map((tool) => tool.name);
  const all = [...names, ...(Object.keys(RECIPE_INPUTS) as RecipeName[])];
  const near = nearest(name, all);
  return near === undefined ? all.join(', ') : `one of ${all.join(', ')}; nearest: ${near}`;
}
