/** Errors in every form that is published, and replies in none, each repeating what it was sent. */
import type { IncomingHttpHeaders } from 'node:http';
import { PLANTED } from './canaries.ts';

export interface Form {
  readonly name: string;
  reply(
    echo: string,
    headers: IncomingHttpHeaders,
  ): { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly text: string };
}

type Json = Record<string, unknown>;

const json = (name: string, status: number, body: (echo: string) => Json): Form => ({
  name: `${name} ${status}`,
  reply: (echo) => ({ status, text: JSON.stringify(body(echo)) }),
});

const flat = (echo: string, more: Json = {}): Json => ({
  ...{ timestamp: '2026-11-20T08:00:00Z', status: 422, error: 'Unprocessable Entity', code: '172', title: 'refused' },
  ...{ detail: echo, message: echo, path: echo, trace: [echo], correlationId: 'c-1' },
  cause: { title: 'inner', detail: echo, cause: { title: 'innermost', stackTrace: [echo] } },
  [echo]: echo,
  ...more,
});

const older = (echo: string): Json => ({
  ...{ timestamp: 1, status: 400, error: 'Bad Request', exception: 'AirlineException', message: 'refused' },
  ...{ path: echo, trace: echo },
});

const list = (echo: string): Json => ({
  errors: [{ type: 'BUSINESS', code: '172', message: 'refused', field: echo, rejectedValue: echo }],
  ...{ requestId: 'r-1', debug: echo },
});

const ota = (echo: string): Json => ({
  errors: { error: [{ type: '3', code: '172', shortText: 'refused', value: echo, tag: echo, recordID: echo }] },
});

const object = (echo: string): Json => ({ error: { code: '172', title: 'refused', detail: echo, info: { echo } } });

const other = (name: string, status: number, headers: object, text: (echo: string) => string): Form => ({
  name,
  reply: (echo) => ({ status, headers: { ...headers }, text: text(echo) }),
});

/** The title is all that is ever shown of an airline's words. */
const titled = (name: string, status: number, title: (key: string, authorization: string) => string): Form => ({
  name: `title with ${name} ${status}`,
  reply: (_, headers) => {
    const words = title(String(headers['x-api-key']), String(headers.authorization));
    return { status, text: JSON.stringify(flat('', { title: words, status })) };
  },
});

const { 'e-mail': email, 'document number': document, surname, 'birth date': birth, phone, password } = PLANTED;
const PERSONAL = [email, document, surname, birth, phone].join(' ');
/** `a` becomes the full-width letter for `A`. */
const wide = (text: string) =>
  text.toUpperCase().replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
const capitals = (key: string, authorization: string) => `${key} ${authorization} ${password}`.toUpperCase();
const hidden = (key: string, authorization: string) => `${password} ${[...`${key} ${authorization}`].join('\u200b')}`;

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
  other('broken JSON', 200, {}, (echo) => `{"success": {}, "a": ${echo}`),
  other('plain text', 500, { 'content-type': 'text/plain' }, (echo) => echo),
  other('HTML', 502, { 'content-type': 'text/html' }, (echo) => `<html><body>${echo}</body></html>`),
  {
    name: 'redirect',
    reply: (echo) => ({
      status: 302,
      headers: { location: `http://127.0.0.1:9/${encodeURIComponent(echo)}` },
      text: '',
    }),
  },
  titled('credentials', 422, (key, authorization) => `${key} ${authorization}`),
  titled('credentials', 500, (key, authorization) => `${authorization} ${key}`),
  titled('hidden credentials', 422, hidden),
  titled('credentials in capitals', 422, capitals),
  titled('credentials in full-width letters', 422, (key, authorization) => wide(capitals(key, authorization))),
  titled('personal data', 422, () => PERSONAL),
  titled('personal data', 500, () => PERSONAL),
];
