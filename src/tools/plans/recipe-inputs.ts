/** What the recipes of propose_plan take. */
import * as z from 'zod';
import { PAYMENT_TYPES } from '../../domain/booking/airline-requests.ts';
import { once } from '../definition/define.ts';
import { holderName, listOf, locator, refs, text } from '../definition/input-fields.ts';

export const RECIPE_INPUTS = {
  cancel_bookings: once(() => z.strictObject({ locators: listOf(locator(), 1, 50) })),
  move_party: once(() =>
    z.strictObject({
      locator: locator(),
      segment_refs: refs().optional(),
      offer_ids: listOf(text(20), 1, 6),
      payment: z.strictObject({ type: z.enum(PAYMENT_TYPES), holder_name: holderName().optional() }),
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

const texts = { type: 'array', items: { type: 'string' } };

/** The same as JSON Schema, for reading what models commonly write: the bundle makes none from zod. */
export const RECIPE_SHAPES: Readonly<Record<RecipeName, Shape>> = {
  cancel_bookings: { type: 'object', properties: { locators: texts }, additionalProperties: false },
  move_party: {
    type: 'object',
    properties: {
      locator: { type: 'string' },
      segment_refs: texts,
      offer_ids: texts,
      payment: {
        type: 'object',
        properties: { type: { type: 'string' }, holder_name: { type: 'string' } },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
};
