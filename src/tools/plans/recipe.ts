/** The recipes of propose_plan: their arguments, and how they leave out what cannot be done. */
import * as z from 'zod';
import { plainText } from '../../core/clean-text.ts';
import { ClerkError } from '../../core/errors.ts';
import { once } from '../../core/memoize.ts';
import { withoutTrailing } from '../../core/words.ts';
import type { PlanView } from '../../plans/plan.ts';
import type { PlanTools, ToolContext } from '../definition/define.ts';
import { type FieldsOf, noted, strings } from '../definition/field-notes.ts';
import { date, listOf, locator, payment, reason, refs, text } from '../definition/input-fields.ts';

/** The codes of errors that are about one booking alone. */
const CODES_ABOUT_ONE: ReadonlySet<ClerkError['code']> = new Set([
  'E_NOT_FOUND',
  'E_NO_AVAILABILITY',
  'E_OFFER_EXPIRED',
  'E_NOT_PAID',
  'E_ALREADY_DONE',
  'E_TOO_LATE',
  'E_NOT_PERMITTED',
  'E_AIRLINE_REPLY',
]);

/** How many characters of a reason a plan shows. */
const REASON_CHARS = 300;

const locators = () => listOf(locator(), 1, 50);

export const RECIPE_INPUTS = {
  cancel_bookings: once(() => z.strictObject({ locators: noted('The bookings.', locators()), reason: reason() })),
  move_party: once(() =>
    z.strictObject({
      locator: noted('One booking.', locator().optional(), 'see `locators`'),
      segment_refs: noted('Of a `locator`: only these segments.', refs().optional(), 'all of them'),
      train: noted('Of `locators`: the number of the train or flight that is replaced.', text(12).optional()),
      date: noted('The local day of its departure.', date().optional()),
      locators: noted('Bookings on a `train`: those of its change in list_bookings.', locators().optional()),
      offer_ids: noted(
        'Offers of `search_fares`, for each size of party: a booking takes those for its size.',
        listOf(text(20), 1, 20),
      ),
      payment: payment(),
    }),
  ),
};

export type RecipeName = keyof typeof RECIPE_INPUTS;
export type RecipeArgs<N extends RecipeName> = z.output<ReturnType<(typeof RECIPE_INPUTS)[N]>>;

export function isRecipe(name: string): name is RecipeName {
  return Object.hasOwn(RECIPE_INPUTS, name);
}

/** A JSON Schema, as far as a recipe needs it. */
interface Shape {
  readonly type: string;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly [key: string]: unknown;
}

/**
 * The fields of all recipes as JSON Schema, without their limits: a model reads them in propose_plan. `locators` is the same in
 * both, and `payment` is that of pay_booking, whose schema has its shape.
 */
export const recipeFields = once(() => ({
  ...recipeShape('move_party').properties,
  payment: { type: 'object' },
  reason: { type: 'string' },
}));

/** Gives the shape by which common slips in a model's arguments are fixed before they are checked (clerk/plans.ts). */
export function recipeShape(name: RecipeName): Shape {
  return z.toJSONSchema(RECIPE_INPUTS[name](), { io: 'input' }) as Shape;
}

/** What is not in the plan, and why. */
export type LeftOut = PlanView['leftOut'][number];

export const leftOutSchema = () => {
  const fields = strings('title', 'why') satisfies FieldsOf<LeftOut>;
  return z.array(z.object(fields)).optional();
};

/** One step of propose_plan that names a recipe. */
export interface RecipeCall {
  /** The arguments, as the recipe's input in RECIPE_INPUTS reads them. */
  readonly args: unknown;
  /** Place of the step in the call: `steps[3]`. */
  readonly at: string;
  readonly ctx: ToolContext;
  /** Parses the arguments of a tool as a call of it would. @throws ClerkError if they are not valid */
  readonly parseArguments: PlanTools['argumentsOf'];
}

/** Leaves a booking out for an error that is about it alone. @throws the error if nothing can be read, or the input is wrong */
export function leftOutFor(title: string, error: unknown): LeftOut {
  if (!(error instanceof ClerkError) || !CODES_ABOUT_ONE.has(error.code)) throw error;
  return { title, why: plainText(withoutTrailing(error.what, '.'), REASON_CHARS) };
}
