/** E-mails and notifications that the airline sent; they are recorded and never leave the sandbox. */
import type { CarrierState } from './state.ts';

type NoticeKind = 'confirmation_email' | 'cancellation_email' | 'ticket_update';

export interface Notice {
  /** UTC, by the airline's clock. */
  readonly at: string;
  readonly kind: NoticeKind;
  readonly locator: string;
  readonly body: unknown;
}

export function sendNotice(state: CarrierState, at: number, kind: NoticeKind, locator: string, body: unknown): void {
  const sql = 'INSERT INTO notices (at, kind, locator, body) VALUES (?, ?, ?, ?)';
  state.run(sql, at, kind, locator, JSON.stringify(body));
}

export function readNotices(state: CarrierState): Notice[] {
  return state.rows('SELECT * FROM notices ORDER BY seq').map((row) => ({
    at: new Date(Number(row.at)).toISOString(),
    kind: String(row.kind) as NoticeKind,
    locator: String(row.locator),
    body: JSON.parse(String(row.body)) as unknown,
  }));
}
