/** An act bound to its arguments and its caller, as approvals use it. */
import { aboutBooking } from '../approvals/about.ts';
import type { BoundAct, SucceededOperation } from '../approvals/bound-act.ts';
import type { Asker } from '../approvals/consent-call.ts';
import type { ActTool } from '../tools/definition/define.ts';
import { namesOfPlaces } from '../tools/steps/resolve-stations.ts';
import { shortBooking } from '../tools/views/booking.ts';
import { type ClerkOptions, type Runtime, toolContext } from './context.ts';

export function boundAct(
  tool: ActTool,
  args: Readonly<Record<string, unknown>>,
  asker: Asker,
  options: ClerkOptions,
  parts: Runtime,
): BoundAct {
  const context = toolContext(options, parts, asker);
  // Without the caller's signal: a caller who leaves stops nothing that is being sent.
  const sending = toolContext(options, parts, { caller: asker.caller });
  return {
    tool: tool.name,
    effect: tool.effect,
    args,
    showsFullBooking: tool.showsFullBooking === true,
    async preview() {
      if (tool.effect === 'commit') await namesOfPlaces(parts.airline);
      const terms = await tool.preview(args, context);
      const { booking } = terms;
      if (booking === undefined) return terms;
      return { ...terms, about: aboutBooking(booking, parts.airline.placeName, context.settings) };
    },
    previewAgain: () => tool.preview(args, sending),
    send: (confirmed) => tool.commit(confirmed, sending),
    async show(done: SucceededOperation) {
      const facts = { ...done, args };
      const { added, changed, ...head } = await tool.report(facts, context);
      const text = tool.text(added);
      const { booking: after } = done;
      const booking = after && !tool.showsFullBooking ? shortBooking(after, context, changed) : undefined;
      return { ...head, text, fields: added, ...(booking && { booking }) };
    },
    async remember(booking) {
      const { noteBooking } = await import('../tools/steps/record-booking.ts');
      await noteBooking(context, booking, tool.act?.countedAs === 'hold');
    },
  };
}
