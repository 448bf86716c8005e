/**
 * Declares the results of tools as far as views read them, and draws those that have no data to draw: in words for people, without codes
 * or names of tools.
 */
import type { AfterStatus } from '../../../approvals/answer.ts';
import type { AskedQuestion } from '../../../approvals/ask.ts';
import type { commonFields } from '../../../clerk/common-fields.ts';
import type { ResultOf } from '../../../tools/definition/define.ts';
import type { NextLimit } from '../../../tools/views/booking-data.ts';
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
    /** Of a booking: the nearest of its limits that is still ahead. */
    readonly 'io.github.fareclerk/next_limit'?: NextLimit;
  };
}

/** Titles of failures, by their code without its `E_`. Views of tools that ask add theirs (question.ts). */
export const TITLES: Record<string, string> = {
  NO_AVAILABILITY: 'Nothing found',
  SOLD_OUT: 'Sold out',
  NOT_FOUND: 'Not found',
  NOT_PAID: 'Possible once it is paid',
  TOO_LATE: 'Too late',
  AIRLINE: 'The airline does not answer',
};

export const UNKNOWN = 'The outcome is not known yet';

function failureCard(data: ResultData, { code = '', effect, message }: NonNullable<ResultData['error']>): Child[] {
  const unknown = effect === 'unknown';
  return [
    viewHead(unknown ? UNKNOWN : (TITLES[code.slice(2).replace(/^(AIRLINE).*/, '$1')] ?? 'Not done'), data),
    // What is wrong with an input is for the assistant, which wrote it.
    paragraph(code === 'E_INPUT' ? '' : message),
    paragraph(
      unknown
        ? 'Do not try again: the assistant can find out.'
        : 'Nothing was changed. Ask the assistant how to go on.',
    ),
  ];
}

const resultText = ({ content = [] }: ToolResult): string =>
  content
    .flatMap((part) => (part.type === 'text' && part.text ? [part.text] : []))
    .join('\n')
    .replace(/^\[(?:sandbox|rehearsal)\] /, '');

/** Draws a failure, or else the result's own text, where there is nothing better to draw. */
export function outcomeText(result: ToolResult): Child[] {
  const { structuredContent: data = {}, isError } = result;
  if (data.error) return failureCard(data, data.error);
  return [viewHead(isError ? 'Not done' : 'Result', data), paragraph(resultText(result))];
}
