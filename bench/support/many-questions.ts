/** Questions of a month in any number, written by SQL: those of the last week in the table of approvals, older ones with those long over. */
import { END, type Words } from './many-acts.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Of the last week, and of the weeks before. */
const RECENT_DAYS = 7;
const PAST_DAYS = 22;

export const CLERKS = 100;

/** SQL that fills an empty state with so many questions, half of them of the last week. */
export function manyQuestions({ s, numbers, hex }: Words, count: number): readonly string[] {
  const half = count / 2;
  const id = (of: string) => `${hex('i * 2654435761 % 4294967296', 8)} || '-0000-4000-8000-00000000000${of}'`;
  const shared = (of: string): Readonly<Record<string, string>> => ({
    operation_id: id(of),
    tenant: "'desk'",
    caller: `'oauth:c' || (i % ${CLERKS}) || ':desk'`,
    decision: "case i % 5 when 0 then 'declined' when 1 then 'pending' when 2 then 'replaced' else 'granted' end",
    asked_by: "'page'",
    tool: "'pay_booking'",
    assurance: "case i % 5 when 1 then null when 2 then null else 'page' end",
    amount_minor: '17250',
    currency: "'SAR'",
    direction: "'payment'",
  });
  const recentAt = `${END - RECENT_DAYS * DAY_MS} + i * ${RECENT_DAYS * DAY_MS - 11 * MINUTE_MS} / ${half}`;
  const pastAt = `${END - (RECENT_DAYS + PAST_DAYS) * DAY_MS} + i * ${PAST_DAYS * DAY_MS} / ${half}`;
  const recent = {
    ...shared('1'),
    handle_hash: hex('i', 64),
    created_at: recentAt,
    expires_at: `${recentAt} + ${10 * MINUTE_MS}`,
    body: `'{"client":{"name":"claude-ai","version":"1.4"},"tool":"pay_booking","locator":"B' || ${hex('i', 6)} || '","argsDigest":"' || ${hex('i', 64)} || '","termsDigest":"' || ${hex('i', 64)} || '"}'`,
  };
  const past = {
    ...shared('2'),
    locator: `'B' || ${hex('i', 6)}`,
    asked_at: pastAt,
    expires_at: `${pastAt} + ${10 * MINUTE_MS}`,
  };
  const fill = (table: string, columns: Readonly<Record<string, string>>) =>
    `insert into ${s}${table}(${Object.keys(columns).join(', ')}) select ${Object.values(columns).join(', ')} from ${numbers(half)}`;
  return [fill('approval', recent), fill('past_question', past)];
}
