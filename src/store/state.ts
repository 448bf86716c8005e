/** The state port: everything that outlives a call. sqlite/state.ts and postgres/state.ts open it. */
import type { Claims } from '../access/booking-access.ts';
import type { ApprovalStore } from '../approvals/ports.ts';
import type { DetailsStore } from '../details/ports.ts';
import type { AirlinePauses } from '../domain/airline-pauses.ts';
import type { TicketKeys } from '../domain/booking/booking.ts';
import type { RenewedLedger } from '../domain/booking/booking-ledger.ts';
import type { Findings } from '../domain/booking/finding.ts';
import type { OfferStore } from '../domain/booking/offers.ts';
import type { Watches } from '../domain/booking/reading-schedule.ts';
import type { LoginStore } from '../domain/login-store.ts';
import type { UnlikeSetting } from '../domain/yes-settings.ts';
import type { Deliveries, Outbox } from '../events/ports.ts';
import type { Acts } from '../journal/act.ts';
import type { Chain, Clock, JournalPlace, Leases, OperationStore, WaitingEnds } from '../journal/ports.ts';
import type { CallRecords, DecidedQuestions, LedgerReader } from '../ledger/ports.ts';
import type { PlanStore } from '../plans/ports.ts';
import type { Database } from './database.ts';
import type { Forgetting } from './forgetting.ts';
import type { JournalChain } from './journal/journal-chain.ts';
import type { StoredOperations } from './journal/operations.ts';
import type { OpenCounts, PoolLoad } from './open-counts.ts';

/** What the store can do with operations beyond what the journal asks of it. */
type StoredJournal = Pick<StoredOperations<Database, JournalChain<Database>>, 'page' | 'beginningWith'>;

export interface State {
  readonly operations: OperationStore & StoredJournal;
  readonly approvals: ApprovalStore;
  readonly offers: OfferStore;
  readonly ledger: RenewedLedger;
  /** For questions in SQL. */
  readonly ledgerRows: LedgerReader;
  /** For the page of decided questions. */
  readonly decided: DecidedQuestions;
  /** Why calls failed and how the airline answered, by the hour. */
  readonly callRecords: CallRecords;
  readonly claims: Claims;
  readonly ticketKeys: TicketKeys;
  readonly leases: Leases;
  /** Events for other systems. */
  readonly outbox: Outbox;
  /** Which address has received which event. */
  readonly deliveries: Deliveries;
  readonly findings: Findings;
  readonly watches: Watches;
  readonly plans: PlanStore;
  /** What travellers enter on the details page. */
  readonly details: DetailsStore;
  /** The journal as a whole. */
  readonly chain: Chain;
  /** Outcomes of sends that the store could not take, until it can. */
  readonly ends: WaitingEnds;
  /** Key of digests of personal data: random, made with the store and stored in it. */
  readonly digestKey: Uint8Array;
  /** The clock that all processes share, if that is not this machine's own. */
  readonly clock?: Clock;
  /** The airline's access token, which processes share. */
  readonly logins: LoginStore;
  readonly airlinePauses: AirlinePauses;
  /** Erases what is stored about one person. */
  readonly forgetting: Forgetting;
  /** The settings that a yes depends on, and that a server which began earlier has otherwise. */
  unlikeSettings(): Promise<readonly UnlikeSetting[]>;
  /** Counts what is open at this time; cheap at any size. */
  openCounts(now: number, acts: Acts): Promise<OpenCounts>;
  /** Removes rows that are kept for too long already. A timer calls it too. */
  clean(): Promise<void>;
  /** Loads of the connection pools of a database on the network. */
  pools?(): readonly PoolLoad[];
  /** Tries to write to each place that must take writes before anything is sent. Returns those that take none. */
  unwritable(): Promise<readonly JournalPlace[]>;
  close(): Promise<void>;
}
