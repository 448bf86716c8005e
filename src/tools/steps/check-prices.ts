/** Price checks of offers: the airline confirms the price and sends its fare rules in words. */

import { airlineWords, plainText } from '../../core/clean-text.ts';
import { sameMoney, showMoney } from '../../core/money.ts';
import type { SegmentOption } from '../../domain/booking/booking.ts';
import type { Offer, PassengerCounts, PriceCheck } from '../../domain/pricing/offers.ts';
import { signalWithin, type ToolContext } from '../definition/define.ts';
import { lacksCarrier } from '../rules/missing-carrier.ts';

const MOST_CHECKED = 3;
/** Limit for all checks of one search, because clients stop waiting. */
const CHECK_MS = 15_000;
const MOST_RULES = 4;

interface CheckedOffer {
  readonly offer: Offer;
  readonly checked: boolean;
  readonly notes: readonly string[];
  /** The airline's words for its fare rules. */
  readonly airlineSays: readonly string[];
}

export interface Checks {
  readonly offers: readonly CheckedOffer[];
  /** Locator of a booking that the airline made in reply to a check. */
  readonly unintendedHold?: string;
}

export function unchecked(offers: readonly Offer[]): Checks {
  return { offers: offers.map((offer) => ({ offer, checked: false, notes: [], airlineSays: [] })) };
}

/** Off by default. The rail dialect does not document the message. */
function mayCheck({ settings }: ToolContext): boolean {
  const assumed = settings.dialect !== 'airline';
  return settings.priceCheck === true && (!assumed || settings.assumedOperations === true);
}

/** Checks the first offers in turn. A failed check never fails the search; an unintended hold ends the checks. */
export async function checkedOffers(
  offers: readonly Offer[],
  passengers: PassengerCounts,
  ctx: ToolContext,
): Promise<Checks> {
  if (!mayCheck(ctx)) return unchecked(offers);
  const found = [...unchecked(offers).offers];
  const signal = signalWithin(CHECK_MS, ctx);
  for (const [i, offer] of offers.slice(0, MOST_CHECKED).entries()) {
    if (signal.aborted) break;
    if (lacksCarrier(offer.options)) continue;
    const check = await ctx.airline
      .checkPrice({ options: offer.options, passengers }, { signal })
      .catch(() => undefined);
    if (check?.possibleHold !== undefined) return { offers: found, unintendedHold: check.possibleHold };
    if (check !== undefined) found[i] = afterCheck(offer, check);
  }
  return { offers: found };
}

function afterCheck(offer: Offer, { options, pricing }: PriceCheck): CheckedOffer {
  const [was, now] = [offer.pricing.total?.total, pricing?.total?.total];
  if (isOfAnotherFare(offer, options)) return { offer, checked: false, notes: [OTHER_FARE], airlineSays: [] };
  const unchanged = { offer, notes: [], airlineSays: ruleWordsOf(options) };
  if (pricing === undefined || was === undefined || now === undefined) return { ...unchanged, checked: false };
  if (sameMoney(was, now)) return { ...unchanged, checked: true };
  const notes = [`The airline now asks ${showMoney(now)}; the search said ${showMoney(was)}.`];
  // Prices in another currency cannot be ranked with the others.
  const kept = was.currency === now.currency ? { ...offer, pricing: { ...offer.pricing, ...pricing } } : offer;
  return { ...unchanged, offer: kept, checked: true, notes };
}

const OTHER_FARE = 'The airline checked the price of another fare of these flights, so this one is not checked.';

/** A check names only the class, and the airline picks the fare (docs/wire/notes.md, Price check). */
function isOfAnotherFare(offer: Offer, checked: readonly SegmentOption[]): boolean {
  const faresOf = (options: readonly SegmentOption[]) =>
    options.flatMap(({ segments }) => segments.map(({ fareBasis }) => fareBasis));
  const offered = faresOf(offer.options);
  return faresOf(checked).some((fare, i) => fare !== undefined && offered[i] !== undefined && fare !== offered[i]);
}

/** `Penalties: Fee SAR 30.00`. */
function ruleWordsOf(options: readonly SegmentOption[]): readonly string[] {
  const rules = options.flatMap(({ segments }) => segments.flatMap((segment) => segment.fareRules ?? []));
  const words = rules.flatMap(({ name, text }) => {
    const said = airlineWords(text);
    if (said === '') return [];
    return name === undefined ? [said] : [`${plainText(name, 40)}: ${said}`];
  });
  return [...new Set(words)].slice(0, MOST_RULES);
}
