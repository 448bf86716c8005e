/**
 * Overrides selected methods of an operation store. Stores are classes with private fields, so they cannot be spread.
 */
import type { OperationStore } from '../journal/ports.ts';

export function overrideOperations(store: OperationStore, changes: Partial<OperationStore>): OperationStore {
  return {
    insert: (operation, meta, limit) => store.insert(operation, meta, limit),
    spent: (tenant, caller, limit) => store.spent(tenant, caller, limit),
    get: (id) => store.get(id),
    transition: (id, from, to, patch, meta) => store.transition(id, from, to, patch, meta),
    lease: (id, owner, leaseUntil, now) => store.lease(id, owner, leaseUntil, now),
    note: (id, owner, reading) => store.note(id, owner, reading),
    keepReply: (id, reply) => store.keepReply(id, reply),
    reply: (id) => store.reply(id),
    list: (filter) => store.list(filter),
    activity: (query) => store.activity(query),
    byFingerprint: (tenant, fingerprint, exceptId) => store.byFingerprint(tenant, fingerprint, exceptId),
    events: (operationId) => store.events(operationId),
    verify: () => store.verify(),
    ...changes,
  };
}
