/**
 * Defines the fields of the details form, and draws it. The form shows nothing that was sent before, and works without a script. In
 * order: the fields, the pages, the cards of a form, the fields of a card.
 */

import type { Environment } from '../../approvals/answer.ts';
import { counted } from '../../core/words.ts';
import { type DetailsCard, isComplete, type KeptDetails } from '../../details/details-form.ts';
import { passengerTypeWord } from '../../domain/booking/status-codes.ts';
import { countryNames } from '../../domain/people/countries.ts';
import { deadline, seller } from '../approval/question-view.ts';
import { framed, type Html, html, icon, listSection, withArrows } from '../browser/html.ts';

/** The fields of a card in their order, with their labels and the most characters of each. The name of a date is at its day. */
export const CARD_FIELDS = {
  given_name: { label: 'Given names', most: 80 },
  middle_name: { label: 'Middle name', most: 80 },
  surname: { label: 'Surname', most: 80 },
  gender: { label: 'Gender', most: 10 },
  // A whole date can be pasted into the first field.
  birth_day: { label: 'Birth date', most: 12 },
  birth_month: { label: 'Month of birth', most: 2 },
  birth_year: { label: 'Year of birth', most: 4 },
  document_type: { label: 'Document', most: 20 },
  document_number: { label: 'Number of the document', most: 40 },
  nationality: { label: 'Nationality', most: 60 },
  expires_day: { label: 'Expires', most: 12 },
  expires_month: { label: 'Month of expiry', most: 2 },
  expires_year: { label: 'Year of expiry', most: 4 },
} as const;

export type CardField = keyof typeof CARD_FIELDS;

export const FIELDS = Object.keys(CARD_FIELDS) as readonly CardField[];

/** A card as it was typed. A blank field is an empty text. */
export type TypedCard = Readonly<Record<CardField, string>>;

export interface Mistake {
  readonly field: CardField;
  /** A sentence for the traveller, without what was typed. */
  readonly words: string;
}

/** A card that was sent and not stored: the page shows it filled in again. */
export interface RefilledCard {
  readonly typed: TypedCard;
  readonly mistakes: readonly Mistake[];
}

const BLANK_CARD = Object.fromEntries(FIELDS.map((field) => [field, ''])) as Record<CardField, string>;

/** What a card says about itself, by what it asks. */
const CARD_HINTS: Readonly<Record<DetailsCard['asks'], string | undefined>> = {
  new: undefined,
  unnamed: 'The names are needed. The rest can stay blank.',
  named: 'Fill in what changes. What stays blank is not changed.',
  details: 'Fill in what changes. What stays blank is not changed. The name stays: it only shows whose card this is.',
};

const PURPOSE = html`What you enter goes to the airline. The assistant learns the names, and neither birth dates nor documents.`;

/** What the fields of a name have in common. */
const NAME_FIELD = { capitals: 'words', isName: true } as const;

const GENDERS = [
  ['', 'Choose'],
  ['Female', 'Female (F)'],
  ['Male', 'Male (M)'],
  ['Unknown', 'Not said (X)'],
] as const;

const DOCUMENTS = [
  ['passport', 'Passport'],
  ['national_id', 'Identity card'],
] as const;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const MONTH_CHOICES = [['', 'Month'] as const, ...MONTHS.map((name, i) => [String(i + 1), name] as const)];

/** Kinds of cards without a needed field: they mark no field as optional. */
const WITHOUT_NEEDED_FIELDS: ReadonlySet<DetailsCard['asks']> = new Set(['named', 'details']);
/** The fields that a card without names needs. */
const NEEDED_OF_UNNAMED: ReadonlySet<CardField> = new Set(['given_name', 'surname']);

/** A form of more cards shows one of those that are blank open, and the others as one line each. */
const MOST_OPEN = 3;

/** The name of a field in the form. @param card from 0 */
export function inputName(field: CardField, card: number): string {
  return `${field}-${card + 1}`;
}

/** `Traveller 1, adult`. @param card from 0 */
function cardTitle({ type }: DetailsCard, card: number): string {
  return `Traveller ${card + 1}, ${passengerTypeWord(type)}`;
}

