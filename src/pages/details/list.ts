/**
 * Lets people paste a table of travellers from a spreadsheet into the cards of the details page. The browser fills in the cards, as if
 * somebody typed them; the form is then sent and checked like any other, and the table itself is not sent.
 */
import { listed } from '../../core/words.ts';
import type { KeptDetails } from '../../details/details-form.ts';
import { type Html, html } from '../browser/html.ts';
import { CARD_FIELDS, type CardField } from './form.ts';

/** The columns that are read, by the label of their field on a card. A date goes into the field of its day, which takes a whole date. */
const COLUMNS = [
  'surname',
  'given_name',
  'middle_name',
  'gender',
  'birth_day',
  'document_type',
  'document_number',
  'nationality',
  'expires_day',
] as const satisfies readonly CardField[];

const HEADINGS = listed(COLUMNS.map((field) => CARD_FIELDS[field].label));

/**
 * Draws the field for a table, which browser/pasted-list.js shows and reads. Undefined if it would save no typing: one card needs a name at most.
 */
export function listField({ form, cards }: KeptDetails): Html | undefined {
  const open = form.cards.filter(({ asks }, place) => (asks === 'new' || asks === 'unnamed') && !cards.has(place));
  if (open.length <= 1) return undefined;

  const columns = JSON.stringify(COLUMNS.map((field) => ({ field, heading: CARD_FIELDS[field].label })));
  return html`<details class="field list" data-columns="${columns}" hidden><summary>Paste a list of the travellers instead</summary>
<label for="list">List of the travellers</label>
<p class="hint" id="list-hint">Copy the rows from a spreadsheet, with headings in the first row: ${HEADINGS}, in any order. Write dates as 1980-12-31. The rows fill the blank cards in their order.</p>
<textarea id="list" rows="8" dir="auto" autocomplete="off" autocorrect="off" spellcheck="false" aria-describedby="list-hint list-result"></textarea>
<p id="list-result" role="status"></p>
<button type="button">Fill in the cards</button></details>
`;
}
