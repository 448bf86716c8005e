/**
 * The end of a payment number in a remark, by which customers name a card: `credit card ••••7334 (visa)`. A voucher and a gift card are
 * worth their number, so that nothing of it is shown.
 */

const HIDDEN_PART = '••••';
/** Numbers from this length on show four digits, shorter ones two. */
const LONG = 12;

/** Words that a payment number stands beside. */
const OF_PAYMENT = /\b(?:cards?|credit|debit|account|acct|iban|fop|cc(?:vi|ca|mc|ax|dc|jc)?)(?![\p{L}])/iu;
/** Names of card networks. A visa is a travel document too, whose number is shorter. */
const OF_NETWORK =
  /\b(?:visa|mastercard|maestro|amex|american express|mada|diners|discover|jcb|unionpay|vi|mc|ax)(?![\p{L}])/iu;
/** Words of vouchers and of credit that is one, and of numbers of people. */
const OF_OTHERS =
  /\b(?:e?vouchers?|gift|coupons?|certificate|promo|redeem|(?:store|travel|flight) credit|credit (?:note|shell)|id|identity|national|residen(?:ce|t)|iqama|passport|loyalty|members?(?:hip)?|frequent|boarding|sim|call|phone|telephone|tel|mob(?:ile)?|born|dob)(?![\p{L}])/iu;

/** What ends the words that are about a number: another one, or a clause. `no.` ends none. */
const END_OF_WORDS = /[\p{N},;|\n]|(?<!\b(?:no|nr|num))\. /iu;
/** How many characters of them are read on each side. */
const MOST_CHARS = 80;

/**
 * What is shown of a run of digits in a text. Undefined unless the words beside it say that it pays: those since the number before it,
 * and those until the next one, of the same clause.
 */
export function paymentNumberEnd(run: string, at: number, text: string): string | undefined {
  if (run.startsWith('+')) return undefined;
  const end = at + run.length;

  const before = text
    .slice(Math.max(0, at - MOST_CHARS), at)
    .split(END_OF_WORDS)
    .at(-1);
  const [after] = text.slice(end, end + MOST_CHARS).split(END_OF_WORDS);
  const words = `${before}#${after}`;

  const groups = run.split(/[ -]/u);
  const digits = groups.join('');
  const isLong = digits.length >= LONG;
  const pays = OF_PAYMENT.test(words) || (isLong && OF_NETWORK.test(words));
  if (!pays || OF_OTHERS.test(words) || (isLong && !isOneNumber(groups))) return undefined;

  return `${HIDDEN_PART}${digits.slice(isLong ? -4 : -2)}`;
}

/** Whether groups of digits are one number, as cards write it: an expiry date may follow it. */
function isOneNumber(groups: readonly string[]): boolean {
  const lengths = groups.map(({ length }) => length).join();
  return groups.length === 1 || lengths === '4,4,4,4' || lengths === '4,6,5';
}
