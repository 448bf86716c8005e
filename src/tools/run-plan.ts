/** The tool that asks once for all lines of a plan and carries them out. The plan itself is in src/plans. */
import * as z from 'zod';
import type { PlanOutline } from '../plans/call.ts';
import { definePlanTool } from './definition/define.ts';
import { type FieldsOf, noted, optionalStrings, optionalTexts, strings, usual } from './definition/field-notes.ts';
import { approvalId, text } from './definition/input-fields.ts';
import { leftOutSchema } from './plans/recipe.ts';

type LineOutline = PlanOutline['lines'][number];

const LINE_STATE = 'how far it is, such as `waiting`, `done`, `skipped` or `in_doubt`';

const sum = () =>
  z.object({
    ...strings(usual('currency')),
    ...optionalStrings({
      paid: 'what was paid, as the journal proves',
      came_back: 'what came back, as the airline stated it',
    }),
  } satisfies FieldsOf<NonNullable<LineOutline['sums']>[number]>);

const step = () =>
  z.object(
    strings({ ...usual('tool'), state: LINE_STATE }) satisfies FieldsOf<NonNullable<LineOutline['steps']>[number]>,
  );

const line = () =>
  z.object({
    n: noted('its number', z.number()),
    ...strings({ title: 'what it does' }),
    ...optionalStrings(usual('locator')),
    ...strings({ state: LINE_STATE }),
    ...optionalStrings({
      why: 'why it was not done, or the outcome in words',
      money: 'what it would move, while it is not done',
    }),
    sums: noted('what it moved, for each currency', z.array(sum()).optional()),
    not_stated: optionalTexts('what the airline did not state: `charge`, `refund`'),
    ...optionalStrings({ new_locator: 'the booking that the line made' }),
    steps: noted('its acts, where there are several and not all are done', z.array(step()).optional()),
  } satisfies FieldsOf<LineOutline>);

/** The plan as plans outline it: `FieldsOf` makes the compiler check that no field is missing here. */
const plan = () =>
  z.object({
    ...strings({
      id: 'the `plan_id`',
      state: '`proposed`, `asked`, `declined`, `lapsed`, `replaced`, `withdrawn`, `running`, `stopped` or `over`',
    }),
    lines: noted('each with what became of it', z.array(line())),
    left_out: leftOutSchema(),
  } satisfies FieldsOf<PlanOutline>);

export const runPlan = definePlanTool({
  name: 'run_plan',
  title: 'Run plan',
  description:
    'Carry out a plan of propose_plan: a person is asked once for all its lines, then each is sent once, in order. Call again with the same plan_id to follow it and to read its state. stop ends it after the act that is being sent; again asks for what was not done.',
  toolset: 'plans',
  example: 'plan_id=pl_k3J9xQ2mVd0a',
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
  output: () => ({ plan: noted('the plan as it is now', plan()) }),
});
