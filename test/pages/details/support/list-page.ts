/** Lists of travellers for the details page, as spreadsheets copy them and as their rows are typed on cards. */
import type { Page } from '../../approval/support/page-client.ts';
import { day, type Fields } from './details-desk.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');

/** Fields of the cards as the page shows them, those that are not blank. */
export function cardFields({ body }: Page): Fields {
  const inputs = [...body.matchAll(/<input type="text"[^>]* name="([\w-]+)" value="([^"]*)"/g)];
  const selects = [...body.matchAll(/<select id="([a-z_]+-\d+)" name="[\s\S]*?<\/select>/g)];
  const chosen = selects.map(([all, id = '']) => [id, /value="(\w*)" selected/.exec(all)?.[1] ?? ''] as const);
  const typed = inputs.map(([, name = '', value = '']) => [name, unescaped(value)] as const);
  return Object.fromEntries(
    [...typed, ...chosen].filter(([name, value]) => value !== '' && !/^document_type/.test(name)),
  );
}

/** A row for each of so many travellers, in the order of {@link HEADINGS}. @param from the number of the first */
export function people(count: number, from = 1): string[][] {
  return Array.from({ length: count }, (_, i) => {
    const n = i + from;
    return [
      ...[`Haddad ${letters(n)}`, `Layla ${letters(n)}`, n % 2 === 0 ? 'Male' : 'Female'],
      `${1940 + (n % 60)}-05-${String((n % 28) + 1).padStart(2, '0')}`,
      ...[`K${7_000_000 + n}`, 'Saudi Arabia', day(30, 5)],
    ];
  });
}

/** `A`, `B`, …, `AA`: names have no digits. */
function letters(n: number): string {
  return n <= 26 ? String.fromCharCode(64 + n) : letters(Math.floor((n - 1) / 26)) + letters(((n - 1) % 26) + 1);
}

export const HEADINGS = [
  ...['Surname', 'Given names', 'Gender', 'Birth date', 'Number of the document', 'Nationality', 'Expires'],
];
const FIELDS = ['surname', 'given_name', 'gender', 'birth_day', 'document_number', 'nationality', 'expires_day'];

/** As spreadsheets copy cells. */
export const pasted = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join('\t')).join('\n');

/** Rows of {@link people} on cards, the first on card 1. */
export function onCards(rows: readonly (readonly string[])[]): Fields {
  const fields = rows.flatMap((row, card) => FIELDS.map((field, n) => [`${field}-${card + 1}`, row[n] ?? ''] as const));
  return Object.fromEntries(fields);
}
