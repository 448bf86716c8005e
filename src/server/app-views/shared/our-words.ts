/**
 * What a view says in the conversation. It stands there in the person's name, so it is made of our own words and of values that
 * cannot be words: offers, locators, pointers and seats with a number, amounts, days and times. Nothing else that an airline
 * wrote gets in.
 */
export interface OurWords {
  readonly text: string;
}

const VALUES: readonly RegExp[] = [
  // An offer, of ours.
  /^o[a-z0-9]{7,8}$/,
  // A locator.
  /^[A-Z0-9]{5,8}$/,
  // A pointer or a seat, with its coach: `1`, `T12`, `12C`, `001-31`.
  /^(?:[A-Za-z0-9]{1,6}-)?[A-Za-z]{0,3}\d{1,6}[A-Za-z]?$/,
  // An amount.
  /^[A-Z]{3} -?[\d,]+(?:\.\d{1,4})?$/,
  // A day, with or without its time.
  /^[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2}(?: \d{4})?(?: \d{2}:\d{2})?$/,
];

const isPlain = (value: string): boolean => VALUES.some((form) => form.test(value));

/** Writes a message: `ours\`I choose offer ${id}\``. A value that could be words is left out. */
export function ours(words: TemplateStringsArray, ...values: readonly (string | OurWords)[]): OurWords {
  const shown = values.map((value) => {
    if (typeof value !== 'string') return value.text;
    return isPlain(value) ? value : 'as shown';
  });
  return { text: String.raw({ raw: words }, ...shown) };
}

export function joined(all: readonly OurWords[], between: string): OurWords {
  return { text: all.map(({ text }) => text).join(between) };
}
