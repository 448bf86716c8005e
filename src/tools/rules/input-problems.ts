/** Collects all problems of an input, so that one answer names them together. */
import { IF_UNKNOWN, type InputFault, inputFaults } from '../../core/errors.ts';

export class InputProblems {
  readonly #faults: InputFault[] = [];
  readonly warnings: string[] = [];
  /** No sentence may say an age or a day of expiry: travellers entered them on the details page. */
  readonly hidesDetails: boolean;

  constructor({ hidesDetails = false }: { readonly hidesDetails?: boolean } = {}) {
    this.hidesDetails = hidesDetails;
  }

  /** Notes a problem. `next`: what to do, unless another value of the field is the answer. */
  add(field: string, problem: string, next?: string): void {
    this.#faults.push({ field, problem: `${problem}.`, next });
  }

  /** Gives one sentence for each problem, without its field. */
  get sentences(): readonly string[] {
    return this.#faults.map(({ problem }) => problem);
  }

  /** Throws E_INPUT with all problems. */
  assertNone(): void {
    if (this.#faults.length > 0) throw inputFaults(this.#faults, IF_UNKNOWN);
  }
}
