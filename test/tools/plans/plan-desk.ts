/** A desk that plans: arguments are read as the server reads them, and a kept plan is what the lines say, without previews. */
import type { LineView, PlanLine, Plans, PlanView, StepView } from '../../../src/approvals/plans/plan.ts';
import { liveSchemas } from '../../../src/server/schemas.ts';
import { stepArguments } from '../../../src/server/step-arguments.ts';
import type { ToolContext } from '../../../src/tools/definition/define.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import { NOW, sar } from '../../support/bookings.ts';
import { type DeskOptions, openDesk } from '../support/tool-context.ts';

const catalog = { tools: CATALOG, withheld: new Map(), schemas: liveSchemas() };

export type ReadArguments = NonNullable<ToolContext['argumentsOf']>;

export const readArguments: ReadArguments = async (tool, args, at) => stepArguments(catalog, NOW, { tool, args, at });

/** What every step of the fake moves, by its tool. */
const MONEY: Readonly<Record<string, Partial<StepView>>> = {
  pay_booking: { nature: 'payment', money: { direction: 'payment', amount: sar(34500) } },
  cancel_segment: {
    nature: 'cancellation',
    money: { direction: 'refund', amount: sar(17250) },
    estimate: { amount: sar(17250) },
  },
  cancel_booking: { nature: 'cancellation', money: { direction: 'refund', amount: sar(17250), whole: true } },
};

export const stepView = (tool: string, over: Partial<StepView> = {}): StepView => ({
  tool,
  act: `Act of ${tool}`,
  nature: 'change',
  sections: [],
  state: 'proposed',
  ...MONEY[tool],
  ...over,
});

export function planView(lines: readonly PlanLine[], over: Partial<PlanView> = {}): PlanView {
  return {
    id: 'p1234567',
    state: 'proposed',
    lines: lines.map(({ title, locator, steps }, i) => ({
      n: i + 1,
      title,
      ...(locator !== undefined && { locator }),
      steps: steps.filter(({ insteadOf }) => insteadOf === undefined).map(({ tool }) => stepView(tool)),
      state: 'proposed',
    })),
    leftOut: [],
    sums: [{ paid: sar(34500), comesBack: sar(17250) }],
    expiresAt: NOW + 600_000,
    ...over,
  };
}

export function openPlanDesk(options: DeskOptions = {}) {
  const desk = openDesk(options);
  const kept: (readonly PlanLine[])[] = [];
  const plans: Plans = {
    async propose(lines, leftOut, reasonsOf) {
      kept.push(lines);
      const reasons = await reasonsOf(lines.flatMap(({ locator }) => locator ?? []));
      const view = planView(lines, { leftOut });
      const withReason = (line: LineView): LineView => {
        const reason = reasons.get(line.locator ?? '');
        return reason === undefined ? line : { ...line, reason };
      };
      return { ...view, lines: view.lines.map(withReason) };
    },
    view: async () => undefined,
  };
  const ctx: ToolContext = { ...desk.ctx, plans, argumentsOf: readArguments };
  return { ...desk, ctx, kept };
}
