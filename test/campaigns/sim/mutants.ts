/**
 * The product with one fault each, made by replacing an injected part. The simulation must detect every fault.
 */

import type { Binding } from '../../../src/approvals/binding.ts';
import { ClerkError } from '../../../src/core/errors.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import { identityText } from '../../../src/domain/people/identity-text.ts';
import { expectedBy } from '../../../src/journal/act.ts';
import type { Sending } from '../../../src/journal/ports.ts';
import { passengersEvidence } from '../../../src/tools/acts/cancellation-evidence.ts';
import { RULES } from '../../support/rules.ts';
import { replacing } from '../support/replacing.ts';
import { termsOf } from './acts.ts';
import { understood } from './answers.ts';
import type { OperationStore, Policy } from './desk.ts';

type Dispatch = Parameters<Sending['sendConfirmed']>[0];
type Operation = NonNullable<Awaited<ReturnType<OperationStore['get']>>>;

interface Mutant {
  readonly what: string;
  /** A schedule that shows it. `run.ts --find` finds one. */
  readonly seed: number;
  readonly policy: Policy;
  /** Shows only where the airline acts after the settle time. */
  readonly late?: boolean;
}

/** Proves for every act that nothing was done. */
/** Binds nothing. */
const ANY: Binding = { lines: [], told: [], about: { nature: 'change' } };

const REFUSED = { status: 422, fault: { status: 422, code: '322', title: 'x' } };

/** A fence that is always open. */
function open(dispatch: Dispatch): Dispatch {
  return { mayStart: () => dispatch.mayStart() || true, keep: (reply) => dispatch.keep(reply) };
}

async function blindly(act: Sending, dispatch: Dispatch) {
  for (let tried = 0; ; tried++) {
    try {
      return await act.sendConfirmed(tried === 0 ? dispatch : open(dispatch));
    } catch (error) {
      if (tried === 2 || (error instanceof ClerkError && error.airline !== undefined && error.effect === 'none'))
        throw error;
    }
  }
}

/** Puts the dispatch on record only with what came of it. */
function dispatchLater(store: OperationStore): OperationStore {
  const held = new Map<string, () => Promise<boolean>>();
  return replacing(store, {
    async transition(id, change, meta) {
      if (change.to === 'dispatched') {
        held.set(id, () => store.transition(id, change, meta));
        return true;
      }
      await held.get(id)?.();
      held.delete(id);
      return await store.transition(id, change, meta);
    },
    async lease(id, ...rest) {
      return held.has(id) || (await store.lease(id, ...rest));
    },
  });
}

/** Sets a state whatever it was. */
function withoutCompare(store: OperationStore): OperationStore {
  return replacing(store, {
    async transition(id, change, meta) {
      const before = (await store.get(id))?.state;
      return before !== undefined && (await store.transition(id, { ...change, from: [before] }, meta));
    },
  });
}

/** As many operations may be active on one booking as there are values of that field. */
function manyPerBooking(field: 'id' | 'tenant', store: OperationStore): OperationStore {
  const real = new Map<string, string>();
  const shown = (operation: Operation): Operation => {
    const locator = real.get(operation.id);
    return locator === undefined ? operation : { ...operation, locator };
  };
  return replacing(store, {
    async insert(operation, meta) {
      if (operation.locator === undefined) return await store.insert(operation, meta);
      real.set(operation.id, operation.locator);
      const entered = { ...operation, locator: `${operation.locator}/${operation[field]}` };
      const result = await store.insert(entered, meta);
      return 'operation' in result ? { ...result, operation: shown(result.operation) } : result;
    },
    transition: (id, change, meta) =>
      store.transition(id, change, { ...meta, moved: (operation) => meta.moved?.(shown(operation)) }),
    async get(id) {
      const found = await store.get(id);
      return found && shown(found);
    },
    async list(filter) {
      return (await store.list(filter)).map(shown);
    },
  });
}

/** Counts a reading as the third however few there were. */
function oneReading(store: OperationStore): OperationStore {
  return replacing(store, {
    async get(id) {
      const found = await store.get(id);
      return found && { ...found, negatives: 2 };
    },
  });
}

/** Never finds what was settled as not carried out. */
function forgets(store: OperationStore): OperationStore {
  return replacing(store, {
    list: async (filter) => (filter.states?.[0] === 'not_executed' ? [] : await store.list(filter)),
  });
}

