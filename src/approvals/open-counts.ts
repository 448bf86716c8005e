/** How much is open in a whole state, whoever's it is. */
export interface OpenCounts {
  readonly inDoubt: number;
  readonly needsPerson: number;
  /** When the first of them was handed to a person, milliseconds since 1970; absent where none was. */
  readonly needsPersonSince?: number;
  readonly approvalsWaiting: number;
}
