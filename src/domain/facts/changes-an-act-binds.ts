/**
 * Which changes by the airline an act binds, and which it names, by what they matter to. An act binds what changes where, when, for whom
 * or for how much people travel, as far as that act depends on it.
 */
import { type FindingKind, MATTERS, type Matter } from '../booking/finding.ts';

/** What an act binds if somebody pays, gives up or moves something. */
export const WHERE_MONEY_MOVES: readonly Matter[] = [
  'journey',
  'person',
  'document',
  'ticket',
  'contact',
  'price',
  'money',
  'term',
];

/** How an act tells changes by the airline. What it does not bind is in its question if it is known then, and in its result. */
export interface Telling {
  /** In its question and its result; and if such a change comes after the question, the yes does not count. */
  readonly binds: readonly Matter[];
  /** The act sends back what is read of people beside what changes: a yes does not count where less is read of their addresses. */
  readonly sendsBack?: true;
}

/** Whether a yes to this act does not count once such a change comes after the question. */
export function isBound(kind: FindingKind, { binds }: Telling): boolean {
  return binds.some((matter) => matter === MATTERS[kind]);
}

/** Whether questions and results name such a change. */
export const isTold = (kind: FindingKind): boolean => MATTERS[kind] !== 'settled';