export interface FormPage {
  readonly kept: KeptDetails;
  readonly environment: Environment;
  /** Path of the page. */
  readonly path: string;
  readonly token: string;
  readonly now: number;
  /** Cards that come back filled in, by their place in the form from 0. */
  readonly refills?: ReadonlyMap<number, RefilledCard>;
  /** Shown above the form: the result of the form that was just sent. */
  readonly messages?: readonly string[];
  /** Above the cards: the field for a list of travellers. */
  readonly list?: Html | undefined;
}

/** Draws all open cards in one form, or thanks if all are done. */
export function formPage(page: FormPage): string {
  const { kept, environment, path, token, messages = [], list } = page;
  if (isComplete(kept)) return thanksPage(page);

  const mistakes = mistakesIn(page);
  const title = 'Passenger details';
  const { trip, cards } = kept.form;

  const main = html`<h1>${title}</h1>
${mistakesAbove(mistakes)}${messagesAbove(messages)}${listSection(
  'trip',
  'Trip',
  trip.map((line) => html`<li>${withArrows(line)}</li>\n`),
)}<p>${seller(kept.form)} ${PURPOSE}</p>
<p class="limit">${deadline(kept, page.now, 'send')}</p>
${doneList(kept)}<form id="details" method="post" action="${path}" aria-label="Passenger details">
<input type="hidden" name="token" value="${token}">
${list}${cards.map((card, n) => (kept.cards.has(n) ? html`` : drawCard(card, n, page)))}
</form>
${countryList()}${sendBar(kept)}`;
  const count = counted(mistakes.length, 'mistake');

  return framed({
    title: mistakes.length === 0 ? title : `${count}: ${title}`,
    environment,
    main,
    foot: html`<p>${cards.length === 1 ? undefined : 'You can send one card now, and another later. '}What you sent is not shown again.</p>`,
    look: 'details',
  });
}

/** Comes last in the page, so that it stays in sight from the top on, with how many cards are complete. */
function sendBar({ form, cards }: KeptDetails): Html {
  const total = form.cards.length;
  const count = html`<p role="status">${cards.size} of ${total} complete</p>\n`;
  return html`<div class="bar">${total === 1 ? undefined : count}<button type="submit" form="details" class="yes">Send</button></div>
`;
}

function thanksPage({ kept, environment, messages = [] }: FormPage): string {
  const title = 'Thank you';
  const main = html`<h1 class="good">${icon('good')}<span>${title}</span></h1>
<p>Everything is here. You can close this page.</p>
${messagesAbove(messages)}${doneList(kept)}`;
  return framed({ title, environment, main, look: 'outcome details' });
}

function doneList({ form, cards }: KeptDetails): Html | undefined {
  const done = form.cards.flatMap((card, n) => (cards.has(n) ? [cardTitle(card, n)] : []));
  if (done.length === 0) return undefined;
  return html`<ul role="list" aria-label="Done" class="finished">
${done.map((title) => html`<li>${icon('good')} ${title}: done</li>\n`)}</ul>
`;
}

function messagesAbove(messages: readonly string[]): Html | undefined {
  if (messages.length === 0) return undefined;
  return html`<div class="caution" role="status">${icon('caution')}<div>
${messages.map((words) => html`<p>${words}</p>\n`)}</div></div>
`;
}

/** The mistakes, each with its field to link to. */
function mistakesIn({ kept, refills = new Map<number, RefilledCard>() }: FormPage) {
  const isOnlyCard = kept.form.cards.length === 1;
  return [...refills].flatMap(([card, { mistakes }]) =>
    mistakes.map(({ field, words }) => {
      const whose = isOnlyCard ? '' : `Traveller ${card + 1}: `;
      return { id: inputName(field, card), label: `${whose}${CARD_FIELDS[field].label}`, words };
    }),
  );
}

