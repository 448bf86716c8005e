/** Lists of travellers on the details page, as a browser has them in its form. */
import type { Page } from '../../approval/support/page-client.ts';
import { day, type Fields, type visit } from './details-desk.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');

/** What a browser would send of the list: its text, its columns and their mark. */
export function listFields({ body }: Page): Fields {
  const text = /<textarea id="list"[^>]*>\n([\s\S]*?)<\/textarea>/.exec(body)?.[1] ?? '';
  const shown = /name="shown" value="([^"]*)"/.exec(body)?.[1];
  const selects = [...body.matchAll(/<select id="(column-\d+)"[\s\S]*?<\/select>/g)];
  const chosen = selects.map(([all, id = '']) => [id, /value="(\w*)" selected/.exec(all)?.[1] ?? '']);
  return {
    list: unescaped(text),
    ...(shown !== undefined && { shown }),
    ...(/name="headings" value="yes" checked/.test(body) && { headings: 'yes' }),
    ...Object.fromEntries(chosen),
  };
}

/** What the columns of a page are shown to be, without those that are none. */
export function columnsIn(page: Page): Fields {
  return Object.fromEntries(Object.entries(listFields(page)).filter(([name]) => name.startsWith('column-')));
}

/** Fields of the cards as the page shows them, those that are not blank. */
export function cardFields({ body }: Page): Fields {
  const inputs = [...body.matchAll(/<input type="text"[^>]* name="([\w-]+)" value="([^"]*)"/g)];
  const selects = [...body.matchAll(/<select id="([a-z_]+-\d+)" name="(?!column)[\s\S]*?<\/select>/g)];
  const chosen = selects.map(([all, id = '']) => [id, /value="(\w*)" selected/.exec(all)?.[1] ?? ''] as const);
  const typed = inputs.map(([, name = '', value = '']) => [name, unescaped(value)] as const);
  return Object.fromEntries(
    [...typed, ...chosen].filter(([name, value]) => value !== '' && !/^document_type/.test(name)),
  );
}

type Visitor = Awaited<ReturnType<typeof visit>>;

/** Pastes a list, and takes its rows as the page recognised them, or as `over` says. */
export async function sendList(traveller: Visitor, text: string, over: Fields = {}): Promise<readonly [Page, Page]> {
  const read = await traveller.send({ list: text, action: 'list' });
  return [read, await traveller.send({ ...listFields(read), ...over, action: 'rows' })];
}

/** A row for each of so many travellers. @param from the number of the first */
export function people(count: number, over: (n: number) => readonly string[] = () => [], from = 1): string[][] {
  return Array.from({ length: count }, (_, i) => {
    const n = i + from;
    const row = [
      `Haddad ${letters(n)}`,
      `Layla ${letters(n)}`,
      n % 2 === 0 ? 'M' : 'F',
      `${1940 + (n % 60)}-05-${(n % 28) + 1}`,
    ];
    return [...row, `K${7_000_000 + n}`, 'Saudi Arabia', day(30, 5), ...over(n)];
  });
}

/** `A`, `B`, …, `AA`: names have no digits. */
function letters(n: number): string {
  return n <= 26 ? String.fromCharCode(64 + n) : letters(Math.floor((n - 1) / 26)) + letters(((n - 1) % 26) + 1);
}

export const HEADINGS = ['Surname', 'Given names', 'Sex', 'Date of birth', 'Passport no', 'Nationality', 'Expiry date'];

/** As spreadsheets copy cells. */
export const pasted = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join('\t')).join('\n');
