/** Draws and reads the part of the details page where people paste a list of travellers and say what its columns hold. */
import { createHash } from 'node:crypto';
import Papa from 'papaparse';
import { cleanText } from '../../core/clean-text.ts';
import { own } from '../../core/own.ts';
import { counted } from '../../core/words.ts';
import { type Html, html } from '../approval-page/html.ts';
import { type LinkedMistake, mistakeUnder, options } from './form.ts';
import {
  type ChosenKinds,
  COLUMN_KINDS,
  type ColumnMistake,
  isFilled,
  type ListColumn,
  type ListColumnKind,
  MOST_SIGNS,
  type PastedList,
} from './list.ts';
import { genderIn } from './list-words.ts';

/** How many values of a column are shown. */
const MOST_EXAMPLES = 4;

/** Kinds of dates for a column whose values do not show the order of day and month: a person chooses it. */
const ORDERED: ReadonlySet<string> = new Set(['birth_dmy', 'birth_mdy', 'expires_dmy', 'expires_mdy']);

/** Kinds of dates for a column whose values show the order. */
const UNORDERED: ReadonlySet<string> = new Set(['birth', 'expires']);

/** A list as a form sent it. */
export interface SentList {
  readonly text: string;
  /** Whether it is the text whose columns the page showed. */
  readonly isAsShown: boolean;
  readonly chosen: ChosenKinds;
  readonly hasHeadings: boolean;
}

/** Reads the list that a form sent. */
export function sentList(fields: URLSearchParams): SentList {
  // Forms send lines as CR LF, a file may begin with a byte order mark, and a page shows no control characters.
  const text = (fields.get('list') ?? '')
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF/, '')
    .replace(/[^\P{Cc}\t\n]/gu, '');
  const chosen = [...fields].flatMap(([name, value]) => {
    const [, column] = /^column-([1-9]\d{0,2})$/.exec(name) ?? [];
    return column === undefined ? [] : [[Number(column) - 1, kindNamed(value)] as const];
  });
  return {
    text: text.trim() === '' ? '' : text,
    chosen: new Map(chosen),
    isAsShown: fields.get('shown') === hashText(text),
    hasHeadings: fields.get('headings') === 'yes',
  };
}

function kindNamed(value: string): ListColumnKind | undefined {
  return own(COLUMN_KINDS, value) === undefined ? undefined : (value as ListColumnKind);
}

const hashText = (text: string) => createHash('sha256').update(text).digest('base64url');

/** The field of the list on a page. */
export interface ListField {
  readonly text: string;
  /** How many cards its rows can fill. */
  readonly open: number;
  /** The mistake in the text itself, if there is one. */
  readonly problem?: string;
  readonly read?: ShownColumns | undefined;
}

/** The columns of a list, for a person to confirm. */
interface ShownColumns {
  readonly list: PastedList;
  readonly chosen: ChosenKinds;
  readonly hasHeadings: boolean;
  readonly mistakes: readonly ColumnMistake[];
  /** Whether the cards are for travellers of several kinds. */
  readonly isMixed: boolean;
}

export function drawnList(field: ListField): { readonly drawn: Html; readonly mistakes: readonly LinkedMistake[] } {
  const { read, problem } = field;
  const mistakes = [
    ...(problem === undefined ? [] : [{ id: 'list', label: 'The list', words: problem }]),
    ...(read?.mistakes ?? []).map(({ column, words }) => ({
      ...{ id: `column-${(column ?? read?.list.columns[0]?.place ?? 0) + 1}`, words },
      label: column === undefined ? 'The list' : `Column ${column + 1}`,
    })),
  ];
  return { drawn: html`${pasteField(field)}${read && columnsShown(read, field)}`, mistakes };
}

/** Writes the rows that were not taken as text for the list's field, under its headings. */
export function leftText(list: PastedList, numbers: ReadonlySet<number>, hasHeadings: boolean): string {
  if (numbers.size === 0) return '';
  const first = list.rows.findIndex(isFilled);
  const rows = list.rows.filter((_, n) => numbers.has(n + 1) || (hasHeadings && n === first));
  return Papa.unparse(rows as string[][], { delimiter: list.delimiter, newline: '\n' });
}

/** Draws the rows that got no card when every card is done: the person can copy them, and sends none. */
export function leftRows(text: string): ReturnType<typeof drawnList> {
  const drawn = html`<div class="field"><label for="list">Rows that were not taken</label>
<textarea id="list" rows="4" dir="auto" readonly>
${text}</textarea></div>
`;
  return { drawn, mistakes: [] };
}