/** The mistakes above the form. They have the focus, so that a screen reader reads them first. */
function mistakesAbove(mistakes: ReturnType<typeof mistakesIn>): Html | undefined {
  if (mistakes.length === 0) return undefined;
  return html`<div class="caution" role="alert" tabindex="-1" autofocus>${icon('caution')}<div>
<h2>Please correct ${mistakes.length === 1 ? 'this' : `these ${mistakes.length}`}</h2>
<ul role="list">
${mistakes.map(({ id, label, words }) => html`<li><a href="#${id}">${label}</a>: ${words}</li>\n`)}</ul></div></div>
`;
}

/** One card as it is drawn. */
interface CardDrawing extends RefilledCard {
  readonly asks: DetailsCard['asks'];
  /** Its place in the form, from 0. */
  readonly n: number;
}

function drawCard(card: DetailsCard, n: number, page: FormPage): Html {
  const drawing = { typed: BLANK_CARD, mistakes: [], ...page.refills?.get(n), asks: card.asks, n };
  const hint = CARD_HINTS[card.asks];

  const title = cardTitle(card, n);
  const isOnlyCard = page.kept.form.cards.length === 1;
  const fields = html`${hint === undefined ? undefined : html`<p>${hint}</p>\n`}<div class="fields">${textField('given_name', drawing, { autocomplete: 'given-name', hint: 'All given names, as in the passport', ...NAME_FIELD })}
${textField('middle_name', drawing, { autocomplete: 'additional-name', hint: 'If the passport has a field for it', ...NAME_FIELD })}
${textField('surname', drawing, { autocomplete: 'family-name', hint: 'As in the passport', ...NAME_FIELD })}
${choiceField('gender', drawing, GENDERS, 'sex')}
${dateField('birth', drawing, 'As in the passport')}
${choiceField('document_type', drawing, DOCUMENTS)}
${textField('document_number', drawing, { autocomplete: 'off', hint: 'Letters and digits', capitals: 'characters' })}
${textField('nationality', drawing, { autocomplete: 'country-name', hint: 'The country, or its letters in the passport', capitals: 'words', offersCountries: true })}
${dateField('expires', drawing, 'The last day on which the document is valid')}</div>`;
  if (isOnlyCard) return html`<fieldset class="card"><legend>${title}</legend>\n${fields}\n</fieldset>\n`;

  const takesRow = WITHOUT_NEEDED_FIELDS.has(card.asks) ? undefined : html` data-takes-row`;
  return html`<details class="card"${takesRow}${isOpen(n, page) ? html` open` : undefined}><summary>${title}</summary>
<fieldset><legend class="hidden">${title}</legend>
${fields}
</fieldset></details>
`;
}

/** Whether a card shows its fields: in a long form what was filled in, and the first one of which nothing is known. */
function isOpen(n: number, { kept, refills = new Map<number, RefilledCard>() }: FormPage): boolean {
  const open = kept.form.cards.flatMap((_, card) => (kept.cards.has(card) ? [] : [card]));
  if (open.length <= MOST_OPEN || refills.has(n)) return true;
  return refills.size === 0 && n === open[0];
}

interface TextField {
  readonly autocomplete: string;
  readonly hint: string;
  readonly capitals: 'words' | 'characters';
  /** A name may be in letters that run from right to left. */
  readonly isName?: boolean;
  /** Offers the names of countries. */
  readonly offersCountries?: boolean;
}

function textField(field: CardField, drawing: CardDrawing, about: TextField): Html {
  const { typed, n } = drawing;
  const id = inputName(field, n);
  const { autocomplete, hint, capitals, isName, offersCountries } = about;
  return html`<div class="field"><label for="${id}">${CARD_FIELDS[field].label}${optionalMark(field, drawing)}</label>
<p class="hint" id="${id}-hint">${hint}</p>${mistakeFor(field, drawing)}
<input type="text" id="${id}" name="${id}" value="${typed[field]}" maxlength="${CARD_FIELDS[field].most}" autocomplete="${autocompleteFor(autocomplete, n)}" autocapitalize="${capitals}" autocorrect="off" spellcheck="false"${isName ? html` dir="auto"` : undefined}${offersCountries ? html` list="countries"` : undefined}${descriptionAttributes(field, drawing, true)}></div>`;
}

