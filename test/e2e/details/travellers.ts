/** Nine travellers whose numbers, birth dates and days of expiry are canaries, and where one of them is seen. */

import { needlesOf } from '../../support/repeated-details.ts';

/** Fields of the details page, for one card. */
export type Typed = Readonly<Record<string, string>>;

interface Secret {
  readonly name: string;
  readonly born?: string;
  readonly number?: string;
  readonly expires?: string;
}

const inYears = (years: number, month: number, day: number) => {
  const year = new Date().getUTCFullYear() + years;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
};

/** Further apart than a recording writes days of expiry: what it writes for one is never the true day of another. */
const expiring = (nth: number) => {
  const first = Date.UTC(new Date().getUTCFullYear() + 4, 0, 19);
  return new Date(first + nth * 205 * 86_400_000).toISOString().slice(0, 10);
};

const LETTERS = 'ABCDEFGHI';
const TYPES = ['ADT', 'ADT', 'ADT', 'ADT', 'ADT', 'ADT', 'CHD', 'CHD', 'INF'] as const;
const AGES = { ADT: -40, CHD: -7, INF: -1 } as const;

export const PARTY = { adults: 6, children: 2, infants: 1 };

/** An infant is under two on every day of the year, a child is seven. The recording writes no birth date after the 28th. */
export const NINE: readonly Secret[] = TYPES.map((type, i) => ({
  name: `traveller ${i + 1}`,
  born: inYears(AGES[type] - (type === 'ADT' ? i : 0), i === 1 ? 12 : i + 1, 29 + (i % 2)),
  number: `CNQ83${i}02719K`,
  expires: expiring(i),
}));

/** What a passenger gets later, through the page. */
export const LATER: Secret = {
  name: 'another',
  born: inYears(-52, 10, 29),
  number: 'ZNQ7719402W',
  expires: expiring(TYPES.length),
};

export function cardFor(secret: Secret, i: number): Typed {
  const [bornYear = '', bornMonth = '', bornDay = ''] = secret.born?.split('-') ?? [];
  const [endYear = '', endMonth = '', endDay = ''] = secret.expires?.split('-') ?? [];
  return {
    ...{
      given_name: `Nour${LETTERS[i]?.toLowerCase()}`,
      surname: `Kanaris${LETTERS[i]?.toLowerCase()}`,
      gender: 'Female',
    },
    ...changedCard({ bornYear, bornMonth, bornDay, endYear, endMonth, endDay, number: secret.number ?? '' }),
  };
}

function changedCard(
  of: Record<'bornYear' | 'bornMonth' | 'bornDay' | 'endYear' | 'endMonth' | 'endDay' | 'number', string>,
) {
  return {
    ...{ birth_day: of.bornDay, birth_month: String(Number(of.bornMonth)), birth_year: of.bornYear },
    ...{ document_type: 'passport', document_number: of.number.toLowerCase(), nationality: 'Saudi Arabia' },
    ...{ expires_day: of.endDay, expires_month: String(Number(of.endMonth)), expires_year: of.endYear },
  };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function datesWritten(date: string): readonly string[] {
  const [y = '', m = '', d = ''] = date.split('-');
  const name = MONTHS[Number(m) - 1];
  return [
    ...[date, `${y}${m}${d}`, `${d}/${m}/${y}`, `${m}/${d}/${y}`, `${d}.${m}.${y}`, `${d}-${m}-${y}`],
    ...[`${d}${name}${y}`, `${d}${name}${y.slice(2)}`, `${d} ${name} ${y}`, `${Number(d)} ${name} ${y}`],
    String(Date.parse(`${date}T00:00:00Z`) / 1000),
  ];
}

function encoded(text: string): readonly string[] {
  const stems = [0, 1, 2].map((skip) => {
    const whole = Buffer.from(`${'x'.repeat(skip)}${text}`)
      .toString('base64')
      .replace(/=+$/, '');
    return whole.slice([0, 2, 3][skip], -1);
  });
  return [...stems, Buffer.from(text).toString('hex')];
}

function numbersWritten(number: string): readonly string[] {
  const spaced = number.replace(/(.{3})(?=.)/g, '$1 ');
  return [number, spaced, spaced.replaceAll(' ', '-'), ...encoded(number), ...encoded(number.toLowerCase())];
}

const NEEDLES = new Map(
  [...NINE, LATER].flatMap(({ name, born = '', number = '', expires = '' }) => [
    ...datesWritten(born).map((text) => [text.toLowerCase(), `birth date of ${name}`] as const),
    ...datesWritten(expires).map((text) => [text.toLowerCase(), `expiry of ${name}`] as const),
    ...needlesOf({ birth_date: born, number, expires }).map((text) => [text, `detail of ${name}`] as const),
    ...[...numbersWritten(number), ...encoded(born), ...encoded(expires)].map(
      (text) => [text.toLowerCase(), `number of ${name}`] as const,
    ),
  ]),
);

/** What each begins with: a text without any of these, which is nearly every one, holds no secret. */
const BEGINNINGS = new RegExp(
  [...new Set([...NEEDLES.keys()].map((needle) => needle.slice(0, 4)))]
    .map((text) => text.replace(/[^\w ]/g, '\\$&'))
    .join('|'),
);

/** What of them a text holds, with what stands around it. */
export function secretsIn(text: string): readonly string[] {
  const lower = text.toLowerCase();
  if (!BEGINNINGS.test(lower)) return [];
  return [...NEEDLES].flatMap(([needle, what]) => {
    const at = lower.indexOf(needle);
    return at < 0 ? [] : [`${what} as ${needle}: ${JSON.stringify(text.slice(Math.max(0, at - 100), at + 60))}`];
  });
}
