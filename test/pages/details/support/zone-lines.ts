/** Lines of passports and identity cards, as an office writes them (ICAO Doc 9303, parts 3 to 6). */

/** Weights 7, 3, 1 over digits, letters from A = 10, and fillers (part 3, section 4.9). */
export function checkDigit(text: string): string {
  const values = [...text].map((sign) => (sign === '<' ? 0 : Number.parseInt(sign, 36)));
  return String(values.reduce((sum, value, i) => sum + value * ([7, 3, 1][i % 3] ?? 0), 0) % 10);
}

const checked = (text: string) => text + checkDigit(text);

interface Holder {
  readonly code?: string;
  readonly state?: string;
  readonly names?: string;
  readonly number?: string;
  readonly nationality?: string;
  /** YYMMDD. */
  readonly born?: string;
  readonly sex?: string;
  readonly expires?: string;
  readonly personal?: string;
}

const filled = (text: string, width: number) => text.padEnd(width, '<').slice(0, width);

const HOLDER = {
  ...{ code: 'P', state: 'SAU', names: 'ALHADDAD<<AMAL<FATIMA', number: 'L898902C3', nationality: 'SAU' },
  ...{ born: '500327', sex: 'F', expires: '360415', personal: '' },
};

export function passportLines(over: Holder = {}): [string, string] {
  const { code, state, names, number, nationality, born, sex, expires, personal } = { ...HOLDER, ...over };
  const [first, birth, expiry] = [checked(filled(number, 9)), checked(born), checked(expires)];
  const last = personal === '' ? `${filled('', 14)}<` : checked(filled(personal, 14));
  const data = `${first}${filled(nationality, 3)}${birth}${sex}${expiry}${last}`;
  return [
    filled(`${filled(code, 2)}${filled(state, 3)}${names}`, 44),
    data + checkDigit(`${first}${birth}${expiry}${last}`),
  ];
}

/** Of a card with two lines of 36. */
export function largeCardLines(over: Holder = {}): [string, string] {
  const { code, state, names, number, nationality, born, sex, expires, personal } = { ...HOLDER, code: 'I', ...over };
  const [first, birth, expiry] = [checked(filled(number, 9)), checked(born), checked(expires)];
  const last = filled(personal, 7);
  const data = `${first}${filled(nationality, 3)}${birth}${sex}${expiry}${last}`;
  return [
    filled(`${filled(code, 2)}${filled(state, 3)}${names}`, 36),
    data + checkDigit(`${first}${birth}${expiry}${last}`),
  ];
}

/** Of a card with three lines of 30. */
export function smallCardLines(over: Holder = {}): [string, string, string] {
  const { code, state, names, number, nationality, born, sex, expires, personal } = { ...HOLDER, code: 'I', ...over };
  // A longer number goes on in the optional part, with its check digit behind it (part 5, section 4.2.2).
  const long = `${number.slice(0, 9)}<${number.slice(9)}${checkDigit(number)}`;
  const upper = filled(number.length > 9 ? long : checked(filled(number, 9)), 25);
  const [birth, expiry] = [checked(born), checked(expires)];
  const last = filled(personal, 11);
  return [
    `${filled(code, 2)}${filled(state, 3)}${upper}`,
    `${birth}${sex}${expiry}${filled(nationality, 3)}${last}${checkDigit(`${upper}${birth}${expiry}${last}`)}`,
    filled(names, 30),
  ];
}
