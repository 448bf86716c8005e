/**
 * What a question said and the airline's reading before the send left out. Nodes of an airline can differ, and must block nobody: the next
 * question says what was missing, and its yes counts with that and without it. Whoever was told a name, a sum or a flight must be told
 * again: those are never left out.
 */
import { listed } from '../../core/words.ts';
import { type FlightField, flightRow } from './flight-rows.ts';
import { fieldsMissing, isSamePart, type SaidLine, type SaidPart, type unlikeParts } from './said.ts';

export interface PartsLeftOut {
  /** Lines and limits. */
  readonly parts: readonly SaidPart[];
  /** What flights lacked, though they were the same ones. */
  readonly fields: readonly FlightField[];
  /** Of the facts of the booking, in words: `change rule`. */
  readonly facts: readonly string[];
}

export const NOTHING_LEFT_OUT: PartsLeftOut = { parts: [], fields: [], facts: [] };

const PARTS: ReadonlySet<SaidPart['row']> = new Set(['limit', 'words', 'condition']);
const FIELDS: ReadonlySet<FlightField> = new Set(['arrives', 'bookingClass', 'fare', 'fareName', 'stops']);
const FACTS_NEVER: ReadonlySet<string> = new Set(['flights', 'passengers', 'total', 'e-mail', 'telephone']);

/**
 * What is left out now, beside what was before. Undefined if that is nothing more.
 * @param facts of the booking that the reading leaves out, in words
 */
export function leftOutBeside(
  before: PartsLeftOut = NOTHING_LEFT_OUT,
  { gone, fresh }: ReturnType<typeof unlikeParts>,
  facts: readonly string[],
): PartsLeftOut | undefined {
  const isReplaced = ({ row, as }: SaidPart) => fresh.some(({ part }) => part.row === row && part.as === as);
  const parts = gone.flatMap(({ part }) => (PARTS.has(part.row) && !isReplaced(part) ? [part] : []));

  const missing = gone.flatMap(({ part: was }) => fresh.flatMap(({ part: is }) => fieldsMissing(was, is)));
  const fields = [...new Set(missing)].filter((field) => FIELDS.has(field));

  const ofBooking = facts.filter((fact) => !FACTS_NEVER.has(fact));
  if (parts.length === 0 && fields.length === 0 && ofBooking.length === 0) return undefined;

  return {
    parts: [...before.parts, ...parts],
    fields: [...before.fields, ...fields],
    facts: [...before.facts, ...ofBooking],
  };
}

/** Whether a part was left out once: it may be missing or there. */
export function isLeftOut(part: SaidPart, { parts }: PartsLeftOut): boolean {
  return parts.some((left) => isSamePart(left, part));
}

/** The lines without the fields of flights that were left out once. */
export function withoutLeftOut<Line extends SaidLine>(
  lines: readonly Line[],
  { fields }: PartsLeftOut,
): readonly Line[] {
  if (fields.length === 0) return lines;
  const blank = Object.fromEntries(fields.map((field) => [field, undefined]));
  const withoutFields = (part: SaidPart): SaidPart => {
    if (part.row === 'flight') return { ...part, value: { ...part.value, ...blank } };
    if (part.row !== 'share') return part;
    return {
      ...part,
      value: { ...part.value, flights: part.value.flights.map((flight) => ({ ...flight, ...blank })) },
    };
  };
  return lines.map((line) => (line.said === undefined ? line : { ...line, said: line.said.map(withoutFields) }));
}

/** `until when it can be paid, the class and the change rule`. */
export function leftOutWords({ parts, fields, facts }: PartsLeftOut): string {
  const ofParts = parts.map((part) => (part.row === 'words' ? `“${part.value}”` : part.as));
  const named = [...fields.map((field) => flightRow(field).what), ...facts].map((what) => `the ${what}`);
  return listed([...new Set([...ofParts, ...named])]);
}
