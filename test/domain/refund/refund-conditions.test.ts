/** Texts of airlines beside a penalty: each is quoted, and a refund depends on those that say more than their row. */
import { describe, expect, test } from 'vitest';
import {
  fare,
  NOW,
  OUT,
  option,
  type PenaltyRule,
  pricing,
  rule,
  sar,
  segment,
  ticketed,
} from '../../support/bookings.ts';
import { estimateAt } from '../../support/estimate.ts';

/** OUT departs on 1 December at 05:00 UTC. */
const DAY_BEFORE = '2026-11-30T05:00:00Z';
const DEPARTURE = '2026-12-01T05:00:00Z';
const EUR_30 = { minor: 3000, currency: 'EUR' };
const EUR_0 = { minor: 0, currency: 'EUR' };
const ROWS: Readonly<Record<string, Parameters<typeof rule>[0]>> = {
  /** Keeps SAR 46.00, of which 6.00 are tax, until a day before departure. */
  fee: { base: sar(4000), until: DAY_BEFORE },
  /** The same until departure. */
  late: { base: sar(4000), until: DEPARTURE },
  euro: { base: EUR_30, tax: EUR_0, total: EUR_30, vatHundredths: 0, until: DEPARTURE },
  big: { base: sar(125000), vatHundredths: 0, until: DEPARTURE },
  free: { base: sar(0), until: DAY_BEFORE },
  refused: { refundable: false, base: sar(0), from: '2026-11-01T00:00:00Z', until: DEPARTURE },
  /** In force since a day before departure. */
  lastDay: { refundable: false, base: sar(0), from: DAY_BEFORE, until: DEPARTURE },
  lastDayFee: { base: sar(4000), from: DAY_BEFORE, until: DEPARTURE },
  lastDayOpen: { base: sar(4000), from: DAY_BEFORE, until: undefined },
};

type Labelled = readonly [row: keyof typeof ROWS, text: string];

/** Those of published messages and rule displays first. */
const REPEATS: readonly Labelled[] = [
  ['late', 'Refund before departure'],
  ['fee', '---'],
  ['fee', 'More than 24 hours'],
  ['late', 'Any time'],
  ['euro', 'Refundable until departure.\r\nFee EUR 30.00 per flight.'],
  ['late', 'BEFORE DEPARTURE\n      CANCELLATIONS PERMITTED.'],
  ['refused', 'ANY TIME TICKET IS NON-REFUNDABLE.'],
  ['refused', 'TICKET IS NON-REFUNDABLE IN CASE OF CANCEL/REFUND.'],
  ['euro', 'CHARGE EUR 30.00 FOR CANCEL/REFUND.'],
  ['fee', 'Refund for a fee of SAR 46.00 per passenger and segment'],
  ['fee', 'Refund with a penalty.'],
  ['fee', 'Refund for a fee of SAR 40.00'],
  ['fee', 'Cancellation fee: 46.00 SAR (VAT included)'],
  ['fee', 'Cancellation fee SAR 40 plus VAT'],
  ['fee', 'Refundable until 24h before departure'],
  ['fee', 'Refund allowed up to 1 day prior to departure, penalty SAR 46'],
  ['big', 'Cancellation penalty SAR 1,250.00 per passenger'],
  ['free', 'Free cancellation'],
  ['free', 'Fully refundable, no cancellation fee'],
  ['free', 'Refund fee: SAR 0.00'],
  ['refused', 'Non-refundable fare'],
  ['lastDay', 'Less than 24 hours: no refund'],
  ['lastDay', 'Less than 24 hours'],
  ['lastDayFee', 'Within 24 hours of departure, a fee of SAR 46.00 applies'],
  ['fee', '—'],
  ['fee', 'x (%)'],
  ['refused', 'x (%)'],
  ['fee', 'More than 24 hours before departure'],
  ['fee', 'A fee of SAR 46.00 is deducted'],
  ['fee', 'Cancellation fee SAR 46.00 (incl. VAT), more than 24 hrs. before departure'],
  ['free', 'No fee is charged'],
  ['refused', 'Fare is non\u2011refundable'],
];

