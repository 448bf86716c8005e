/**
 * Reads and draws the part of the details page where people paste a list of travellers and say what its columns hold. In order: the
 * list that a form sent, its columns, and what the page shows of it.
 */

import { createHash } from 'node:crypto';
import Papa from 'papaparse';
import { cleanText } from '../../core/clean-text.ts';
import { own } from '../../core/own.ts';
import { MOST_CHARACTERS } from '../../core/text-limits.ts';
import { counted } from '../../core/words.ts';
import { isComplete, type KeptDetails } from '../../details/details-form.ts';
import { type Html, html } from '../approval/html.ts';
import { BUTTONS, type LinkedMistake, mistakeUnder, options, type RefilledCard } from './form.ts';
import {
  areMixed,
  type ChosenKinds,
  type ColumnMistake,
  isFilled,
  type ListColumn,
  type OpenPlace,
  type PastedList,
  readList,
} from './list.ts';
import { COLUMN_KINDS, genderIn, type ListColumnKind } from './list-words.ts';

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

/** A list that a page shows again, because it was not taken, or some of its rows. */
export interface RefilledList {
  readonly text: string;
  /** The mistake in the text itself, if there is one. */
  readonly problem?: string;
  /** Its columns, for a person to confirm. Absent: the page shows the text alone. */
  readonly columns?: ShownColumns;
}

interface ShownColumns {
  readonly list: PastedList;
  readonly chosen: ChosenKinds;
  readonly hasHeadings: boolean;
  readonly mistakes: readonly ColumnMistake[];
  /** Whether the cards are for travellers of several kinds. */
  readonly isMixed: boolean;
}

/** Reads the columns of a list. Takes the person's choices for them only if these columns were shown. */
export function readColumns(
  { text, isAsShown, ...sent }: SentList,
  open: readonly OpenPlace[],
  latestToday: string,
): RefilledList {
  const reading = readList(text, latestToday);
  if (!reading.ok) return { text, problem: reading.words };
  const { list } = reading;
  const recognised = {
    chosen: new Map(list.columns.map(({ place, kind }) => [place, kind])),
    hasHeadings: list.hasHeadings,
  };
  const { chosen, hasHeadings } = isAsShown ? sent : recognised;
  return { text, columns: { list, chosen, hasHeadings, mistakes: [], isMixed: areMixed(open) } };
}

/** Fills the field of a list that was not taken again. If its columns were shown, the person's choices stay. */
export function refilledList(
  sent: SentList,
  open: readonly OpenPlace[],
  latestToday: string,
): RefilledList | undefined {
  if (sent.text === '') return undefined;
  return sent.isAsShown ? readColumns(sent, open, latestToday) : { text: sent.text };
}

/** The blank cards that a list can fill. A card that has a name already is not filled: its row could be anybody's. */
export function openPlaces(
  { form, cards }: KeptDetails,
  refills: ReadonlyMap<number, RefilledCard>,
): readonly OpenPlace[] {
  return form.cards.flatMap(({ type, asks }, place) => {
    const isUnnamed = asks === 'new' || asks === 'unnamed';
    return isUnnamed && !cards.has(place) && !refills.has(place) ? [{ place, type }] : [];
  });
}

/** A part of the page, and the mistakes in it. */
interface DrawnPart {
  readonly drawn: Html;
  readonly mistakes: readonly LinkedMistake[];
}

/**
 * Draws what a page shows of a list: its field, or the rows without a card once every card is done. Undefined if a list would save no
 * typing: one card is open at most, and no list was sent.
 */
export function listPart(
  kept: KeptDetails,
  refills: ReadonlyMap<number, RefilledCard>,
  list: RefilledList | undefined,
): DrawnPart | undefined {
  const open = openPlaces(kept, refills).length;
  if (list === undefined && open <= 1) return undefined;
  const shownList = list ?? { text: '' };
  return isComplete(kept) ? drawnLeftRows(shownList.text) : drawnList(shownList, open);
}

/** Draws the field for a list, and below it the columns of the list that it holds. @param open how many cards its rows can fill */
function drawnList(list: RefilledList, open: number): DrawnPart {
  const { text, problem, columns } = list;
  const mistakes = [
    ...(problem === undefined ? [] : [{ id: 'list', label: 'The list', words: problem }]),
    ...(columns === undefined ? [] : columns.mistakes.map((mistake) => linkedMistake(mistake, columns.list))),
  ];
  return { drawn: html`${pasteField(list, open)}${columns && columnFields(columns, text, open)}`, mistakes };
}

/** Links a mistake to its column. A column that is missing has no field, so the first one gets the link. */
function linkedMistake({ column, words }: ColumnMistake, list: PastedList): LinkedMistake {
  const place = column ?? list.columns[0]?.place ?? 0;
  return { id: `column-${place + 1}`, words, label: column === undefined ? 'The list' : `Column ${column + 1}` };
}

/** Writes the rows that were not taken as text for the list's field, under its headings. */
export function leftText(list: PastedList, numbers: ReadonlySet<number>, hasHeadings: boolean): string {
  if (numbers.size === 0) return '';
  const first = list.rows.findIndex(isFilled);
  const rows = list.rows.filter((_, n) => numbers.has(n + 1) || (hasHeadings && n === first));
  return Papa.unparse(rows as string[][], { delimiter: list.delimiter, newline: '\n' });
}

