/** The answers of run_plan: how far a plan is, which question a person must answer, and what to do next. */

import type { AfterStatus, Result, ResultHead } from '../approvals/answer.ts';
import type { Asked, ConsentCall } from '../approvals/call-types.ts';
import type { PlanApproval } from '../approvals/ports.ts';
import { result } from '../approvals/present.ts';
import { formatMoney, showAmount } from '../core/money.ts';
import { localMinute, utcText } from '../core/times.ts';
import { lineMoney, NOT_STATED, sumsMoved } from './line-words.ts';
import type { LineState, LineView, PlanView } from './plan.ts';
import { titleOf } from './question-words.ts';
import { nextText, STATE_WORDS, stateText } from './words.ts';

export async function present(
  call: ConsentCall,
  asked: Asked | undefined,
  view: PlanView,
  warnings: readonly string[] = [],
): Promise<Result> {
  const question = asked?.approval;
  const { approvals } = call.runtime.state;
  const isOver = view.state !== 'running';
  if (isOver && question !== undefined) await approvals.markTold(question.handleHash, call.runtime.clock.now());
  const next = [...(await pageOfStep(call, view)), nextText(view) ?? ''].join(' ').trim() || undefined;
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
  const { operationId } = step ?? {};
  const approval = operationId === undefined ? undefined : await runtime.state.approvals.byOperation(operationId);
  const shown = approval && (await settings.page?.open(approval, false));
  return approval === undefined ? [] : [`A person answers ${placeOf(approval, shown?.publicUrl)}.`];
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
  const approval = { expires_at: localMinute(utcText(expiresAt), near), url };
  return planResult(call, 'approval_required', view, head, { operation_id, approval });
}

/** Operations and the digest of the yes are beside it, for programs: each is in the journal. */
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
  const meta = operations.length > 0 ? { operations, digest: view.digest } : undefined;
  return result(call, status, { head, fields, body: outlineText, meta });
}

/** `plan` of a result. */
export type PlanOutline = ReturnType<typeof planOutline>;

/** `3. Cancel booking ABC123: done, SAR 86.25 came back` for each line, and what is not in the plan. */
function outlineText({ plan }: { plan: PlanOutline }): string {
  const left = (plan.left_out ?? []).map(({ title, why }) => `Left out: ${title}: ${why}`);
  return [...plan.lines.map(lineText), ...left].join('\n');
}

function lineText(line: PlanOutline['lines'][number]): string {
  const { n, title, locator, state, why, money, sums = [], not_stated: unstated = [], new_locator: made } = line;
  const parts = [
    STATE_WORDS[state],
    ...sums.flatMap(({ currency, paid, came_back: back }) => [
      ...(paid === undefined ? [] : [`${showAmount(paid, currency)} was paid`]),
      ...(back === undefined ? [] : [`${showAmount(back, currency)} came back`]),
    ]),
    ...unstated.map((what) => NOT_STATED[what]),
    ...(money === undefined ? [] : [`as asked: ${money}`]),
  ];
  const what = `${n}. ${titleOf({ title, locator })}: ${parts.join(', ')}`;
  const note = why ?? (made && `Booked as ${made}.`);
  return note === undefined ? what : `${what}. ${note}`;
}

/** Lines in these states can still move what was asked. */
const OPEN: ReadonlySet<LineState> = new Set(['proposed', 'asked', 'waiting', 'doing', 'in_doubt', 'asks_again']);

/** As results show it; the terms are in the question. */
function planOutline({ id, state, lines, leftOut }: PlanView) {
  return {
    id,
    state,
    lines: lines.map(lineOutline),
    left_out: leftOut.length > 0 ? [...leftOut] : undefined,
  };
}

/** Names the booking that the line made once. Lists the acts of a line only while it is not done. */
function lineOutline({ n, title, locator, newLocator, state, why, steps }: LineView) {
  const unstated = [...new Set(steps.flatMap(({ moved }) => moved?.unstated ?? []))];
  const left = steps.filter((step) => step.state !== 'done');
  const sums = sumsMoved(steps).map(({ currency, paid, refunded }) => ({
    currency,
    paid: paid && formatMoney(paid),
    came_back: refunded && formatMoney(refunded),
  }));
  const isApart = steps.length > 1 && left.length > 0;
  return {
    n,
    title,
    state,
    locator,
    why: state === 'done' && newLocator !== undefined ? undefined : why,
    money: OPEN.has(state) ? lineMoney({ steps: left }).join(', ') || undefined : undefined,
    sums: sums.length > 0 ? sums : undefined,
    not_stated: unstated.length > 0 ? unstated : undefined,
    new_locator: newLocator,
    steps: isApart ? steps.map(({ tool, state: stepState }) => ({ tool, state: stepState })) : undefined,
  };
}
