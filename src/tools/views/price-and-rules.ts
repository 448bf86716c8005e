/** Prices and penalty rules as decimal strings and UTC times. */
import type { Booking } from '../../domain/booking/booking.ts';
import type { FareComponent, PenaltyRule, Price, PriceLine, TypePrice } from '../../domain/pricing/fare.ts';
import { unitsOf } from '../../domain/pricing/fare-units.ts';
import { formatMoney, sameMoney, sumMoney } from '../../domain/pricing/money.ts';
import { keptBy, percentText } from '../../domain/pricing/penalty-rules.ts';
import { totalsByType } from '../../domain/pricing/total-per-passenger-type.ts';
import { cleanCode, plainText } from '../../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { asUtc, instantOf } from '../../domain/time-and-text/times.ts';
import type { BookingView, BookingViewOptions } from './booking-schema.ts';

type RuleView = NonNullable<BookingView['rules']>[number];

export function viewLine(line: PriceLine): { kind: string; code: string; amount: string; vat?: string } {
  return omitUndefined({
    kind: line.kind,
    code: cleanCode(line.code),
    amount: formatMoney(line.amount),
    vat: line.vatHundredths === undefined ? undefined : percentText(line.vatHundredths),
  });
}

/** Returns one row per type, even if the airline sends several. */
export function viewPerType(
  rows: readonly TypePrice[],
  party: Readonly<Record<string, number>>,
): { type: string; count: number; total: string }[] {
  return totalsByType(rows, party).map(({ type, count, total }) => ({
    type: cleanCode(type),
    count,
    total: formatMoney(total),
  }));
}

export function viewParts({ base, taxes, fees }: Price) {
  return { base: formatMoney(base), taxes: formatMoney(taxes), fees: formatMoney(fees) };
}

export function viewPrice(
  price: Price,
  rows: readonly TypePrice[],
  full: boolean,
  party: Readonly<Record<string, number>>,
): NonNullable<BookingView['price']> {
  const rowsTotal = sumMoney(totalsByType(rows).map(({ total }) => total));
  return omitUndefined({
    ...viewParts(price),
    total: formatMoney(price.total),
    // Leaves out rows that do not add up to the total (docs/wire/notes.md, Fares and prices).
    per_type: sameMoney(rowsTotal, price.total) ? viewPerType(rows, party) : undefined,
    lines: full ? price.lines.map(viewLine) : undefined,
  });
}

/** The rule's text in the wanted language, or in any other. */
export function ruleText(rule: PenaltyRule, locale = 'en'): string | undefined {
  const language = locale.slice(0, 2).toLowerCase();
  const own = rule.texts.find((each) => each.locale?.slice(0, 2).toLowerCase() === language);
  const found = (own ?? rule.texts[0])?.text;
  return found === undefined || found.trim() === '' ? undefined : plainText(found, 240);
}

/** Current and future refund rules. `full` adds expired rules, change rules and texts. */
export function viewRules(booking: Booking, options: BookingViewOptions): RuleView[] {
  const full = options.detail === 'full';
  const fares = booking.pricing?.fares ?? [];
  const { units } = unitsOf(booking, booking.options);
  // Not by airports: a trip can fly the same pair twice.
  const refsOf = (fare: FareComponent) =>
    units.find((unit) => unit.fares.includes(fare))?.segments.map(({ ref }) => ref);
  const over = (rule: PenaltyRule) => (instantOf(rule.until) ?? Number.POSITIVE_INFINITY) <= options.now;
  const kinds = full ? (['refund', 'change'] as const) : (['refund'] as const);
  return kinds.flatMap((kind) =>
    fares.flatMap((fare) =>
      (kind === 'refund' ? fare.refundRules : fare.changeRules)
        .filter((rule) => full || !over(rule))
        .map((rule) => viewRule(rule, refsOf(fare), kind, options)),
    ),
  );
}

function viewRule(
  rule: PenaltyRule,
  segmentRefs: string[] | undefined,
  kind: 'refund' | 'change',
  options: BookingViewOptions,
): RuleView {
  const kept = keptBy(rule);
  return omitUndefined({
    kind,
    passenger_type: cleanCode(rule.passengerType),
    segment_refs: segmentRefs,
    refundable: rule.refundable,
    currency: rule.total.currency,
    base: formatMoney(rule.base),
    tax: formatMoney(kept?.tax ?? rule.tax),
    total: formatMoney(kept?.total ?? rule.total),
    vat_percent: percentText(rule.vatHundredths),
    from: asUtc(rule.from),
    until: asUtc(rule.until),
    text: options.detail === 'full' ? ruleText(rule, options.locale) : undefined,
  });
}
