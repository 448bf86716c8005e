/**
 * What a supervisor (FARECLERK_DESK_ROLE) sees besides their own: the bookings and operations of all callers of their tenant.
 * In a few reading tools only: a booking of another caller cannot be changed, paid or cancelled by them.
 */
import type { Claims } from '../../access/booking-access.ts';
import type { Ledger } from '../../domain/booking/booking-ledger.ts';
import type { Caller } from '../../domain/people/caller.ts';
import type { OperationReader } from '../../tools/definition/define.ts';

/** Tools that show a supervisor the whole desk. `get_tickets` does not: it hands out documents. */
export const LOOKING: ReadonlySet<string> = new Set([
  'list_bookings',
  'report_activity',
  'read_booking',
  'quote_cancellation',
  'get_seat_map',
]);

interface SupervisorDesk {
  readonly ledger: Ledger;
  readonly operations: OperationReader;
  has(locator: string): Promise<boolean>;
}

interface DeskParts {
  readonly ledger: Ledger;
  readonly operations: OperationReader;
  /** Those of the supervisor alone. */
  readonly claims: Claims;
  /** Called once if anything of others may have been seen. */
  noteRead(): unknown;
}

export function deskOf({ tenant }: Caller, { ledger, operations, claims, noteRead }: DeskParts): SupervisorDesk {
  let noted = false;
  const look = (): void => {
    if (!noted) noteRead();
    noted = true;
  };
  const newest = async (locator: string) =>
    (await ledger.findOfTenant(tenant, { locators: [locator], limit: 1 })).entries[0];
  return {
    ledger: {
      /** A reading of another caller's booking stays theirs: an entry of one's own would be a claim. */
      async record(caller, entry) {
        if (await claims.has(caller, entry.locator)) return ledger.record(caller, entry);
        const known = await newest(entry.locator);
        if (known !== undefined) await ledger.record({ tenant, id: known.readBy }, { ...entry, madeHere: false });
      },
      find(caller, query) {
        look();
        return ledger.findOfTenant(tenant, query, caller.id);
      },
      findOfTenant: (_tenant, query, caller) => ledger.findOfTenant(tenant, query, caller),
    },
    operations: {
      get: (id) => operations.get(id),
      list: (filter) => operations.list({ ...filter, tenant }),
      activity({ ledgerOf: _, ...query }) {
        look();
        return operations.activity({ ...query, tenant });
      },
      counted({ ledgerOf: _, ...query }) {
        look();
        return operations.counted({ ...query, tenant });
      },
    },
    async has(locator) {
      const known = (await newest(locator)) !== undefined;
      if (known) look();
      return known;
    },
  };
}
