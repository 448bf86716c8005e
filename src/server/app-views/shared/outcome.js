/**
 * Results that are no data: errors, and acts that wait for a person or are not known yet.
 */
import { el, facts, head, list, when } from './dom.js';

const TITLES = {
  approval_required: 'Your decision is needed',
  pending: 'Outcome not known yet',
  needs_person: 'A person must check',
  done: 'Done',
  already_done: 'Done before',
};

/** Where a person answers, as the result's own text tells the model. The card itself cannot. */
function howToAnswer({ approval, operation_id: id }, text) {
  if (approval.url) return ['Open this address, sign in and decide there:', el('code', {}, approval.url)];
  if (text.includes('`fareclerk approve ')) {
    return ['Run this in a terminal on the machine of the server:', el('code', {}, `fareclerk approve ${id}`)];
  }
  if (text.includes('A page has opened')) return ['Decide on the page that has opened in your browser.'];
  return ['Tell the assistant in the conversation whether you agree, or answer in its dialog.'];
}

export function approvalTerms(data, text) {
  const { approval } = data;
  return [
    head(TITLES.approval_required, data, 'Nothing was sent. These are the terms:'),
    list('terms', approval.terms),
    el('h2', {}, 'How to answer'),
    el('p', {}, ...howToAnswer(data, text).flatMap((part) => [part, ' '])),
    el('p', { class: 'soft' }, `The question lapses ${when(approval.expires_at)}. This card cannot approve anything.`),
  ];
}

/** What the text for reading says, where there is nothing better. */
export function told({ structuredContent: data = {}, content = [], isError }) {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  if (data.status === 'approval_required' && data.approval) return approvalTerms(data, text);
  const { error } = data;
  if (error) {
    const title = error.effect === 'unknown' ? TITLES.pending : 'Not done';
    return [head(title, data), el('p', {}, error.message), facts([['Next', error.next]])];
  }
  return [head(TITLES[data.status] ?? (isError ? 'Error' : 'Result'), data), el('pre', {}, text)];
}