/** Draws the rows that got no card when every card is done: the person can copy them, and sends none. */
function drawnLeftRows(text: string): DrawnPart {
  const drawn = html`<div class="field"><label for="list">Rows that were not taken</label>
<textarea id="list" rows="4" dir="auto" readonly>
${text}</textarea></div>
`;
  return { drawn, mistakes: [] };
}

function pasteField({ text, problem, columns }: RefilledList, open: number): Html {
  const isOpen = text !== '' && columns === undefined;
  const mistake = problem === undefined ? undefined : mistakeUnder('list', [problem]);
  return html`<details class="field list"${isOpen ? html` open` : undefined}><summary>${columns === undefined ? 'Paste a list of the travellers instead' : 'Change the list'}</summary>
<label for="list">List of the travellers</label>
<p class="hint" id="list-hint">Copy the rows from a spreadsheet, or the text of a CSV file. Given names and surname stand in two columns, or in one as SURNAME/GIVEN. The first row may hold headings. ${counted(open, 'card')} can be filled from it.</p>${mistake}
<textarea id="list" name="list" rows="8" maxlength="${MOST_CHARACTERS.pastedList}" dir="auto" autocomplete="off" autocorrect="off" spellcheck="false" aria-describedby="list-hint${mistake && html` list-mistake`}"${mistake && html` aria-invalid="true"`}>
${text}</textarea>
<div class="field" data-list-file hidden><label for="list-file">Or choose a CSV file</label>
<p class="hint" id="list-file-hint" role="status">It is read into the field above, and not sent.</p>
<input type="file" id="list-file" accept=".csv,.tsv,.txt,text/csv" aria-describedby="list-file-hint"></div>
<button type="submit" name="action" value="${BUTTONS.readList}" formnovalidate>Read this list</button></details>
`;
}

function columnFields(shown: ShownColumns, text: string, open: number): Html {
  const { list, hasHeadings, mistakes, isMixed } = shown;
  const filledRows = list.rows.filter(isFilled).length;
  const travellers = filledRows - (hasHeadings ? 1 : 0);
  const hints = [
    travellers > open
      ? `The list has ${counted(travellers, 'row')}, and ${counted(open, 'card')} can be filled: ${counted(travellers - open, 'row')} will not be taken.`
      : '',
    isMixed
      ? 'Adults, children and infants get their cards by a column that says so, or by their birth dates; without both, rows fill the cards in order.'
      : '',
  ].filter((words) => words !== '');
  return html`<fieldset class="card"><legend>What each column holds</legend>
<p class="filled" role="status" tabindex="-1"${mistakes.length === 0 ? html` autofocus` : undefined}><strong>${counted(travellers, 'row')}, ${counted(list.columns.length, 'column')}.</strong> Check what each column holds, then take the rows. Rows that are right are kept at once; the others come back as cards to correct.</p>
${hints.map((words) => html`<p>${words}</p>\n`)}${list.columns.map((column) => columnField(column, shown))}
<label class="tick"><input type="checkbox" name="headings" value="yes"${hasHeadings ? html` checked` : undefined}><span>The first row holds headings, and no traveller</span></label>
<input type="hidden" name="shown" value="${hashText(text)}">
<button type="submit" name="action" value="${BUTTONS.takeRows}" class="yes" formnovalidate>Take these rows</button></fieldset>
`;
}

function columnField(column: ListColumn, { chosen, mistakes, hasHeadings }: ShownColumns): Html {
  const { place, heading, values, order } = column;
  const id = `column-${place + 1}`;
  const columnWords = mistakes.filter((mistake) => mistake.column === place).map(({ words }) => words);
  const kinds = Object.entries(COLUMN_KINDS).filter(([kind]) => !(order === 'unclear' ? UNORDERED : ORDERED).has(kind));
  // A letter means another gender in another language: the person sees what it is read as.
  const isGender = chosen.get(place) === 'gender';
  const examples = isGender ? [...new Set(values)] : values;
  const exampleText = (value: string) => (isGender ? `${value} = ${genderIn(value, values) ?? '?'}` : value);
  const drawnExamples = examples
    .slice(0, MOST_EXAMPLES)
    .map((value) => html`<bdi>${cleanText(exampleText(value), 40)}</bdi>`);
  const more = examples.length > MOST_EXAMPLES ? ', …' : '';
  const title = hasHeadings && heading !== undefined ? html`: <bdi>${cleanText(heading, 60)}</bdi>` : undefined;
  return html`<div class="field"><label for="${id}">Column ${place + 1}${title}</label>
<p class="hint" id="${id}-hint">${drawnExamples.map((value, n) => (n === 0 ? value : html`, ${value}`))}${more}</p>${mistakeUnder(id, columnWords)}
<select id="${id}" name="${id}" autocomplete="off" aria-describedby="${id}-hint${columnWords.length === 0 ? undefined : html` ${id}-mistake`}"${columnWords.length === 0 ? undefined : html` aria-invalid="true"`}>${options([['', 'Choose'], ...kinds], chosen.get(place) ?? '')}</select></div>
`;
}
