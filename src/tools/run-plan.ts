/** The tool that asks once for all lines of a plan and carries them out. The plan itself is in src/plans. */
import * as z from 'zod';
import type { PlanOutline } from '../plans/call.ts';
import { definePlanTool } from './definition/define.ts';
import { type FieldsOf, noted, optionalStrings, optionalTexts, strings, unlisted } from './definition/field-notes.ts';
import { approvalId, text } from './definition/input-fields.ts';
import { leftOutSchema } from './plans/recipe.ts';

type LineOutline = PlanOutline['lines'][number];

const step = () => z.object(strings('tool', 'state') satisfies FieldsOf<NonNullable<LineOutline['steps']>[number]>);

const line = () =>
  z.object({
    n: z.number(),
    ...strings('title'),
    ...optionalStrings('locator'),
    ...strings('state'),
    ...optionalStrings('why', 'money'),
    sums: optionalTexts(),
    ...optionalStrings('new_locator'),
    steps: z.array(step()).optional(),
  } satisfies FieldsOf<LineOutline>);

/** The plan as plans outline it: `FieldsOf` makes the compiler check that no field is missing here. */
const plan = () =>
  z.object({
    ...strings('id', 'state'),
    lines: z.array(line()),
    ...unlisted({ left_out: leftOutSchema() }),
  } satisfies FieldsOf<PlanOutline>);

export const runPlan = definePlanTool({
  name: 'run_plan',
  title: 'Run plan',
  description:
    'Carry out a plan of propose_plan: a person is asked once for all its lines, then each is sent once, in order. Call again with the same plan_id to follow it. stop ends it after the act that is being sent; again asks for what was not done.',
  toolset: 'plans',
  example: { plan_id: 'pl_k3J9xQ2mVd0a' },
  input: () => ({
    plan_id: noted('The `plan_id` that `propose_plan` returned.', text(40)),
    stop: noted(
      'Begins no more lines of the plan; before an answer, withdraws its question.',
      z.boolean().optional(),
      '`false`',
    ),
    again: noted(
      'Asks for what was not done of a plan that is over. Without it, its state is read and nobody is asked.',
      z.boolean().optional(),
      '`false`',
    ),
    approval_id: approvalId(),
  }),
  output: () => ({ plan: plan() }),
});