function pasteField({ text, open, problem, read }: ListField): Html {
  const isOpen = text !== '' && read === undefined;
  const mistake = problem === undefined ? undefined : mistakeUnder('list', [problem]);
  return html`<details class="field"${isOpen ? html` open` : undefined}><summary>${read === undefined ? 'Paste a list of the travellers instead' : 'Change the list'}</summary>
<label for="list">List of the travellers</label>
<p class="hint" id="list-hint">Copy the rows from a spreadsheet, or the text of a CSV file. Given names and surname stand in two columns, or in one as SURNAME/GIVEN. The first row may hold headings. ${counted(open, 'card')} can be filled from it.</p>${mistake}
<textarea id="list" name="list" rows="8" maxlength="${MOST_SIGNS}" dir="auto" autocomplete="off" autocorrect="off" spellcheck="false" aria-describedby="list-hint${mistake && html` list-mistake`}"${mistake && html` aria-invalid="true"`}>
${text}</textarea>
<div class="field" data-list-file hidden><label for="list-file">Or choose a CSV file</label>
<p class="hint" id="list-file-hint" role="status">It is read into the field above, and not sent.</p>
<input type="file" id="list-file" accept=".csv,.tsv,.txt,text/csv" aria-describedby="list-file-hint"></div>
<button type="submit" name="action" value="list" formnovalidate>Read this list</button></details>
`;
}

function columnsShown({ list, chosen, hasHeadings, mistakes, isMixed }: ShownColumns, { text, open }: ListField): Html {
  const [rows, columns] = [list.rows.filter(isFilled).length, list.columns.length];
  const travellers = rows - (hasHeadings ? 1 : 0);
  const hints = [
    travellers > open
      ? `The list has ${counted(travellers, 'row')}, and ${counted(open, 'card')} can be filled: ${counted(travellers - open, 'row')} will not be taken.`
      : '',
    isMixed
      ? 'Adults, children and infants get their cards by a column that says so, or by their birth dates; without both, rows fill the cards in order.'
      : '',
  ].filter((words) => words !== '');
  return html`<fieldset class="card"><legend>What each column holds</legend>
<p class="filled" role="status" tabindex="-1"${mistakes.length === 0 ? html` autofocus` : undefined}><strong>${counted(travellers, 'row')}, ${counted(columns, 'column')}.</strong> Check what each column holds, then take the rows. Rows that are right are kept at once; the others come back as cards to correct.</p>
${hints.map((words) => html`<p>${words}</p>\n`)}${list.columns.map((column) => columnField(column, { chosen, mistakes, hasHeadings }))}
<label class="tick"><input type="checkbox" name="headings" value="yes"${hasHeadings ? html` checked` : undefined}><span>The first row holds headings, and no traveller</span></label>
<input type="hidden" name="shown" value="${hashText(text)}">
<button type="submit" name="action" value="rows" class="yes" formnovalidate>Take these rows</button></fieldset>
`;
}

function columnField(
  column: ListColumn,
  { chosen, mistakes, hasHeadings }: Pick<ShownColumns, 'chosen' | 'mistakes' | 'hasHeadings'>,
): Html {
  const { place, heading, values, order } = column;
  const id = `column-${place + 1}`;
  const columnWords = mistakes.filter((mistake) => mistake.column === place).map(({ words }) => words);
  const kinds = Object.entries(COLUMN_KINDS).filter(([kind]) => !(order === 'unclear' ? UNORDERED : ORDERED).has(kind));
  // A letter means another gender in another language: the person sees what it is read as.
  const isGender = chosen.get(place) === 'gender';
  const examples = isGender ? [...new Set(values)] : values;
  const read = (value: string) => (isGender ? `${value} = ${genderIn(value, values) ?? '?'}` : value);
  const shown = examples.slice(0, MOST_EXAMPLES).map((value) => html`<bdi>${cleanText(read(value), 40)}</bdi>`);
  const more = examples.length > MOST_EXAMPLES ? ', …' : '';
  const title = hasHeadings && heading !== undefined ? html`: <bdi>${cleanText(heading, 60)}</bdi>` : undefined;
  return html`<div class="field"><label for="${id}">Column ${place + 1}${title}</label>
<p class="hint" id="${id}-hint">${shown.map((value, n) => (n === 0 ? value : html`, ${value}`))}${more}</p>${mistakeUnder(id, columnWords)}
<select id="${id}" name="${id}" autocomplete="off" aria-describedby="${id}-hint${columnWords.length === 0 ? undefined : html` ${id}-mistake`}"${columnWords.length === 0 ? undefined : html` aria-invalid="true"`}>${options([['', 'Choose'], ...kinds], chosen.get(place) ?? '')}</select></div>
`;
}
