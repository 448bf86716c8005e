/** What a process of this campaign has to do. */

export interface Orders {
  /** A file of SQLite, or an address of PostgreSQL. */
  readonly store: string;
  readonly receiver: string;
  readonly operations: number;
  readonly bookings: number;
  readonly speed: number;
  /** When time began to pass faster, milliseconds since 1970. */
  readonly begun: number;
  readonly crash?: { readonly step: string; readonly at: number };
  /** Milliseconds between two operations. */
  readonly paceMs: number;
}

/** Where a process dies: before or after a write of its own, and around the sending. */
export const STEPS = [
  'before entered',
  'after entered',
  'before sent',
  'after sent',
  'before noted',
  'after noted',
  'before settled',
  'after settled',
] as const;
