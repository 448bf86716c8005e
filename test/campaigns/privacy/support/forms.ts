/**
 * Errors in every form that is published, and replies in none, each repeating what it was sent.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { PLANTED } from './canaries.ts';

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Form {
  readonly name: string;
  reply(echo: string, headers: IncomingHttpHeaders): Reply;
}

type Json = Record<string, unknown>;

const json = (name: string, status: number, body: (echo: string) => Json): Form => ({
  name: `${name} ${status}`,
  reply: (echo) => ({ status, text: JSON.stringify(body(echo)) }),
});

const flat = (echo: string, more: Json = {}): Json => ({
  timestamp: '2026-11-20T08:00:00Z',
  status: 422,
  error: 'Unprocessable Entity',
  code: '172',
  title: 'refused',
  detail: echo,
  message: echo,
  path: echo,
  trace: [echo],
  correlationId: 'c-1',
  cause: { title: 'inner', detail: echo, cause: { title: 'innermost', stackTrace: [echo] } },
  [echo]: echo,
  ...more,
});

const older = (echo: string): Json => ({
  timestamp: 1,
  status: 400,
  error: 'Bad Request',
  exception: 'AirlineException',
  message: 'refused',
  path: echo,
  trace: echo,
});

const list = (echo: string): Json => ({
  errors: [{ type: 'BUSINESS', code: '172', message: 'refused', field: echo, rejectedValue: echo }],
  requestId: 'r-1',
  debug: echo,
});

const ota = (echo: string): Json => ({
  errors: { error: [{ type: '3', code: '172', shortText: 'refused', value: echo, tag: echo, recordID: echo }] },
});

const object = (echo: string): Json => ({ error: { code: '172', title: 'refused', detail: echo, info: { echo } } });

/** The title is all that is ever shown of an airline's words. */
const titled = (name: string, status: number, title: (headers: IncomingHttpHeaders) => string): Form => ({
  name: `title with ${name} ${status}`,
  reply: (_, headers) => ({ status, text: JSON.stringify(flat('', { title: title(headers), status })) }),
});

const personal = [PLANTED['e-mail'], PLANTED['document number'], PLANTED.surname, PLANTED['birth date'], PLANTED.phone];

export const FORMS: readonly Form[] = [
  json('flat', 422, flat),
  json('flat', 500, flat),
  json('flat in a good reply', 200, flat),
  json('older', 400, older),
  json('list', 422, list),
  json('OpenTravel', 400, ota),
  json('OpenTravel', 200, ota),
  json('object', 409, object),
  json('no form', 418, (echo) => ({ [echo]: echo })),
  json('no form', 200, (echo) => ({ success: {}, [echo]: [echo] })),
  json('denied', 401, flat),
  json('throttled', 429, flat),
  { name: 'broken JSON', reply: (echo) => ({ status: 200, text: `{"success": {}, "a": ${echo}` }) },
  { name: 'plain text', reply: (echo) => ({ status: 500, headers: { 'content-type': 'text/plain' }, text: echo }) },
  {
    name: 'HTML',
    reply: (echo) => ({
      status: 502,
      headers: { 'content-type': 'text/html' },
      text: `<html><body>${echo}</body></html>`,
    }),
  },
  {
    name: 'redirect',
    reply: (echo) => ({
      status: 302,
      headers: { location: `http://127.0.0.1:9/${encodeURIComponent(echo)}` },
      text: '',
    }),
  },
  titled('credentials', 422, ({ authorization, 'x-api-key': key }) => `${key} ${authorization}`),
  titled('credentials', 500, ({ authorization, 'x-api-key': key }) => `${authorization} ${key}`),
  titled(
    'hidden credentials',
    422,
    ({ authorization, 'x-api-key': key }) => `${PLANTED.password} ${[...`${key} ${authorization}`].join('\u200b')}`,
  ),
  titled('personal data', 422, () => personal.join(' ')),
  titled('personal data', 500, () => personal.join(' ')),
];
