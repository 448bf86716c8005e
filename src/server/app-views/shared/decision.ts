/** What tools that ask answer: terms to decide on, and outcomes. The terms are in the result's text too, word for word. */
import { type Child, el, head, join, list, para, soft } from './dom.ts';
import { plain, TITLES, textOf, UNKNOWN } from './outcome.ts';
import type { ResultData, ToolResult } from './result.ts';
import { money, upper } from './words.ts';

export interface DecidedResult extends ResultData {
  readonly operation_id?: string;
  readonly approval?: { readonly url?: string; readonly terms: readonly string[]; readonly expires_at: string };
  readonly booking?: {
    readonly locator: string;
    readonly total?: string;
    readonly currency?: string;
    readonly changed?: readonly string[];
  };
  readonly tickets?: readonly { readonly number: string; readonly passenger_name: string }[];
  readonly refund?: { readonly currency: string; readonly stated?: { readonly amount: string } };
  readonly warnings?: readonly string[];
}

const LAPSED = 'This has lapsed';
Object.assign(TITLES, {
  PRICE_CHANGED: 'The price has changed',
  OFFER_EXPIRED: LAPSED,
  APPROVAL_EXPIRED: LAPSED,
  APPROVAL_STALE: 'The terms have changed',
  APPROVAL_DECLINED: 'The answer was no',
  PAYMENT_DECLINED: 'The payment was refused',
  LIMIT: 'Over the spending limit',
});

/** `SAR 641.00` in a line of terms. */
const AMOUNT = /\b[A-Z]{3} [\d,]+(?:\.\d+)?/;

/** `SAR 539.00 comes back until …`: what a cancellation returns. */
const RETURNED = /^([A-Z]{3} [\d,]+(?:\.\d+)?|Nothing) comes back/m;

/** Where a person answers, as the result's own text says; the card itself cannot. */
function howToAnswer({ approval }: DecidedResult, text: string): Child[] {
  if (approval?.url) return ['Sign in and decide here: ', el('code', {}, approval.url)];
  // The last line is ours: the terms, with words of the airline, come before it.
  const [, command] = /A person must run `([^`\n]+)`[^\n]*$/.exec(text) ?? [];
  if (command !== undefined) return ['Run this on the server: ', el('code', {}, command)];
  if (text.includes('A page has opened')) return ['Decide on the page that has opened in your browser.'];
  return ['Tell the assistant in the conversation whether you agree, or answer in its dialog.'];
}

function question(
  data: DecidedResult,
  { terms, expires_at }: NonNullable<DecidedResult['approval']>,
  text: string,
): Child[] {
  const [act = ''] = terms;
  const ends = /^(?:Cancel|Release)/.test(act);
  const back = ends && RETURNED.exec(terms.join('\n'))?.[1];
  const until = new Date(expires_at).toLocaleTimeString('en-GB', { timeStyle: 'short' });
  const verb = /^\w+/.exec(act)?.[0] ?? '';
  return [
    head('Your decision is needed', data, 'Nothing was sent yet.'),
    para(back ? `${verb}: ${back} back` : join([verb, AMOUNT.exec(act)?.[0]], ' '), 'big'),
    list(ends ? 'terms ends' : 'terms', terms),
    el('h2', {}, 'How to answer'),
    el('p', {}, howToAnswer(data, text)),
    soft(`The question lapses at ${until} on your clock. This card cannot approve anything.`),
  ];
}

function done(data: DecidedResult): Child[] {
  const { booking, tickets = [], refund, warnings = [], approval } = data;
  const paid = tickets.length > 0 && AMOUNT.exec(approval?.terms[0] ?? '')?.[0];
  const back = refund?.stated && money(refund.currency, refund.stated.amount);
  const again = data.status === 'already_done' ? 'This was done before. Nothing was sent again.' : '';
  return [
    head('Done', data, booking && `Booking ${booking.locator}`),
    para((paid && `${paid} paid`) || (back && `${back} back`) || '', 'big'),
    para(again),
    list('', (booking?.changed ?? []).map(upper)),
    list(
      'rows',
      tickets.map((ticket) => [el('b', {}, ticket.passenger_name), ` ticket ${ticket.number}`]),
    ),
    list('badge', warnings.map(plain)),
  ];
}

/** Undefined for a result that is neither a question nor an outcome. */
export function decision(data: DecidedResult, result: ToolResult): Child {
  const { status, approval, booking } = data;
  const text = textOf(result);
  if (status === 'approval_required' && approval) return question(data, approval, text);
  if (status === 'done' || status === 'already_done') return done(data);
  const of = booking && `Booking ${booking.locator}`;
  if (status === 'pending') {
    return [
      head(UNKNOWN, data, of),
      para('Do not book or pay again: nothing is sent twice.'),
      para('Ask the assistant in half a minute.'),
    ];
  }
  if (status !== 'needs_person') return undefined;
  return [
    head('A person must check', data, of),
    para('It is not certain what was done. Nothing more is sent.'),
    para(plain(text.split('\n')[1] ?? '')),
  ];
}
