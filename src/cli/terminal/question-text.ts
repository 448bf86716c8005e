/** Writes a question for a terminal, as wide as its window: the act and its terms, who asks, and until when. */

import { styleText } from 'node:util';
import type { Approval } from '../../approvals/approval.ts';
import { actSentence } from '../../approvals/asked-act.ts';
import { answerBy, timeLeft } from '../../approvals/expiry.ts';
import { questionDocument } from '../../approvals/question-document.ts';
import type { SectionKind } from '../../approvals/terms.ts';
import { labelledRows, windowWidth } from './window.ts';

type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>;

/** The most columns of a text: longer lines are hard to read, however wide the window is. */
const WIDEST = 100;
/** Columns of a text that does not go to a window. */
const DEFAULT_WIDTH = 80;
/** The fewest columns behind an indent, however narrow the window is. */
const NARROWEST = 20;

/** What the lines of a section begin with; the others are indented by two. */
const HEADS: Readonly<Partial<Record<SectionKind, string>>> = { caution: '! ', computed: '    ' };
const BOLD: ReadonlySet<SectionKind> = new Set(['caution', 'refund']);

/** Replaces control characters, because a terminal would obey them. */
export function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}

export function questionWidth(screen: Screen): number {
  return Math.min(windowWidth(screen) ?? DEFAULT_WIDTH, WIDEST);
}

/** Wraps text into lines. The first begins with `head`, and the others are indented as much. */
export function wrapped(text: string, width: number, head = ''): readonly string[] {
  return labelledRows([[head, printable(text)]], Math.max(NARROWEST + head.length, width - 1), head.length);
}

/** Writes all that the page shows, the act first and the arithmetic last. @param now milliseconds since 1970 */
export function questionText(approval: Approval, screen: Screen, now: number): string {
  const { kind, act, more, gist, sections, askedBy, closing } = questionDocument(approval, {});
  const width = questionWidth(screen);
  const bold = (text: string): string => styleText('bold', text, { stream: screen as NodeJS.WriteStream });
  const indented = (lines: readonly string[]) => lines.flatMap((line) => wrapped(line, width, '  '));

  const lines = [
    '',
    bold(kind.toUpperCase()),
    ...wrapped(String(act), width).map(bold),
    ...indented([...more, ...gist]),
    ...sections.flatMap((section) => {
      const text = section.lines.flatMap((line) => wrapped(line, width, HEADS[section.kind] ?? '  '));
      if (section.kind === 'computed') return ['  How this was computed:', ...text];
      return BOLD.has(section.kind) ? text.map(bold) : text;
    }),
    '',
    ...indented([askedBy, `${timeLeft(approval.expiresAt - now)}: answer by ${answerBy(approval)}.`, ...closing]),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

/** `Pay SAR 1,423.00? Type ACPVAH for yes, no for no: `. Repeats the act: its line above may have scrolled away. */
export function askingLine({ act, locator }: Pick<Approval, 'act' | 'locator'>, screen: Screen): string {
  const prompt = locator === undefined ? 'Type yes or no:' : `Type ${printable(locator)} to approve, no to decline:`;
  return `${wrapped(`${actSentence(act)}? ${prompt}`, questionWidth(screen)).join('\n')} `;
}
