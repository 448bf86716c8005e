import type { BookingView } from '../../../tools/views/booking-schema.ts';
import { type Resource, readByTool } from './define.ts';

type Rule = NonNullable<BookingView['rules']>[number];

export const fareRules: Resource = {
  name: 'fare_rules',
  title: 'Fare rules of a booking',
  description: 'What giving back or changing a booking costs, in words, by passenger type and time.',
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

const TYPES: Readonly<Record<string, string>> = { ADT: 'adult', CHD: 'child', INF: 'infant' };
const ACTS = { refund: 'Giving back', change: 'Changing' } as const;

/** `refund` comes from read_booking and includes the airline's own text if it sent no other rule. */
export function rulesText(booking: BookingView, refund?: { readonly text: string }): string {
  const { rules = [], deadlines, locator } = booking;
  return [
    `Fare rules of booking ${locator}, as the airline states them.`,
    ...(refund === undefined ? [] : [`Cancelling everything now: ${refund.text}`]),
    ...(['refund', 'change'] as const).flatMap((kind) => section(kind, rules, booking)),
    ...(deadlines.cancel_until === undefined ? [] : [`It can be cancelled until ${deadlines.cancel_until}.`]),
    ...(deadlines.names_until === undefined ? [] : [`Names can be changed until ${deadlines.names_until}.`]),
  ].join('\n');
}

function section(kind: Rule['kind'], rules: readonly Rule[], booking: BookingView): readonly string[] {
  const own = rules.filter((rule) => rule.kind === kind);
  if (own.length === 0) return [`${ACTS[kind]}: the airline sent no rule with an amount. A person must ask it.`];
  return [`${ACTS[kind]}:`, ...new Set(own.map((rule) => `- ${sentence(rule, booking)}`))];
}

/** `Each adult on HHR101 MED-JED, until 2026-12-01T05:00:00Z: SAR 150.00 is kept, and 15 % VAT on it.` */
function sentence(rule: Rule, booking: BookingView): string {
  const who = `Each ${TYPES[rule.passenger_type] ?? (rule.passenger_type || 'passenger')}`;
  const where = rule.segment_refs === undefined ? '' : ` on ${flights(rule.segment_refs, booking)}`;
  const from = rule.from === undefined ? '' : `, from ${rule.from}`;
  const until = rule.until === undefined ? '' : `, until ${rule.until}`;
  const said = rule.text === undefined ? '' : ` The airline’s own text: “${rule.text.replace(/[“”"]/g, "'")}”.`;
  return `${who}${where}${from}${until}: ${charge(rule)}.${said}`;
}

function charge({ kind, refundable, currency, total, tax }: Rule): string {
  if (!refundable) return kind === 'refund' ? 'nothing is given back' : 'not possible';
  if (/^0*\.?0*$/.test(total)) return 'free';
  const act = kind === 'refund' ? 'is kept' : 'is charged';
  return `${currency} ${total} ${act}${/^0*\.?0*$/.test(tax) ? '' : ', tax included'}`;
}

function flights(refs: readonly string[], { segments }: BookingView): string {
  return refs
    .map((ref) => {
      const segment = segments.find((each) => each.ref === ref);
      return segment === undefined ? `segment ${ref}` : `${segment.flight} ${segment.from}-${segment.to}`;
    })
    .join(', ');
}
