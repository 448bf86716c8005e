/** A question in a terminal: the act and the amount, what it is about, who asks, and until when. Fits the window. */
import { styleText } from 'node:util';
import { answerBy, personName, programName, timeLeft } from '../../approvals/asker-names.ts';
import type { Approval } from '../../approvals/ports.ts';
import { linesIn, type SectionKind } from '../../approvals/terms.ts';
import { ASKED_BY_ITSELF, lineOfPlan } from '../../plans/plan-words.ts';
import { windowWidth, wrap } from './window.ts';

type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>;
export type TypedQuestion = Pick<
  Approval,
  'sections' | 'act' | 'locator' | 'nature' | 'caller' | 'expiresAt' | 'near' | 'client' | 'part'
>;

/** Longer lines are hard to read, however wide the window is. */
const WIDEST = 100;
const DEFAULT = 80;

/** Replaces control characters, because a terminal would obey them. */
export function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}

export function questionWidth(screen: Screen): number {
  return Math.min(windowWidth(screen) ?? DEFAULT, WIDEST);
}

/** Wraps behind `head`; further lines are indented as much. */
export function wrapped(text: string, width: number, head = ''): readonly string[] {
  const lines = wrap(printable(text), Math.max(20, width - head.length - 1));
  return lines.map((line, i) => (i === 0 ? head : ' '.repeat(head.length)) + line);
}

const HEADS: Readonly<Partial<Record<SectionKind, string>>> = { caution: '! ', computed: '    ' };

/** All that the page shows, the act first and the arithmetic last. */
export function questionText(question: TypedQuestion, screen: Screen, now: number): string {
  const { act, sections, nature } = question;
  const width = questionWidth(screen);
  const bold = (text: string): string => styleText('bold', text, { stream: screen as NodeJS.WriteStream });
  const written = (kind: SectionKind) =>
    linesIn(sections, kind).flatMap((line) => wrapped(line, width, HEADS[kind] ?? '  '));
  const ofPlan = lineOfPlan(question);
  const computed = written('computed');
  const lines = [
    '',
    ...(nature === 'cancellation' ? [bold('CANNOT BE UNDONE')] : []),
    ...wrapped(act, width).map(bold),
    ...(ofPlan === undefined ? [] : wrapped(`${ofPlan}${ASKED_BY_ITSELF}`, width, '  ')),
    ...written('act'),
    ...written('caution').map(bold),
    ...written('refund').map(bold),
    ...(['trip', 'people', 'note'] as const).flatMap(written),
    ...(computed.length === 0 ? [] : ['  How this was computed:', ...computed]),
    '',
    ...whoAndWhen(question, width, now),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

/** Who asks, and until when. */
export function whoAndWhen(question: TypedQuestion, width: number, now: number): readonly string[] {
  return [
    ...wrapped(`Asked by ${programName(question)} for ${personName(question)}.`, width, '  '),
    ...wrapped(`${timeLeft(question.expiresAt - now)}: answer by ${answerBy(question)}.`, width, '  '),
  ];
}

/** `Pay SAR 1,423.00? Type ACPVAH for yes, no for no: `: nobody answers a line that scrolled away. */
export function askingLine({ act, locator }: Pick<TypedQuestion, 'act' | 'locator'>, screen: Screen): string {
  const prompt = locator === undefined ? 'Type yes or no:' : `Type ${printable(locator)} for yes, no for no:`;
  return `${wrapped(`${act}? ${prompt}`, questionWidth(screen)).join('\n')} `;
}
