/** Asks a person at once about a step whose terms drifted after the step before it was paid: a question of its own. */
import { ClerkError } from '../../errors.ts';
import { draftOf } from '../draft.ts';
import { withCaution } from '../fresh-terms.ts';
import { askFor } from '../request.ts';
import { at, known, type PlanParts } from './parts.ts';
import type { PlanBody } from './ports.ts';
import type { StepNow } from './status.ts';
import { notOffered, whyOf } from './step.ts';

/** Where nobody can be asked about it now, keeps why. */
export async function askAgainAlone(parts: PlanParts, { approval, spec }: StepNow, body: PlanBody): Promise<void> {
  const { runtime, settings } = parts;
  const { part, tool, tenant, caller: id } = known(approval, 'approval of this step');
  const caller = { tenant, id };
  const { args } = spec;
  const ask = { caller, tool, args, operationId: runtime.random.uuid(), now: runtime.clock.now() };
  const alone = { part: { ...part, alone: true as const } };
  try {
    const act = parts.actOf(tool, args, { caller });
    if (act === undefined) throw notOffered(tool);
    const call = { act, how: { caller }, runtime, settings, trail: {} };
    const terms = await withCaution(call, await act.previewAgain());
    const question = { ...ask, carried: draftOf(args, terms), terms, askedBy: 'page' as const };
    const asked = await askFor(runtime.state, question, alone);
    await settings.page?.open(asked.approval, false);
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;
    const { act, nature, sections } = at(at(body.terms, part.line - 1), part.step);
    const terms = { act, nature, sections: [], ask: false };
    const gone = { ...terms, subject: { kind: 'cancel_booking' as const }, send: undefined };
    const why = { ...alone, decision: 'void' as const, decidedAt: ask.now, why: whyOf(error, { sections }) };
    await askFor(runtime.state, { ...ask, carried: undefined, terms: gone, askedBy: 'page' }, why);
  }
}
