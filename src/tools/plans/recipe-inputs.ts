/** What the recipes of propose_plan take. */
import * as z from 'zod';
import { once } from '../../core/remembered.ts';
import { PAYMENT_TYPES } from '../../domain/booking/airline-requests.ts';
import { date, holderName, listOf, locator, paymentType, refs, text } from '../definition/input-fields.ts';

const locators = () => listOf(locator(), 1, 50);

export const RECIPE_INPUTS = {
  cancel_bookings: once(() => z.strictObject({ locators: locators() })),
  move_party: once(() =>
    z.strictObject({
      locator: locator().optional(),
      segment_refs: refs().optional(),
      train: text(12).optional(),
      date: date().optional(),
      locators: locators().optional(),
      offer_ids: listOf(text(20), 1, 6),
      payment: z.strictObject({ type: paymentType(), holder_name: holderName().optional() }),
    }),
  ),
};

export type RecipeName = keyof typeof RECIPE_INPUTS;
export type RecipeArgs<N extends RecipeName> = z.output<ReturnType<(typeof RECIPE_INPUTS)[N]>>;

export function isRecipe(name: string): name is RecipeName {
  return Object.hasOwn(RECIPE_INPUTS, name);
}

interface Shape {
  readonly type: string;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly [key: string]: unknown;
}

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };

/** The fields of all recipes as JSON Schema: a model reads them in propose_plan, and the bundle makes none from zod. */
export const RECIPE_FIELDS: Readonly<Record<string, Shape>> = {
  locator: TEXT,
  locators: TEXTS,
  segment_refs: TEXTS,
  train: TEXT,
  date: TEXT,
  offer_ids: TEXTS,
  payment: { type: 'object', properties: { type: { type: 'string', enum: PAYMENT_TYPES }, holder_name: TEXT } },
};

/** For reading what models commonly write. */
export function recipeShape(name: RecipeName): Shape {
  const names = Object.keys(RECIPE_INPUTS[name]().shape);
  const properties = Object.fromEntries(Object.entries(RECIPE_FIELDS).filter(([field]) => names.includes(field)));
  return { type: 'object', properties, additionalProperties: false };
}
