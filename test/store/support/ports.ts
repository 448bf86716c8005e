/** The state port, and what its parts take. */
import type { openSqliteState } from '../../../src/store/sqlite/state.ts';

export type State = Awaited<ReturnType<typeof openSqliteState>>;
export type Operations = State['operations'];
export type NewOperation = Parameters<Operations['insert']>[0];
type StateChange = Parameters<Operations['transition']>[1];
export type OperationState = StateChange['to'];
export type Patch = StateChange['patch'];
export type Outcome = NonNullable<Patch['outcome']>;
export type Operation = NonNullable<Awaited<ReturnType<Operations['get']>>>;
export type Approval = Parameters<State['approvals']['put']>[0];
export type LedgerEntry = Parameters<State['ledger']['record']>[1];
export type ShelvedOffer = Parameters<State['offers']['put']>[1][number];
export type Finding = Parameters<State['findings']['add']>[0][number];
export type WatchedBooking = Parameters<State['watches']['keep']>[0];
export type KeptReading = NonNullable<WatchedBooking['kept']>;
export type StoredPlan = Parameters<State['plans']['put']>[0];
export type Details = Parameters<State['details']['open']>[0];
export type NewEvent = Parameters<State['outbox']['add']>[0][number];
export type Hold = NonNullable<Awaited<ReturnType<State['chain']['status']>>['hold']>;
export type Person = Parameters<State['forgetting']['find']>[0];

/** Opens an empty state whose clock reads `now()`. */
export type OpenState = (now: () => number) => Promise<State>;
