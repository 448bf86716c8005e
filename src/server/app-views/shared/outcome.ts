/** Results without data to draw: errors, approvals and outcomes. */
import { type Child, el, facts, head, list, when } from './dom.ts';
import type { Data, ToolResult } from './result.ts';

const TITLES: Readonly<Record<string, string>> = {
  approval_required: 'Your decision is needed',
  pending: 'Outcome not known yet',
  needs_person: 'A person must check',
  done: 'Done',
  already_done: 'Done before',
};

/** Where a person answers, as the result's own text says; the card itself cannot. */
function howToAnswer({ approval, operation_id: id }: Data, text: string): Child[] {
  if (approval?.url) return ['Open this address, sign in and decide there:', el('code', {}, approval.url)];
  if (text.includes('`fareclerk approve ')) {
    return ['Run this in a terminal on the machine of the server:', el('code', {}, `fareclerk approve ${id}`)];
  }
  if (text.includes('A page has opened')) return ['Decide on the page that has opened in your browser.'];
  return ['Tell the assistant in the conversation whether you agree, or answer in its dialog.'];
}

function approvalTerms(data: Data, { terms, expires_at }: NonNullable<Data['approval']>, text: string): Child[] {
  return [
    head(TITLES.approval_required ?? '', data, 'Nothing was sent. These are the terms:'),
    list('terms', terms),
    el('h2', {}, 'How to answer'),
    el('p', {}, ...howToAnswer(data, text).flatMap((part) => [part, ' '])),
    el('p', { class: 'soft' }, `The question lapses ${when(expires_at)}. This card cannot approve anything.`),
  ];
}

/** The result's own text, where there is nothing better to draw. */
export function told({ structuredContent: data = {}, content = [], isError }: ToolResult): Child[] {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  if (data.status === 'approval_required' && data.approval) return approvalTerms(data, data.approval, text);
  const { error } = data;
  if (error) {
    const title = error.effect === 'unknown' ? (TITLES.pending ?? '') : 'Not done';
    return [head(title, data), el('p', {}, error.message), facts([['Next', error.next]])];
  }
  return [head(TITLES[data.status ?? ''] ?? (isError ? 'Error' : 'Result'), data), el('pre', {}, text)];
}
