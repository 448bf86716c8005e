import * as z from 'zod';
import { definePlanTool, optionalStrings } from './definition/define.ts';
import { approvalId, text } from './definition/input-fields.ts';

export const runPlan = definePlanTool({
  name: 'run_plan',
  title: 'Run plan',
  description:
    'Carry out a plan of propose_plan: a person is asked once for all its lines, then each is sent once, in order. Call again with the same plan_id to follow it and to read its state. stop ends it after the act that is being sent; again asks for what was not done.',
  toolset: 'plans',
  example: 'plan_id=pl_k3J9xQ2mVd0a',
  input: () => ({
    plan_id: text(40),
    stop: z.boolean().optional(),
    again: z.boolean().optional(),
    approval_id: approvalId(),
  }),
  output: () => ({
    plan: z.object({
      id: z.string(),
      state: z.string(),
      lines: z.array(
        z.object({
          n: z.number(),
          title: z.string(),
          locator: z.string().optional(),
          state: z.string(),
          why: z.string().optional(),
          money: z.string().optional(),
          sums: z.array(z.object({ currency: z.string(), ...optionalStrings('paid', 'came_back') })).optional(),
          not_stated: z.array(z.string()).optional(),
          ...optionalStrings('new_locator'),
          steps: z.array(z.object({ tool: z.string(), state: z.string() })).optional(),
        }),
      ),
      left_out: z.array(z.object({ title: z.string(), why: z.string() })).optional(),
    }),
  }),
});