/** They repeat the row too, in other languages or in words that are in no list: they count as conditions. */
const NOT_UNDERSTOOD: readonly Labelled[] = [
  ['fee', 'أكثر من 24 ساعة'],
  ['fee', 'الاسترداد مقابل رسوم SAR 46.00 لكل راكب وقطاع'],
  ['refused', 'الاسترداد غير مسموح'],
  ['euro', 'Stornierung gegen Gebühr von 30,00 € pro Person'],
  ['late', 'Erstattbar bis zum Abflug'],
  ['fee', 'Mehr als 24 Stunden vor Abflug'],
  ['refused', 'Nicht erstattbar'],
  ['refused', 'Keine Erstattung möglich'],
  ['free', 'Kostenlose Stornierung'],
  ['euro', 'Remboursable avant le départ, frais de 30,00 EUR par passager'],
  ['refused', 'Billet non remboursable'],
  ['free', "Annulation sans frais jusqu'à 24 heures avant le départ"],
  ['fee', 'Plus de 24 heures avant le départ'],
  ['fee', 'رسوم الإلغاء 46 ريال سعودي لكل مسافر'],
  ['fee', 'قابل للاسترداد قبل ٢٤ ساعة من المغادرة'],
  ['free', 'استرداد مجاني'],
  ['refused', 'التذكرة غير قابلة للاسترداد'],
  ['fee', 'Between 24 hours and 331 days before departure'],
  ['refused', 'The fare is lost if you cancel.'],
  ['late', 'Refundable until 1 December 2026, 08:00'],
];

const CONDITIONS: readonly Labelled[] = [
  ['free', 'Refund for health or weather reasons only'],
  ['free', 'WAIVED FOR DEATH OF PASSENGER OR FAMILY MEMBER.'],
  ['late', 'AFTER DEPARTURE\n      CANCELLATIONS PERMITTED.'],
  ['late', 'VOLUNTARY REFUND OF UNUSED FEES AND TAXES PERMITTED.'],
  ['late', 'REFUND MUST BE MADE WITHIN 12 MONTHS FROM TICKETING DATE.'],
  ['euro', 'CHARGE EUR 30.00 FOR CANCEL/NO-SHOW/REFUND. CHILD DISCOUNT APPLIES.'],
  ['refused', 'TICKET IS NON-REFUNDABLE. TAXES ARE REFUNDABLE.'],
  ['late', 'FARE IS NON-REFUNDABLE IF UPGRADED TICKET IS SUBSEQUENTLY CANCELLED'],
  ['free', 'Free cancellation within 24 hours'],
  ['free', 'Free cancellation within 24 hours of purchase'],
  ['free', 'Refundable as a voucher'],
  ['free', 'Full refund if the flight is cancelled by the airline'],
  ['free', 'Refundable with a medical certificate'],
  ['free', 'Refundable only to members'],
  ['fee', 'Refundable up to 48 hours before departure'],
  ['fee', 'More than 25 hours'],
  ['fee', 'More than 24 hours after booking'],
  ['late', 'More than 24 hours'],
  ['lastDayFee', 'Less than 4 hours'],
  ['fee', 'Refund until 24 hours after payment'],
  ['fee', 'Refund for a fee of SAR 64.00'],
  ['fee', 'Refund for a fee of EUR 46.00'],
  ['fee', 'Fee SAR 46.00 or 25 % of the fare'],
  ['fee', 'Refund: SAR 46.00 per passenger'],
  ['fee', 'Fee SAR 46.00 per booking'],
  ['fee', 'Free refund'],
  ['fee', 'Fee SAR 40.00 VAT included'],
  ['free', 'Refund with a fee'],
  ['free', 'Refund not permitted'],
  ['refused', 'Refundable'],
  ['refused', 'Refund not permitted, except in case of death'],
  ['refused', 'Cancellation penalty SAR 172.50'],
  ['refused', 'Refund not permitted less than 24 hours before departure'],
  ['late', 'Refundable if the ticket is unused'],
  ['late', 'Refund before departure, no-show not refundable'],
  ['late', 'The cheapest fare of the party decides'],
  ['late', 'See conditions of carriage'],
  ['fee', 'Cancellation fee SAR 46.00. Refund fee SAR 46.00.'],
  ['fee', 'Fee SAR 46.00 and SAR 40.00'],
  ['fee', 'Fee SAR 46.00+'],
  ['big', 'Cancellation penalty SAR 1,250.00 plus VAT'],
  ['fee', 'Refund excluding VAT'],
  ['refused', 'Non-refundable excluding VAT'],
  ['free', 'In case of cancellation the full fare is charged'],
  ['fee', 'In case of cancellation the fare is charged'],
  ['free', 'Full cancellation fee applies'],
  ['free', 'Cancellations are charged'],
  ['free', 'Free cancellation. Refund fee applies'],
  ['free', 'Refund: No. Fee applies'],
  ['free', 'Refund allowed: no\nPenalty applies'],
  ['free', 'Refund: no - charge applies'],
  ['fee', 'Fees are refundable'],
  ['fee', 'Fees refundable'],
  ['fee', 'Refund of fees'],
  ['refused', 'Cancellation not permitted, refund permitted'],
  ['lastDayOpen', 'Refund with a fee less than 24 hours before departure'],
  ['fee', 'Refundable ✗'],
  ['fee', '✗'],
  ['fee', 'Refundable*'],
  ['late', 'Erstattung nur bei Krankheit mit ärztlichem Attest'],
  ['free', 'Kostenlose Stornierung innerhalb von 24 Stunden nach Buchung'],
  ['late', 'Erstattung als Gutschein'],
  ['refused', 'Nicht erstattbar, ausgenommen Steuern und Gebühren'],
  ['free', 'Remboursable uniquement pour raisons médicales'],
  ['late', 'Remboursement sous forme de bon, sauf décès du passager'],
  ['refused', 'Non remboursable, taxes remboursables sur demande'],
  ['free', 'يسمح بالاسترداد للأسباب الصحية فقط'],
  ['free', 'استرداد مجاني خلال 24 ساعة من الحجز'],
  ['refused', 'غير قابل للاسترداد إلا في حالة الوفاة'],
  ['late', 'يعاد المبلغ إلى المحفظة الإلكترونية'],
  ['late', 'Reembolso sólo por causa médica'],
  ['late', 'İade yalnızca sağlık nedeniyle'],
  ['free', '仅限病退'],
  ['free', 'Возврат только по болезни'],
  ['free', `Free cancellation ${'for a fee of the ticket '.repeat(30)}`],
];

