/**
 * Draws the results of tools that ask a person: the terms to decide on, or the outcome. The result's text has the terms too, word for
 * word. This card decides nothing itself.
 */
import type { AskedQuestion } from '../../../approvals/ask.ts';
import type { askingFields } from '../../../clerk/common-fields.ts';
import { own } from '../../../core/own.ts';
import type { ResultOf } from '../../../tools/definition/define.ts';
import type { ShortBookingView } from '../../../tools/views/booking-schema.ts';
import type { IssuedTicketView } from '../../../tools/views/passengers-and-tickets.ts';
import { type Child, el, foldedPart, joinPresent, list, paragraph, softParagraph, viewHead } from './dom.ts';
import { type ResultData, TITLES, type ToolResult, UNKNOWN } from './result.ts';

type AskingResult = ResultOf<typeof askingFields>;
type OpenApproval = NonNullable<AskingResult['approval']>;

export interface DecidedResult extends ResultData, Partial<Pick<AskingResult, 'approval'>> {
  /** Before the act is done, its name alone. */
  readonly booking?: ShortBookingView;
  readonly tickets?: readonly IssuedTicketView[];
  readonly changes?: readonly ActChange[];
  readonly seats?: readonly ActChange[];
}

/** A name, details or a seat that an act changed. */
interface ActChange {
  readonly was?: string;
  readonly now?: string;
  readonly details?: readonly string[];
}

/** Classes of the lists of some sections, by the kind of section; of the others `rows`. */
const BOXES: Readonly<Record<string, string>> = { caution: 'terms ends', refund: 'terms' };
const HEADINGS: Readonly<Record<string, string>> = { trip: 'Trip', people: 'Passengers', note: 'Also' };

const LAPSED = 'This has expired';
Object.assign(TITLES, {
  PRICE_CHANGED: 'The price has changed',
  OFFER_EXPIRED: LAPSED,
  APPROVAL_EXPIRED: LAPSED,
  APPROVAL_STALE: 'The terms have changed',
  APPROVAL_DECLINED: 'You declined',
  PAYMENT_DECLINED: 'The payment was refused',
  LIMIT: 'Over the spending limit',
});

/** Says where a person answers. @param url of the page on the public address */
function answerText(url: string | undefined, { way, command }: Partial<AskedQuestion>): Child[] {
  if (url) return ['Sign in and decide here: ', el('code', {}, url)];
  const run = command && el('code', {}, command.replaceAll('`', ''));
  if (way === 'page')
    return ['Decide on the page that has opened in your browser.', run && [' Or run this on the server: ', run]];
  if (run) return ['Run this on the server: ', run];
  return ['Tell the assistant in the conversation whether you agree, or answer in its dialog.'];
}

/** `Laila Haddad → Layla Haddad`, or which details. */
const changeText = ({ was, now, details = [] }: ActChange): string =>
  joinPresent([was, now ?? details.join(', ')], ' → ');

/** A section of the terms, as the page draws it. */
function termsSection({ kind, lines }: AskedQuestion['sections'][number]): Child {
  if (kind === 'computed') return foldedPart('How this was computed', list('soft', lines));
  const heading = own(HEADINGS, kind);
  return [heading ? el('h2', {}, heading) : '', list(own(BOXES, kind) ?? 'rows', lines)];
}

/** The terms in the order of the result: who travels and who sells stand below the act. */
function termsAndGist(sections: AskedQuestion['sections'], gist: readonly string[]): Child[] {
  const [first] = sections;
  return sections.map(termsSection).toSpliced(first?.kind === 'act' ? 1 : 0, 0, gist.map(softParagraph));
}

function openQuestion(
  data: DecidedResult,
  { terms = [], expires_at, url }: OpenApproval,
  asked: Partial<AskedQuestion>,
): Child[] {
  const { kind, act, gist = [], sections, askedBy, closing = [] } = asked;
  const until = expires_at && new Date(expires_at).toLocaleTimeString('en-GB', { timeStyle: 'short' });
  return [
    viewHead('Your decision is needed', data, 'Nothing was sent yet.'),
    paragraph(kind, 'kind'),
    paragraph(act && String(act), 'big'),
    sections ? termsAndGist(sections, gist) : list('terms', terms),
    el('h2', {}, 'How to answer'),
    el('p', {}, answerText(url, asked)),
    softParagraph([until && `The question expires at ${until} on your clock. `, closing.join(' ')]),
    softParagraph([askedBy && `${askedBy} `, 'This card cannot approve anything.']),
  ];
}

function doneCard(data: DecidedResult, title: string): Child[] {
  const { booking, summary, changes = [], seats = [], tickets = [], warnings = [] } = data;
  const repeatedWords = data.status === 'already_done' ? 'This was done before. Nothing was sent again.' : '';
  return [
    viewHead('Done', data, booking && `Booking ${booking.locator}`),
    paragraph(title, 'big'),
    paragraph(repeatedWords),
    paragraph(summary),
    list('', [...changes, ...seats].map(changeText)),
    list(
      'rows',
      tickets.map((ticket) => [el('b', {}, ticket.passenger_name), ` ticket ${ticket.number}`]),
    ),
    list('badge', warnings),
  ];
}

/** Draws a question or an outcome. Undefined for a result that is neither. */
export function questionOrOutcome(data: DecidedResult, { _meta: meta = {} }: ToolResult): Child {
  const { status, approval, booking, summary, warnings = [] } = data;
  const asked = meta['io.github.fareclerk/question'] ?? {};
  if (status === 'approval_required' && approval) return openQuestion(data, approval, asked);
  if (status === 'done' || status === 'already_done') return doneCard(data, meta['io.github.fareclerk/title'] ?? '');
  const bookingName = booking && `Booking ${booking.locator}`;
  if (status === 'pending') {
    return [
      viewHead(UNKNOWN, data, bookingName),
      paragraph('Do not book or pay again: nothing is sent twice.'),
      paragraph('Ask the assistant in a minute.'),
    ];
  }
  if (status !== 'needs_person') return undefined;
  return [viewHead('Needs checking with the airline', data, bookingName), paragraph(summary), list('', warnings)];
}
