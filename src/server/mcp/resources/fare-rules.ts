import { showRoute } from '../../../domain/booking/place-names.ts';
import { passengerTypeWord } from '../../../domain/booking/status-codes.ts';
import { showDeadline } from '../../../domain/time-and-text/local-times.ts';
import type { BookingView } from '../../../tools/views/booking-schema.ts';
import { endLine } from '../../../tools/views/terms-lines.ts';
import { type Resource, readByTool } from './define.ts';

type Rule = NonNullable<BookingView['rules']>[number];

export const fareRules: Resource = {
  name: 'fare_rules',
  title: 'Fare rules of a booking',
  description: 'What cancelling or changing a booking costs, in words, by passenger type and time.',
  uri: 'fareclerk://bookings/{locator}/rules',
  mimeType: 'text/plain',
  needs: 'read_booking',
  completes: { locator: 'locator' },
  async read({ locator }, context) {
    const { structured, text } = await readByTool(context, 'read_booking', { locator, detail: 'full' });
    const label = /^\[sandbox\] /.exec(text)?.[0] ?? '';
    return (
      label + rulesText(structured.booking as BookingView, structured.refund as { readonly text: string } | undefined)
    );
  },
};

const ACTS = { refund: 'Cancelling', change: 'Changing' } as const;

/** `refund` comes from read_booking and includes the airline's own text if it sent no other rule. */
function rulesText(booking: BookingView, refund?: { readonly text: string }): string {
  const { rules = [], deadlines, locator, segments } = booking;
  const { cancel_until: cancel, names_until: names } = deadlines;
  const near = segments[0]?.departs;
  return [
    `Fare rules of booking ${locator}, as the airline states them.`,
    ...(refund === undefined ? [] : [`Cancelling everything now: ${refund.text}`]),
    ...(['refund', 'change'] as const).flatMap((kind) => section(kind, rules, booking)),
    ...endLine(cancel, near),
    ...(names === undefined ? [] : [`Names can be changed until ${showDeadline(names, near)}.`]),
  ].join('\n');
}

function section(kind: Rule['kind'], rules: readonly Rule[], booking: BookingView): readonly string[] {
  const own = rules.filter((rule) => rule.kind === kind);
  if (own.length === 0) return [`${ACTS[kind]}: the airline sent no rule with an amount. A person must ask it.`];
  return [`${ACTS[kind]}:`, ...new Set(own.map((rule) => `- ${sentence(rule, booking)}`))];
}

/** `Each adult on HHR101 MED → JED, until Tue 1 Dec 08:00 (UTC+3): SAR 150.00 is kept, tax included.` */
function sentence(rule: Rule, booking: BookingView): string {
  const near = booking.segments[0]?.departs;
  const who = `Each ${passengerTypeWord(rule.passenger_type) || 'passenger'}`;
  const where = rule.segment_refs === undefined ? '' : ` on ${flights(rule.segment_refs, booking)}`;
  const from = rule.from === undefined ? '' : `, from ${showDeadline(rule.from, near)}`;
  const until = rule.until === undefined ? '' : `, until ${showDeadline(rule.until, near)}`;
  const said = rule.text === undefined ? '' : ` The airline's words: “${rule.text.replace(/[\u201C\u201D"]/g, "'")}”.`;
  return `${who}${where}${from}${until}: ${charge(rule)}.${said}`;
}

function charge({ kind, refundable, currency, total, tax = '' }: Rule): string {
  if (total === undefined) return refundable === true ? 'possible, the airline states no amount' : 'not clear';
  if (!refundable) return kind === 'refund' ? 'nothing comes back' : 'not possible';
  if (/^0*\.?0*$/.test(total)) return 'free';
  const act = kind === 'refund' ? 'is kept' : 'is charged';
  return `${currency} ${total} ${act}${/^0*\.?0*$/.test(tax) ? '' : ', tax included'}`;
}

function flights(refs: readonly string[], { segments }: BookingView): string {
  return refs
    .map((ref) => {
      const segment = segments.find((each) => each.ref === ref);
      return segment === undefined ? `segment ${ref}` : `${segment.flight} ${showRoute(segment)}`;
    })
    .join(', ');
}
