/** The digest that binds the operations of a plan to what was approved with one yes. */
import { digest } from '../digest.ts';
import type { PlanApproval } from '../ports.ts';

/** Undefined while nothing of this question was granted. */
export function planDigest(
  key: Uint8Array,
  approvals: readonly PlanApproval[],
  question: string | undefined,
): string | undefined {
  const granted = approvals.filter(
    ({ part, decision, decidedAt }) =>
      part.line > 0 && !part.alone && part.question === question && decidedAt !== undefined && decision !== 'declined',
  );
  if (granted.length === 0) return undefined;
  const steps = granted.toSorted((a, b) => place(a) - place(b));
  return digest(
    key,
    steps.map(({ tool, argsDigest, termsDigest, operationId }) => [tool, argsDigest, termsDigest, operationId]),
  );
}

const place = ({ part }: PlanApproval): number => part.line * 100 + part.step;
