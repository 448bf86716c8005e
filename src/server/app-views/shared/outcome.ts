/** Errors, and results without data to draw, in words for people: no codes and no names of tools. */
import { type Child, head, para } from './dom.ts';
import type { ResultData, ToolResult } from './result.ts';

/** By code without its `E_`. Views of tools that ask add theirs. */
export const TITLES: Record<string, string> = {
  NO_AVAILABILITY: 'Nothing found',
  SOLD_OUT: 'Sold out',
  NOT_FOUND: 'Not found',
  NOT_PAID: 'Possible once it is paid',
  TOO_LATE: 'Too late',
  AIRLINE: 'The airline does not answer',
};

export const UNKNOWN = 'The outcome is not known yet';

function failed(data: ResultData, { code = '', effect, message }: NonNullable<ResultData['error']>): Child[] {
  const unknown = effect === 'unknown';
  return [
    head(unknown ? UNKNOWN : (TITLES[code.slice(2).replace(/^(AIRLINE).*/, '$1')] ?? 'Not done'), data),
    // What is wrong with an input is for the assistant, which wrote it.
    para(code === 'E_INPUT' ? '' : message),
    para(
      unknown
        ? 'Do not try again: the assistant can find out.'
        : 'Nothing was changed. Ask the assistant how to go on.',
    ),
  ];
}

const textOf = ({ content = [] }: ToolResult): string =>
  content
    .flatMap((part) => (part.type === 'text' && part.text ? [part.text] : []))
    .join('\n')
    .replace(/^\[(?:sandbox|rehearsal)\] /, '');

/** The result's own text, where there is nothing better to draw. */
export function outcomeText(result: ToolResult): Child[] {
  const { structuredContent: data = {}, isError } = result;
  if (data.error) return failed(data, data.error);
  return [head(isError ? 'Not done' : 'Result', data), para(textOf(result))];
}
