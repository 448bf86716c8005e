/** The answers of run_plan: how far a plan is, which question a person must answer, and what to do next. */
import { localMinute } from '../../core/local-times.ts';
import { type Money, showMoney } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { utcText } from '../../core/times.ts';
import type { AfterStatus, Result, ResultHead } from '../answer.ts';
import type { Asked, ConsentCall } from '../call-types.ts';
import type { PlanApproval } from '../ports.ts';
import { result } from '../present.ts';
import { NOT_STATED } from './line-words.ts';
import type { LineState, PlanView, StepView } from './plan.ts';
import { titleOf } from './question-words.ts';
import { countsOf, nextText, STATE_WORDS, stateText } from './words.ts';

export async function present(
  call: ConsentCall,
  asked: Asked | undefined,
  view: PlanView,
  warnings: readonly string[] = [],
): Promise<Result> {
  const question = asked?.approval;
  const { approvals } = call.runtime.state;
  const isOver = view.state !== 'running';
  if (isOver && question !== undefined) await approvals.tell(question.handleHash, call.runtime.clock.now());
  const next = [...(await pageOfStep(call, view)), nextText(view)].join(' ');
  return planResult(call, statusOf(view, isOver), view, { summary: stateText(view), next, warnings });
}

/** The gravest first: a person must hear of it while the other lines go on. */
function statusOf({ lines }: PlanView, isOver: boolean): AfterStatus {
  const has = (wanted: LineState) => lines.some(({ state }) => state === wanted);
  if (has('asks_again')) return 'approval_required';
  if (!isOver) return 'pending';
  return has('needs_person') ? 'needs_person' : 'done';
}

/** Where to answer a line's own question: an address that asks for sign-in, or a command. */
async function pageOfStep({ settings, runtime }: ConsentCall, { lines }: PlanView): Promise<readonly string[]> {
  const step = lines.flatMap(({ steps }) => steps).find(({ state }) => state === 'asks_again');
  const approval = step?.operationId && (await runtime.state.approvals.byOperation(step.operationId));
  if (!approval) return [];
  const shown = await settings.page?.open(approval, false);
  return [`A person answers ${placeOf(approval, shown?.publicUrl)}.`];
}

function placeOf({ operationId }: Pick<PlanApproval, 'operationId'>, url: string | undefined): string {
  return url === undefined ? `on the page that was opened, or with \`fareclerk approve ${operationId}\`` : `at ${url}`;
}

export function waiting(call: ConsentCall, question: PlanApproval, view: PlanView, url: string | undefined): Result {
  const { operationId: operation_id, expiresAt, near } = question;
  const head = {
    summary: `APPROVAL REQUIRED. Nothing more is sent before a person answers. ${stateText(view)}`,
    next: `A person must answer ${placeOf(question, url)}. Then call run_plan with plan_id ${view.id} again. Without an answer nothing happens.`,
  };
  const approval = { expires_at: localMinute(utcText(expiresAt), near), ...omitUndefined({ url }) };
  return planResult(call, 'approval_required', view, head, { operation_id, approval });
}

/** Operations are named beside it, for programs: each is in the journal. */
export function planResult(
  call: ConsentCall,
  status: AfterStatus,
  view: PlanView,
  head: ResultHead,
  more: object = {},
): Result {
  const operations = view.lines.flatMap(({ n, steps }) =>
    steps.flatMap(({ tool, operationId: operation_id }) =>
      operation_id === undefined ? [] : [{ line: n, tool, operation_id }],
    ),
  );
  const fields = { ...more, plan: planOutline(view) };
  const meta = operations.length > 0 ? { operations } : undefined;
  return result(call, status, { head, fields, body: outlineText, meta });
}

/** `3. Cancel booking ABC123: done, SAR 86.25 came back` for each line, and what is not in the plan. */
function outlineText({ plan }: { plan: ReturnType<typeof planOutline> }): string {
  const lines = plan.lines.map(({ n, title, locator, state, why, paid, came_back, not_stated }) => {
    const moved = [
      paid && `${paid} was paid`,
      came_back && `${came_back} came back`,
      ...(not_stated ?? []).map((what) => NOT_STATED[what]),
    ];
    const named = titleOf({ title, ...omitUndefined({ locator }) });
    const what = `${n}. ${named}: ${[STATE_WORDS[state], ...moved].filter(Boolean).join(', ')}`;
    return why === undefined ? what : `${what}. ${why}`;
  });
  const left = (plan.left_out ?? []).map(({ title, why }) => `Left out: ${title}: ${why}`);
  return [...lines, ...left].join('\n');
}

/** What the journal proves of a line: `SAR 345.00`. */
function movedOf(steps: readonly StepView[]) {
  const unstated = [...new Set(steps.flatMap(({ moved }) => moved?.unstated ?? []))];
  const shown = (amounts: readonly Money[]) => amounts.map(showMoney).join(', ') || undefined;
  return omitUndefined({
    paid: shown(steps.flatMap(({ moved }) => moved?.paid ?? [])),
    came_back: shown(steps.flatMap(({ moved }) => moved?.refunded ?? [])),
    not_stated: unstated.length > 0 ? unstated : undefined,
  });
}

/** As results show it; the terms are in the question. */
function planOutline(view: PlanView) {
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
      steps: steps.map(({ tool, state: stepState }) => ({ tool, state: stepState })),
    })),
    ...omitUndefined({ digest: view.digest, left_out: view.leftOut.length > 0 ? [...view.leftOut] : undefined }),
  };
}
