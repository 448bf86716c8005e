/** The answers of run_plan: how far a plan is, which question a person must answer, and what to do next. */
import { type Money, showMoney } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { AfterStatus, Result } from '../answer.ts';
import type { Asked, ConsentCall } from '../call-types.ts';
import type { PlanApproval } from '../ports.ts';
import { approvalField, result } from '../present.ts';
import type { LineState, PlanView, StepView } from './plan.ts';
import { countsOf, nextText, planText } from './words.ts';

export async function present(
  call: ConsentCall,
  asked: Asked | undefined,
  view: PlanView,
  more: readonly string[] = [],
): Promise<Result> {
  const question = asked?.approval;
  const { approvals } = call.runtime.state;
  const isOver = view.state !== 'running';
  if (isOver && question !== undefined) await approvals.tell(question.handleHash, call.runtime.clock.now());
  const text = [...planText(view), ...more, ...(await pageOfStep(call, view)), nextText(view)].join('\n');
  return result(call, statusOf(view, isOver), {}, text, { ...approvalField(asked), plan: planOutline(view) });
}

/** The gravest first: a person must hear of it while the other lines go on. */
function statusOf({ lines }: PlanView, isOver: boolean): AfterStatus {
  const has = (wanted: LineState) => lines.some(({ state }) => state === wanted);
  if (has('asks_again')) return 'approval_required';
  if (!isOver) return 'pending';
  return has('needs_person') ? 'needs_person' : 'done';
}

/** Where to answer a line's own question: an address that asks for sign-in. */
async function pageOfStep({ settings, runtime }: ConsentCall, { lines }: PlanView): Promise<readonly string[]> {
  const step = lines.flatMap(({ steps }) => steps).find(({ state }) => state === 'asks_again');
  const approval = step?.operationId && (await runtime.state.approvals.byOperation(step.operationId));
  const shown = approval ? await settings.page?.open(approval, false) : undefined;
  return shown?.publicUrl === undefined ? [] : [`The page of that question: ${shown.publicUrl}`];
}

export function waiting(
  call: ConsentCall,
  { operationId }: PlanApproval,
  view: PlanView,
  url: string | undefined,
): Result {
  const where = url ?? `the page that was opened, or \`fareclerk approve ${operationId}\``;
  const text = [
    `APPROVAL REQUIRED. Nothing more is sent before a person answers: ${where}.`,
    ...planText(view),
    `Then call run_plan with plan_id ${view.id} again. Without an answer nothing happens.`,
  ];
  return result(call, 'approval_required', {}, text.join('\n'), { operation_id: operationId, plan: planOutline(view) });
}

/** What the journal proves of a line: `SAR 345.00`. */
function movedOf(steps: readonly StepView[]): { readonly paid?: string; readonly came_back?: string } {
  const shown = (amounts: readonly Money[]) => amounts.map(showMoney).join(', ') || undefined;
  return omitUndefined({
    paid: shown(steps.flatMap(({ moved }) => moved?.paid ?? [])),
    came_back: shown(steps.flatMap(({ moved }) => moved?.refunded ?? [])),
  });
}

/** As results show it; the terms are in the question. */
export function planOutline(view: PlanView) {
  return {
    id: view.id,
    state: view.state,
    counts: Object.fromEntries(countsOf(view)),
    lines: view.lines.map(({ n, title, locator, newLocator, state, why, steps }) => ({
      n,
      title,
      state,
      ...omitUndefined({ locator, why, new_locator: newLocator }),
      ...movedOf(steps),
      steps: steps.map(({ tool, state: own, operationId }) => ({
        tool,
        state: own,
        ...omitUndefined({ operation_id: operationId }),
      })),
    })),
    ...omitUndefined({ digest: view.digest }),
  };
}
