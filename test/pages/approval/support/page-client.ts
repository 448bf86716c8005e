/**
 * A browser reduced to what goes over the wire: raw requests, so that every header can be right or wrong.
 */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Page {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As browsers do: the page looks up who is at the other end of each new connection. */
const agent = new Agent({ keepAlive: true });

export function fetchPage(url: string, asked: Asked = {}): Promise<Page> {
  const { method = 'GET', headers = {}, body } = asked;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // A server may close a connection that is kept: a browser asks once more on another one.
      const closed = method === 'GET' && sent.reusedSocket && error.code === 'ECONNRESET';
      if (closed) resolve(fetchPage(url, asked));
      else reject(error);
    });
    sent.end(body);
  });
}

export const cookieOf = ({ headers }: Page): string => headers['set-cookie']?.[0]?.split(';')[0] ?? '';
export const tokenOf = ({ body }: Pick<Page, 'body'>): string => /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';
export const headingOf = ({ body }: Pick<Page, 'body'>): string =>
  (/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(body)?.[1] ?? '').replace(/<[^>]*>/g, '');

/** What a person sees of a page, a line for each block: buttons in brackets, boxes for ticks, links with an arrow. */
export function visible({ body }: Pick<Page, 'body'>): string {
  return body
    .replace(/<(style|script|title|svg|head)\b[\s\S]*?<\/\1>|<p [^>]*\bhidden>[\s\S]*?<\/p>/g, '')
    .replace(/<li class="ride">[\s\S]*?(?=<\/li>)/g, (drawn) => `<li>${drawn.replace(/<[^>]*>/g, '')}`)
    .replace(/<button[^>]*>([\s\S]*?)<\/button>/g, '\n[$1]\n')
    .replace(/<input type="checkbox"[^>]*?( checked)?>/g, (_, on) => (on ? '[x] ' : '[ ] '))
    .replace(/<a [^>]*>/g, ' → ')
    .replace(
      /<\/?(?:p|h\d|li|ul|ol|summary|details|div|header|main|form|section|footer|body|label|dl|dt|dd)\b[^>]*>/g,
      '\n',
    )
    .replace(/<\/?(?:strong|b|code|time)\b[^>]*>|<span data-clock>|(?<=<\/time>)<\/span>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(rarr|amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '?')
    .split('\n')
    .flatMap((line) => line.replace(/\s+/g, ' ').trim() || [])
    .join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { rarr: '→', amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Where a visit goes after the secret was exchanged: the page's own address. */
export const ownPage = ({ headers, body }: Page, address: string): string =>
  new URL(headers.location ?? /content="0; url=([^"]+)"/.exec(body)?.[1] ?? address.split('?')[0] ?? '', address).href;

/** A visitor who exchanged the secret and sees the page. */
export interface Visitor {
  readonly url: string;
  readonly cookie: string;
  readonly token: string;
  readonly page: Page;
  look(): Promise<Page>;
  /** Sends the form as a browser does; headers and fields may be put wrong. */
  answer(
    decision: string,
    wrong?: { readonly headers?: Readonly<Record<string, string>>; readonly token?: string; readonly body?: string },
  ): Promise<Page>;
  /** Sends the form and follows the redirect. */
  decide(decision: 'yes' | 'no'): Promise<Page>;
}

export async function enter(address: string): Promise<Visitor> {
  const { origin } = new URL(address);
  const entered = await fetchPage(address);
  const cookie = cookieOf(entered);
  const url = ownPage(entered, address);
  const look = () => fetchPage(url, { headers: { cookie } });
  const page = await look();
  const token = tokenOf(page);
  const answer: Visitor['answer'] = (decision, wrong = {}) =>
    fetchPage(url, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded', ...wrong.headers },
      body: wrong.body ?? new URLSearchParams({ token: wrong.token ?? token, decision }).toString(),
    });
  return {
    url,
    cookie,
    token,
    page,
    look,
    answer,
    async decide(decision) {
      const sent = await answer(decision);
      return sent.status === 303 ? look() : sent;
    },
  };
}