export const MUTANTS: Readonly<Record<string, Mutant>> = {
  'blind-retry': {
    what: 'sends again when the answer is lost',
    seed: 1,
    policy: { act: (act) => ({ ...act, sendConfirmed: (dispatch) => blindly(act, dispatch) }) },
  },
  'journal-after-send': { what: 'records the dispatch after the send', seed: 5, policy: { store: dispatchLater } },
  'approval-twice': {
    what: 'lets an approval be presented as a new operation',
    seed: 1,
    policy: { operationId: (id, presented) => `${id}/${presented}`, store: (store) => manyPerBooking('id', store) },
  },
  'no-settle-time': { what: 'settles at once', seed: 3, policy: { journal: { settleMs: 12_000 } } },
  'trusts-any-200': {
    what: 'takes every 2xx for done',
    seed: 178,
    policy: {
      journal: { rules: { ...RULES, reply: () => 'done' } },
      understand: (kind, answer) =>
        answer.kind === 'http' && answer.status === 200
          ? { ...(answer.body && understood(kind, answer)) }
          : understood(kind, answer),
    },
  },
  '5xx-is-failure': {
    what: 'takes a 5xx for a refusal',
    seed: 9,
    policy: {
      understand: (kind, answer) =>
        understood(kind, answer.kind === 'http' && answer.status >= 500 ? { ...answer, ...REFUSED } : answer),
    },
  },
  'system-error-is-refusal': {
    what: 'takes an error that blames a system for a refusal, under a status that is no 5xx',
    seed: 18,
    policy: {
      understand: (kind, answer) =>
        understood(
          kind,
          answer.kind === 'http' && answer.fault !== undefined && answer.status < 500
            ? { ...answer, ...REFUSED }
            : answer,
        ),
    },
  },
  'reset-is-failure': {
    what: 'takes a broken connection for an unsent request',
    seed: 7,
    policy: {
      understand: (kind, answer) =>
        understood(kind, answer.kind === 'reset' ? { kind: 'http', ...REFUSED, body: null } : answer),
    },
  },
  'no-identity-check': {
    what: 'does not look whose booking came back',
    seed: 75,
    policy: {
      journal: {
        rules: {
          reply: (operation, evidence, digest) => {
            const named = evidence.booking ?? evidence.receipt ?? evidence.cancelled;
            return RULES.reply({ ...operation, ...(named && { locator: named.locator }) }, evidence, digest);
          },
          reading: (operation, booking, digest) =>
            RULES.reading({ ...operation, locator: booking.locator }, booking, digest),
        },
      },
    },
  },
  'many-per-booking': {
    what: 'lets two operations of a booking be active',
    seed: 41,
    policy: { store: (store) => manyPerBooking('id', store) },
  },
  'one-per-tenant': {
    what: 'lets each tenant have an operation active on one booking',
    seed: 41,
    policy: { store: (store) => manyPerBooking('tenant', store) },
  },
  'no-fence': {
    what: 'sends however long after the dispatch',
    seed: 32,
    policy: { act: (act) => ({ ...act, sendConfirmed: (dispatch) => act.sendConfirmed(open(dispatch)) }) },
  },
  'terms-not-bound': {
    what: 'acts whatever the terms are by then',
    seed: 7,
    policy: { bindingOf: () => ANY },
  },
  'one-negative': {
    what: 'believes the first reading after the settle time',
    seed: 93,
    policy: { store: oneReading },
  },
  'digest-without-amount': {
    what: 'binds the yes to all but the amount',
    seed: 78,
    policy: {
      bindingOf: ({ booking }) => ({
        ...ANY,
        about: { nature: 'change', terms: booking && termsOf({ ...booking, orders: [] }) },
      }),
    },
  },
  'never-settled': {
    what: 'leaves what is in doubt',
    seed: 1,
    policy: { tends: false, journal: { readerFor: () => ({ read: () => new Promise(() => {}) }) } },
  },
  'no-decision': { what: 'acts before a person decided', seed: 1, policy: { asksDecision: false } },
  'no-compare': { what: 'sets states without comparing', seed: 148, policy: { store: withoutCompare } },
  'partial-is-done': {
    what: 'takes a part for the whole',
    seed: 12,
    policy: {
      journal: {
        rules: {
          reply: (...given) => whole(RULES.reply(...given)),
          reading: (...given) => whole(RULES.reading(...given)),
        },
      },
    },
  },
  'strangers-ignored': {
    what: 'takes a passenger renamed elsewhere for one who is gone',
    seed: 86,
    policy: {
      journal: {
        rules: {
          ...RULES,
          reading: (operation, booking, digest) =>
            RULES.reading(operation, withoutStrangers(operation, booking), digest),
        },
      },
    },
  },
  'no-later-look': {
    what: 'never looks again at what was settled as not carried out',
    seed: 22,
    policy: { store: forgets },
    late: true,
  },
  'old-reading': { what: 'acts on a reading however old', seed: 223, policy: { journal: { leaseMs: 900_000 } } },
};

function withoutStrangers({ subject }: Operation, booking: Booking): Booking {
  const { gone = [], kept = [] } = expectedBy(passengersEvidence, { subject }) ?? {};
  const known = [...gone, ...kept];
  if (known.length === 0) return booking;
  const travelers = booking.reading.travelers.filter((one) => known.includes(identityText(one)));
  return { ...booking, reading: { ...booking.reading, travelers } };
}

function whole<T extends string>(verdict: T): T | 'done' {
  return verdict === 'partial' || verdict === 'contradicted' ? 'done' : verdict;
}
