/** An act bound to its arguments and its caller, as approvals use it. */
import type { Asker, BoundAct, SucceededOperation } from '../approvals/call-types.ts';
import type { ActTool } from '../tools/definition/define.ts';
import { fullBooking, shortBooking } from '../tools/views/booking.ts';
import { type ClerkOptions, type Runtime, toolContext } from './context.ts';
import { namesOfPlaces } from './route-cache.ts';

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
      return tool.preview(args, context);
    },
    previewAgain: () => tool.preview(args, sending),
    send: (confirmed) => tool.commit(confirmed, sending),
    async show(done: SucceededOperation) {
      const facts = { ...done, args };
      const { added, changed, ...head } = tool.report(facts, context);
      const text = tool.text(added, facts, context);
      const { booking } = done;
      if (booking === undefined) return { ...head, text, fields: added };
      const shown = tool.showsFullBooking
        ? await fullBooking(booking, context)
        : shortBooking(booking, context, changed);
      return { ...head, text, fields: added, booking: shown };
    },
    async remember(booking) {
      const { noteBooking } = await import('../tools/definition/record-booking.ts');
      await noteBooking(context, booking, tool.act?.countedAs === 'hold');
    },
  };
}
