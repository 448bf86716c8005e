/**
 * The card of a tool that asks a person: the question, drawn from its document, or what became of it. The result's text says the same. The
 * card only shows; it cannot act.
 */
import type { AskedQuestion } from '../../../approvals/channels.ts';
import type { askingFields } from '../../../clerk/common-fields.ts';
import { own } from '../../../core/own.ts';
import type { ResultOf } from '../../../tools/definition/define.ts';
import { startView } from '../shared/bridge.ts';
import { type Child, el, foldedPart, list, paragraph, viewHead } from '../shared/dom.ts';
import { type ResultData, UNKNOWN } from '../shared/result.ts';

type OpenApproval = NonNullable<ResultOf<typeof askingFields>['approval']>;

interface AskingResult extends ResultData {
  readonly approval?: OpenApproval;
  readonly booking?: { readonly locator: string };
}

/** Classes of the lists of some sections, by the kind of section; of the others `rows`. */
const BOXES: Readonly<Record<string, string>> = { caution: 'terms ends', refund: 'terms' };
const HEADINGS: Readonly<Record<string, string>> = { trip: 'Trip', people: 'Passengers', note: 'Also' };

/** What became of a question, by the result's status: its title, and what a person should know besides. */
const OUTCOMES: Readonly<Record<string, readonly [title: string, note: string]>> = {
  done: ['Done', ''],
  already_done: ['Done', 'This was done before. Nothing was sent again.'],
  pending: [UNKNOWN, 'Do not book or pay again: nothing is sent twice. Ask the assistant in a minute.'],
  needs_person: ['Needs checking with the airline', ''],
};

/** Says where a person answers. @param url of the page on the public address */
function answerText(url: string | undefined, { way, command }: Partial<AskedQuestion>): Child {
  if (url) return ['Sign in and decide here: ', el('code', {}, url)];
  const run = command && el('code', {}, command.replaceAll('`', ''));
  if (way === 'page')
    return ['Decide on the page that has opened in your browser.', run && [' Or run this on the server: ', run]];
  if (run) return ['Run this on the server: ', run];
  return 'Tell the assistant in the conversation whether you agree, or answer in its dialog.';
}

/** A section of the terms, as the page draws it. */
function termsSection({ kind, lines }: AskedQuestion['sections'][number]): Child {
  if (kind === 'computed') return foldedPart('How this was computed', list('soft', lines));
  const heading = own(HEADINGS, kind);
  return [heading && el('h2', {}, heading), list(own(BOXES, kind) ?? 'rows', lines)];
}

/** @param asked empty if the host keeps from its views what is for them: then the terms alone are shown */
function drawQuestion(
  data: AskingResult,
  { terms = [], expires_at, url }: OpenApproval,
  asked: Partial<AskedQuestion>,
): Child {
  const { kind, act, gist = [], sections = [{ kind: 'act', lines: terms }], askedBy, closing = [] } = asked;
  // Who travels and who sells stand below the act.
  const ofAct = sections[0]?.kind === 'act' ? 1 : 0;
  const until = expires_at && new Date(expires_at).toLocaleTimeString('en-GB', { timeStyle: 'short' });

  return [
    viewHead('Your decision is needed', data, 'Nothing was sent yet.'),
    paragraph(kind),
    paragraph(act && String(act), 'big'),
    sections.slice(0, ofAct).map(termsSection),
    gist.map((line) => paragraph(line, 'soft')),
    sections.slice(ofAct).map(termsSection),
    el('h2', {}, 'How to answer'),
    paragraph(answerText(url, asked)),
    paragraph([until && `The question expires at ${until} on your clock. `, closing.join(' ')], 'soft'),
    paragraph([askedBy && `${askedBy} `, 'This card cannot approve anything.'], 'soft'),
  ];
}

startView<AskingResult>((data, _input, { _meta: meta = {} }) => {
  const { status, approval, booking, summary, warnings = [] } = data;
  if (status === 'approval_required' && approval) {
    return drawQuestion(data, approval, meta['io.github.fareclerk/question'] ?? {});
  }

  const outcome = own(OUTCOMES, status);
  if (!outcome) return undefined;

  const [title, note] = outcome;
  return [
    viewHead(title, data, booking && `Booking ${booking.locator}`),
    paragraph(meta['io.github.fareclerk/title'], 'big'),
    paragraph(note),
    paragraph(summary),
    list('badge', warnings),
  ];
});
