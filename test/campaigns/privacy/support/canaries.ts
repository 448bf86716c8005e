/**
 * The canaries: values that are recognised wherever they turn up, however they are written.
 */

/** Tokens, handles and page secrets are known when they are made. */
export type CanaryName = keyof typeof PLANTED | 'access token' | 'refresh token' | 'approval handle' | 'page secret';

/** Luhn-valid, of a range that is issued to nobody. */
export const CARD = '4929381332664295';

export const PLANTED = {
  'api key': 'cnry-ak-8fQz2LmT7w',
  'client secret': 'cnry-cs-4rTy9KpX1v',
  password: 'cnry-pw-6hNb3GdS5u',
  'database password': 'cnry-db-2jVc8WqE0m',
  'document number': 'CNX8302719',
  'e-mail': 'cnry.amal@mail.example',
  phone: '550192837',
  'given name': 'Cnrygiven',
  surname: 'Cnrysurname',
  'contact given name': 'Cnrycontact',
  'contact surname': 'Cnryfamily',
  'birth date': '1983-07-19',
  'card number': CARD,
  'holder name': 'Cnryholder Vault',
  'service code': 'DPNA',
  'service text': 'Cnryramp please',
  'customer key': 'CNRYKEY-5521',
  reason: 'Cnryreason in the family',
} as const;

const OTHER_WRITINGS: Partial<Record<CanaryName, readonly string[]>> = {
  // The part before the sign is the person.
  'e-mail': ['cnry.amal'],
  'birth date': [
    ...['19830719', '1983-7-19', '19/07/1983', '07/19/1983', '19.07.1983', '19 jul 1983', '19jul83', '427420800'],
  ],
  'card number': [CARD.replace(/(.{4})(?=.)/g, '$1 '), CARD.replace(/(.{4})(?=.)/g, '$1-')],
  'holder name': ['cnryholder'],
  'service code': ['developmental disability'],
  'service text': ['cnryramp'],
  reason: ['cnryreason'],
};

/** A text of so few letters is found as a word of its own: chance makes it within tokens and digests. */
const SHORT = 4;

function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const encoded = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')];
  // The last characters of base64 hang on what follows, unless it is a word of its own.
  const last = value.length > SHORT ? -1 : undefined;
  const stems = encoded.slice(0, 2).map((text) => text.replace(/=+$/, '').slice(0, last));
  return [value, encodeURIComponent(value), ...stems, encoded[2] ?? value].map((text) => text.toLowerCase());
}

export class Canaries {
  readonly #needles = new Map<string, CanaryName>();
  readonly #words = new Map<string, CanaryName>();

  constructor() {
    for (const [name, value] of Object.entries(PLANTED)) this.add(name as CanaryName, value);
  }

  add(name: CanaryName, value: string): void {
    for (const each of [value, ...(OTHER_WRITINGS[name] ?? [])]) {
      for (const form of formsOf(each)) {
        if (each.length > SHORT) this.#needles.set(form, name);
        else this.#words.set(form, name);
      }
    }
  }

  /** Which of them a text holds, and where the first of each is. */
  foundIn(text: string): ReadonlyMap<CanaryName, number> {
    const lower = text.toLowerCase();
    const found = new Map<CanaryName, number>();
    for (const [needle, name] of this.#needles) {
      if (found.has(name)) continue;
      const at = lower.indexOf(needle);
      if (at >= 0) found.set(name, at);
    }
    for (const [word, name] of this.#words) {
      const at = found.has(name) ? -1 : lower.search(new RegExp(`(?<![a-z0-9])${word}(?![a-z0-9])`));
      if (at >= 0) found.set(name, at);
    }
    return found;
  }
}