function lineOf([row, text]: Labelled) {
  const refundRules = [rule({ ...ROWS[row], texts: [{ locale: 'en', text }] })];
  const at = ROWS[row]?.from === DAY_BEFORE ? Date.parse(DAY_BEFORE) : NOW;
  const booking = ticketed({
    options: [OUT],
    pricing: pricing(500_000, { fares: [fare('1', 'MED', 'JED', { refundRules })] }),
  });
  const { lines } = estimateAt(booking, booking, at);
  expect(lines, text).toHaveLength(1);
  return lines[0];
}

describe('the texts of airlines beside a refund', () => {
  const ALL = [...REPEATS, ...NOT_UNDERSTOOD, ...CONDITIONS];

  test('none is missed, of 95 that repeat a row or state a condition', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(90);
    expect(ALL.filter((each) => lineOf(each)?.conditions?.[0] !== each[1])).toEqual([]);
  });

  test('none that only says again what its row says makes a refund depend on it', () => {
    expect(REPEATS.filter((each) => lineOf(each)?.isConditional)).toEqual([]);
  });

  test('each other does: a condition, and whatever is not understood', () => {
    expect([...NOT_UNDERSTOOD, ...CONDITIONS].filter((each) => !lineOf(each)?.isConditional)).toEqual([]);
  });

  const ARABIC = { text: 'للأسباب الصحية فقط', locale: 'ar' };
  const BLANK = { text: ' ', locale: 'en' };
  test.each<[string, PenaltyRule['texts'], readonly string[]]>([
    ['in English, where there is English', [ARABIC, { text: 'Refundable', locale: 'en' }], ['Refundable']],
    ['in another language, where there is no other', [BLANK, ARABIC], [ARABIC.text]],
    ['in the first of two other languages', [ARABIC, { text: 'Erstattbar', locale: 'de' }], [ARABIC.text]],
    [
      'whole, where one language has several texts',
      [{ text: 'Refundable', locale: 'en' }, ARABIC, { text: 'For health reasons', locale: 'en-GB' }],
      ['Refundable', 'For health reasons'],
    ],
    [
      'with those whose language the airline does not name',
      [{ text: 'For health reasons' }, ARABIC, { text: 'Refundable', locale: 'EN' }],
      ['For health reasons', 'Refundable'],
    ],
    ['all, where no language of the first is known', [{ text: 'Refundable' }, ARABIC], ['Refundable', ARABIC.text]],
  ])('are quoted in one language: %s', (_, texts, expected) => {
    const refundRules: readonly PenaltyRule[] = [rule({ ...ROWS.late, texts })];
    const booking = ticketed({
      options: [OUT],
      pricing: pricing(500_000, { fares: [fare('1', 'MED', 'JED', { refundRules })] }),
    });
    const { lines } = estimateAt(booking, booking, NOW);
    expect(lines.map(({ conditions }) => conditions)).toEqual([expected]);
  });

  test('a text of the segment stands behind that of the rule', () => {
    const text = 'Refund: SAR 46.00 until 24 h before departure, not permitted until departure';
    const options = [option(segment('1', { fareRules: [{ text }] }))];
    const fares = [fare('1', 'MED', 'JED', { refundRules: [rule(ROWS.fee)] })];
    const booking = ticketed({ options, pricing: pricing(500_000, { fares }) });
    const { lines } = estimateAt(booking, { options, travelers: booking.travelers }, NOW);
    expect(lines[0]?.conditions).toEqual(['Refund with a penalty.', text]);
  });
});
