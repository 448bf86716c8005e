/**
 * What a reply that is no answer means for the person who set things up.
 */
import { cleanText } from '../../domain/time-and-text/clean-text.ts';
import type { FailureKind } from '../../ota/errors/http-failure.ts';
import { skipped, type Verdict } from './check.ts';
import { type FindingKey, finding } from './findings.ts';
import { type Asked, SPENT } from './visit.ts';

/** The reply in one clause: status, the airline's code and title, its support's reference. */
export function said({ exchange, status, fault }: Asked): string {
  if (exchange === undefined) return 'nothing was sent';
  if (exchange.reply === undefined) return `no reply (${exchange.failure?.kind})`;
  const parts = [
    `HTTP ${status}`,
    fault?.code === undefined ? '' : `code ${fault.code}`,
    fault?.title === undefined ? '' : `“${cleanText(fault.title, 80)}”`,
    fault?.correlationId === undefined ? '' : `reference ${cleanText(fault.correlationId, 60)}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** The address up to its query, which may hold a key. */
export function bare(address: string): string {
  const url = URL.parse(address);
  return url === null ? 'an address that cannot be read' : cleanText(url.origin + url.pathname, 120);
}

/** OpenTravel codes for an unknown booking: the message arrived where it should. */
const BOOKING_CODES = new Set(['87', '97', '99', '171', '194', '635']);
export const isBookingCode = (code: string | undefined): boolean => code !== undefined && BOOKING_CODES.has(code);

/** Whether the message arrived where messages are understood. */
export const arrived = ({ answer, fault }: Asked): boolean => answer !== undefined || isBookingCode(fault?.code);

/** Codes that speak of the point of sale, not of the question. */
const SELLER: Readonly<Record<string, FindingKey>> = {
  '61': 'currency_refused',
  '183': 'agency_suspended',
  '189': 'agent_refused',
};

const NO_REPLY: Readonly<Partial<Record<FailureKind, FindingKey>>> = {
  timeout: 'no_answer',
  unreachable: 'connection_failed.unreachable',
  unwritable: 'setting_wrong.character',
  garbled: 'reply_unreadable.garbled',
  too_large: 'reply_unreadable.garbled',
};

/** Always a verdict. `refused` and `credentials_refused` mean that the address is right. */
export function problemOf(asked: Asked, setting: string): Verdict {
  const { exchange, error, status, fault } = asked;
  if (exchange === undefined) {
    if (error === SPENT) return skipped(error.message);
    return {
      ...finding('setting_wrong', { setting }),
      ...(error && { said: error.message, mend: error.next }),
    };
  }
  const { request, reply, failure } = exchange;
  const text = reply?.text ?? '';
  const key =
    failure === undefined
      ? keyOf(status, text, fault?.code, error?.code === 'E_AIRLINE_REPLY')
      : (NO_REPLY[failure.kind] ?? 'connection_failed.cut');
  const location = reply?.headers?.location;
  const target = location === undefined ? undefined : URL.parse(location, request.url)?.href;
  const title = /<title[^>]*>([^<]{1,200})/i.exec(text)?.[1];
  return finding(key, {
    setting,
    where: bare(request.url),
    said: said(asked),
    status,
    target: target === undefined ? '' : ` to ${bare(target)}`,
    titled: title === undefined ? '' : ` titled “${cleanText(title, 60)}”`,
    taking: request.method === 'POST' ? ' that takes messages' : '',
  });
}

function keyOf(status: number, text: string, code: string | undefined, unread: boolean): FindingKey {
  if (status >= 300 && status < 400) return 'redirect';
  const seller = SELLER[code ?? ''];
  if (seller !== undefined) return seller;
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'credentials_refused.address';
  if (status >= 500) return 'airline_failed';
  if (/^\s*</.test(text)) return 'html_page';
  if (status < 300 && unread) return 'reply_unreadable';
  if (status === 405 || (status === 404 && !isBookingCode(code))) return 'wrong_path';
  return 'refused';
}