/** Tells the browser that each traveller is another person, so that it does not fill in one name for all. */
function autocompleteFor(autocomplete: string, n: number): string {
  return autocomplete === 'off' ? autocomplete : `section-traveller${n + 1} ${autocomplete}`;
}

/** Marks a field that can stay blank. A card that needs none marks none. */
function optionalMark(field: CardField, { asks }: CardDrawing): Html | undefined {
  const isOptional = field === 'middle_name' || (asks === 'unnamed' && !NEEDED_OF_UNNAMED.has(field));
  return isOptional && !WITHOUT_NEEDED_FIELDS.has(asks) ? html` <span class="soft">(optional)</span>` : undefined;
}

/** Shows under a field what is wrong with it. */
function mistakeFor(field: CardField, { mistakes, n }: CardDrawing): Html | undefined {
  const words = mistakes.filter((mistake) => mistake.field === field).map(({ words }) => words);
  if (words.length === 0) return undefined;
  return html`
<p class="mistake" id="${inputName(field, n)}-mistake">${icon('bad')}<span>${words.join(' ')}</span></p>`;
}

/** Links an input to its hint and its mistake. @param field of the hint and the mistake; a date has them once */
function descriptionAttributes(field: CardField, { mistakes, n }: CardDrawing, hasHint: boolean): Html | undefined {
  const isWrong = mistakes.some((mistake) => mistake.field === field);
  const id = inputName(field, n);

  const ids: string[] = [];
  if (hasHint) ids.push(`${id}-hint`);
  if (isWrong) ids.push(`${id}-mistake`);
  if (ids.length === 0) return undefined;

  return html` aria-describedby="${ids.join(' ')}"${isWrong ? html` aria-invalid="true"` : undefined}`;
}

type Choices = readonly (readonly [value: string, words: string])[];

function options(choices: Choices, chosen: string): readonly Html[] {
  return choices.map(
    ([value, words]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : undefined}>${words}</option>`,
  );
}

function choiceField(field: CardField, drawing: CardDrawing, choices: Choices, autocomplete = 'off'): Html {
  const { typed, n } = drawing;
  const id = inputName(field, n);
  return html`<div class="field"><label for="${id}">${CARD_FIELDS[field].label}${optionalMark(field, drawing)}</label>${mistakeFor(field, drawing)}
<select id="${id}" name="${id}" autocomplete="${autocompleteFor(autocomplete, n)}"${descriptionAttributes(field, drawing, false)}>${options(choices, typed[field])}</select></div>`;
}

/** Draws a date as three fields, because `03/04` is two days and a date picker is slow from today to a birth. */
function dateField(which: 'birth' | 'expires', drawing: CardDrawing, hint: string): Html {
  const { typed, n } = drawing;
  const [day, month, year] = [`${which}_day`, `${which}_month`, `${which}_year`] as const;
  const autocomplete = (part: string) => (which === 'birth' ? autocompleteFor(`bday-${part}`, n) : 'off');
  const about = descriptionAttributes(day, drawing, true);

  const numberField = (field: CardField, label: string, part: string) =>
    html`<div><label for="${inputName(field, n)}">${label}</label>
<input type="text" inputmode="numeric" id="${inputName(field, n)}" name="${inputName(field, n)}" value="${typed[field]}" maxlength="${CARD_FIELDS[field].most}" autocomplete="${autocomplete(part)}"${about}></div>`;

  return html`<fieldset class="field date"><legend>${CARD_FIELDS[day].label}${optionalMark(day, drawing)}</legend>
<p class="hint" id="${inputName(day, n)}-hint">${hint}</p>${mistakeFor(day, drawing)}
<div class="parts">${numberField(day, 'Day', 'day')}<div><label for="${inputName(month, n)}">Month</label>
<select id="${inputName(month, n)}" name="${inputName(month, n)}" autocomplete="${autocomplete('month')}"${about}>${options(MONTH_CHOICES, typed[month])}</select></div>
${numberField(year, 'Year', 'year')}</div></fieldset>`;
}

/** Draws the names of countries, which a field offers to the browser. */
function countryList(): Html {
  return html`<datalist id="countries">${[...countryNames().values()].map((name) => html`<option value="${name}"></option>`)}</datalist>`;
}
