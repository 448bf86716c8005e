/**
 * Declares the results of tools as far as views read them, and draws those that have no data to draw: in words for people, without codes
 * or names of tools.
 */
import type { AfterStatus } from '../../../approvals/answer.ts';
import type { AskedQuestion } from '../../../approvals/channels.ts';
import type { commonFields } from '../../../clerk/common-fields.ts';
import { own } from '../../../core/own.ts';
import type { ResultOf } from '../../../tools/definition/define.ts';
import type { ViewFacts } from '../ui.ts';
import { type Child, paragraph, viewHead } from './dom.ts';

/** What every structured result may have. */
export interface ResultData extends Partial<ResultOf<typeof commonFields>> {
  readonly status?: AfterStatus;
}

export interface ToolResult<D = ResultData> {
  readonly structuredContent?: D;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
  readonly _meta?: {
    readonly 'io.github.fareclerk/view'?: ViewFacts;
    readonly 'io.github.fareclerk/question'?: AskedQuestion;
    /** What was done, in a few words: `Paid SAR 1,423.00`. */
    readonly 'io.github.fareclerk/title'?: string;
  };
}

export const UNKNOWN = 'The outcome is not known yet';

/** Titles of failures, by their code. */
const TITLES: Readonly<Record<string, string>> = {
  E_NO_AVAILABILITY: 'Nothing found',
  E_SOLD_OUT: 'Sold out',
  E_NOT_FOUND: 'Not found',
  E_NOT_PAID: 'Possible once it is paid',
  E_TOO_LATE: 'Too late',
};

function failureCard(data: ResultData, { code = '', effect, message }: NonNullable<ResultData['error']>): Child {
  if (effect === 'unknown') {
    return [viewHead(UNKNOWN, data), paragraph(message), paragraph('Do not try again: the assistant can find out.')];
  }

  const title = code.startsWith('E_AIRLINE') ? 'The airline does not answer' : (own(TITLES, code) ?? 'Not done');
  return [
    viewHead(title, data),
    // What is wrong with an input is for the assistant, which wrote it.
    paragraph(code === 'E_INPUT' ? '' : message),
    paragraph('Nothing was changed. Ask the assistant how to go on.'),
  ];
}

/** Draws a failure, or else the result's own text, where there is nothing better to draw. */
export function outcomeText({ structuredContent: data = {}, content = [], isError }: ToolResult): Child {
  if (data.error) return failureCard(data, data.error);
  const text = content.map((part) => part.text ?? '').join('\n');
  return [viewHead(isError ? 'Not done' : 'Result', data), paragraph(text.replace(/^\[(?:sandbox|rehearsal)\] /, ''))];
}
