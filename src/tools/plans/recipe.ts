/** What a recipe is given, and how it leaves out what cannot be done. */
import * as z from 'zod';
import { plainText } from '../../core/clean-text.ts';
import { ClerkError } from '../../core/errors.ts';
import type { PlanView } from '../../plans/plan.ts';
import type { ToolContext } from '../definition/define.ts';
import { type FieldsOf, noted, strings } from '../definition/field-notes.ts';

export type LeftOut = PlanView['leftOut'][number];

export const leftOutSchema = () => {
  const fields = strings({ title: 'what it would have done', why: 'why not' }) satisfies FieldsOf<LeftOut>;
  return noted('what is not in the plan', z.array(z.object(fields)).optional());
};

export interface RecipeCall {
  /** As its input in recipe-inputs.ts reads them. */
  readonly args: unknown;
  /** Place of the step in the call: `steps[3]`. */
  readonly at: string;
  readonly ctx: ToolContext;
  /** Reads the arguments of a tool. @throws ClerkError */
  readonly read: NonNullable<ToolContext['argumentsOf']>;
}

/** For an error that is about one booking alone. @throws the error where nothing can be read, or the input is wrong */
export function leftOutFor(title: string, error: unknown): LeftOut {
  if (!(error instanceof ClerkError) || !ABOUT_ONE.has(error.code)) throw error;
  return {
    title,
    why: plainText(error.message.replace(/ Nothing was (?:sent|booked)\.$/, '').replace(/\.$/, ''), 300),
  };
}

const ABOUT_ONE: ReadonlySet<ClerkError['code']> = new Set([
  'E_NOT_FOUND',
  'E_NO_AVAILABILITY',
  'E_OFFER_EXPIRED',
  'E_NOT_PAID',
  'E_ALREADY_DONE',
  'E_TOO_LATE',
  'E_NOT_PERMITTED',
  'E_AIRLINE_REPLY',
]);
