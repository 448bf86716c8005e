import type { Operation } from '../../../src/journal/operation.ts';
import { newOperation } from '../../store/new-operation.ts';

/** An operation that came to pass, as the journal's commands show it. */
export function doneOperation(id: string, changes: Partial<Operation> = {}): Operation {
  return {
    ...newOperation(id),
    state: 'succeeded',
    createdAt: Date.UTC(2026, 11, 1, 8),
    updatedAt: Date.UTC(2026, 11, 1, 8, 0, 5),
    negatives: 0,
    owner: 'o',
    leaseUntil: 0,
    ...changes,
  };
}
