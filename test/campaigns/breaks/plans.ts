/** Breaks of plans: one yes to many acts sends each approved step once, and nothing else (src/plans). */
import { type Breaks, CONNECTION_KILL, PLAN_KILL, SIM_PLANS, tests } from './break.ts';

export const PLANS: Breaks = {
  'stop-ignored': {
    promise: 'a stopped plan begins no other step',
    file: 'plans/run-plan.ts',
    find: "  if (plan.stoppedAt !== undefined) throw yesIsOver('The plan was stopped.');\n",
    replace: '',
    seenBy: [SIM_PLANS],
  },
  'asked-again-ignored': {
    promise: 'a yes to an earlier question of a plan is over',
    file: 'plans/run-plan.ts',
    find: "  if (plan.question !== approval.part.question) throw yesIsOver('It was asked again.');\n",
    replace: '',
    seenBy: [SIM_PLANS],
  },
  'yes-for-ever': {
    promise: 'the yes to a plan counts for 30 minutes',
    file: 'plans/plan-facts.ts',
    find: 'return decidedAt !== undefined && now - decidedAt < PLAN_YES_MS && decidedAt <= now + SET_MS;',
    replace: 'return decidedAt !== undefined && decidedAt <= now + SET_MS;',
    seenBy: [SIM_PLANS, tests('plans/plan-status')],
  },
  'rest-not-compared': {
    promise: 'nothing is paid of a line whose later steps changed',
    file: 'plans/run-plan.ts',
    find: '  await assertRestUnchanged(planner, position, approval);\n',
    replace: '',
    seenBy: [tests('plans/flights-line', 'plans/run-plan'), SIM_PLANS],
  },
  'overcharge-ignored': {
    promise: 'after an overcharge nothing more of the line is sent',
    file: 'plans/run-plan.ts',
    find: '  if (!isOvercharged) return;\n',
    replace: '  return;\n',
    seenBy: [tests('plans/flights-line', 'plans/run-plan'), CONNECTION_KILL],
  },
  'changed-terms-sent': {
    promise: 'a step on a changed booking has the approved terms',
    file: 'plans/run-plan.ts',
    find: 'if (changed.length > 0) throw approvalStale(approval.tool, changed);',
    replace: 'if (changed.length > 99) throw approvalStale(approval.tool, changed);',
    seenBy: [tests('plans/flights-line', 'plans/run-plan')],
  },
  'left-plans-stay': {
    promise: 'a plan whose process died goes on',
    file: 'plans/run-plan.ts',
    find: 'for (const { id } of await planStore(planner).unfinished(clock.now() - PLAN_YES_MS)) void runPlan(planner, id);',
    replace: 'for (const { id } of await planStore(planner).unfinished(clock.now())) void runPlan(planner, id);',
    seenBy: [PLAN_KILL],
  },
  'two-acts-at-once': {
    promise: 'one act of a plan is on its way at a time',
    file: 'plans/order-and-stop.ts',
    find: 'if (underWay?.current.operation !== undefined) return',
    replace: 'if (underWay?.current.operation === null) return',
    seenBy: [SIM_PLANS],
  },
  'goes-on-after-doubt': {
    promise: 'a plan stops where an act went to a person',
    file: 'plans/order-and-stop.ts',
    find: "return part.question === plan.question && (state === 'needs_person' || state === 'resolved');",
    replace: "return part.question === plan.question && state === 'resolved';",
    seenBy: [tests('plans/run-plan', 'plans/plan-status'), SIM_PLANS],
  },
  'unticked-lines-granted': {
    promise: 'only the ticked lines are granted',
    file: 'plans/decide-plan.ts',
    find: 'return approvals.filter((step) => isStepOfQuestion(step) && isTicked(step))',
    replace: 'return approvals.filter((step) => isStepOfQuestion(step) || isTicked(step))',
    seenBy: [tests('plans/run-plan', 'plans/change-of-mind'), SIM_PLANS],
  },
  'plan-above-the-day': {
    promise: "a plan is asked about only within the caller's day",
    file: 'plans/call.ts',
    find: '  await assertWithinDay(call, prepared.stake);\n',
    replace: '',
    seenBy: [tests('plans/plans.slow', 'tools/plans')],
  },
  'plan-of-another-caller': {
    promise: 'a plan belongs to its caller',
    file: 'plans/call.ts',
    find: 'if (facts !== undefined && isOfCaller(facts, asker)) return facts;',
    replace: 'if (facts !== undefined) return facts;',
    seenBy: [tests('plans/run-plan', 'plans/plan-status', 'plans/change-of-mind')],
  },
};
