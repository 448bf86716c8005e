/** A question of the sixty: what is asked, by whom, and what a right answer is. */
import type { Books } from './books.ts';
import type { Currency } from './people.ts';

export type Cell = string | number;
export type Rows = readonly (readonly Cell[])[];

export interface DeskQuestion {
  readonly id: string;
  /** In plain English. `{Kraus}` stands for the locator of that booking; cells are named in brackets. */
  readonly asks: string;
  /** Lea and noa are supervisors, of Berlin and New York; jon is a clerk in Berlin and sees his own. */
  readonly asker: 'lea' | 'jon' | 'noa';
  /** `scalar`: one cell. `table`: rows with a key. `list`: rows. */
  readonly kind: 'scalar' | 'list' | 'table';
  /** The order of the rows is part of the answer. */
  readonly ordered?: true;
  /** How many of the first cells are the key of a table's row; default 1. */
  readonly keys?: number;
  /** The one currency that is asked about. */
  readonly currency?: Currency;
  /** Why a hurried statement easily gives another number. */
  readonly trap?: string;
  /** Asked {@link LATER_DAYS} days later. */
  readonly later?: true;
  readonly answer: (books: Books) => Rows;
}
