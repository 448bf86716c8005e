/** Edits of a text: a few places change, every other byte stays. */

/** A part of the text, and what takes its place. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

/** @param edits parts that do not overlap. Of two at one place the later one comes first */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.offset - a.offset)
    .reduce((changed, { offset, length, content }) => {
      return changed.slice(0, offset) + content + changed.slice(offset + length);
    }, text);
}

/** The end of a line, as this text has it. */
export const lineEnd = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
