/**
 * Which changes by the airline a yes binds, and which a question names, by what they matter to. A yes binds what matters to somebody who was
 * told what its question says.
 */
import { type FindingKind, MATTERS, type Matter } from '../booking/finding.ts';
import { mattersIn, type SaidLine } from './said.ts';

/** Whether, when and how flights run, who travels on them, and what they cost: whatever is done with a booking. */
const ALWAYS: readonly Matter[] = ['journey', 'person', 'ticket', 'price'];

/** If somebody pays, or gives something up. */
const WHERE_MONEY_MOVES: readonly Matter[] = [...ALWAYS, 'document', 'contact', 'money', 'term'];

/** How an act tells changes by the airline. */
export interface Telling {
  /** The act sends back what is read of people beside what changes: a yes does not count where less is read of their addresses. */
  readonly sendsBack?: true;
}

/** What matters to somebody who says yes to these lines. */
export function mattersTo(
  nature: 'payment' | 'cancellation' | 'change',
  lines: readonly SaidLine[],
): ReadonlySet<Matter> {
  return new Set(nature === 'change' ? [...ALWAYS, ...mattersIn(lines)] : WHERE_MONEY_MOVES);
}

/** Whether a yes does not count once such a change comes after its question. */
export function bindsChange(kind: FindingKind, matters: ReadonlySet<Matter>): boolean {
  const matter = MATTERS[kind];
  return matter !== 'time' && matter !== 'settled' && matters.has(matter);
}

/** Whether questions and results name such a change. */
export const isTold = (kind: FindingKind): boolean => MATTERS[kind] !== 'settled';
