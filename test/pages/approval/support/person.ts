/**
 * A person at a browser without script, who signs in wherever a sign-in is asked for. Cookies are kept by host, path and
 * name (RFC 6265); redirects and the provider's forms are followed.
 */

export { headingOf } from './page-client.ts';

interface Cookie {
  readonly host: string;
  readonly path: string;
  readonly name: string;
  readonly value: string;
}

export interface Seen {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export class PersonAt {
  readonly #login: string;
  readonly #provider: string;
  readonly #password: string;
  #cookies: Cookie[] = [];
  /** Requests to the page, with what came back. */
  readonly steps: Seen[] = [];

  /** @param provider origin of the sign-in: its forms are filled in with the name. */
  constructor(login: string, provider: string, password = 'any') {
    this.#login = login;
    this.#password = password;
    this.#provider = provider;
  }

  cookies(url: URL): string {
    const fitting = this.#cookies.filter(({ host, path }) => host === url.host && url.pathname.startsWith(path));
    return fitting.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  /** One request, nothing followed. */
  async step(url: URL, init: RequestInit = {}): Promise<Seen> {
    const reply = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string>), cookie: this.cookies(url) },
    });
    for (const line of reply.headers.getSetCookie()) this.#keep(url, line);
    const seen = { url, status: reply.status, headers: reply.headers, body: await reply.text() };
    if (url.origin !== this.#provider) this.steps.push(seen);
    return seen;
  }

  /** Follows redirects and signs in, until there is a page of ours, or the address of an application, which is not asked. */
  async open(address: string | URL, init: RequestInit = {}, application?: string): Promise<Seen> {
    let seen = await this.step(new URL(address), init);
    for (let steps = 0; steps < 15; steps++) {
      const location = seen.headers.get('location');
      const next = location === null ? undefined : new URL(location, seen.url);
      if (next && application !== undefined && next.href.startsWith(application)) return { ...seen, url: next };
      if (next) seen = await this.step(next);
      else if (seen.url.origin === this.#provider) seen = await this.#fillIn(seen);
      else return seen;
    }
    throw new Error(`no end of it: ${seen.url}`);
  }

  /** Presses a button of the page before them, as a browser does. */
  press(page: Seen, decision: 'yes' | 'no', headers: Record<string, string> = {}): Promise<Seen> {
    const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    return this.open(page.url, {
      method: 'POST',
      headers: { origin: page.url.origin, 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams({ token, decision }),
    });
  }

  #fillIn({ url, status, body }: Seen): Promise<Seen> {
    const action = /<form[^>]*action="([^"]+)"/.exec(body)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(body)?.[1];
    if (action === undefined || prompt === undefined) throw new Error(`no form: ${status} ${body.slice(0, 600)}`);
    const person = { login: this.#login, password: this.#password };
    const form = new URLSearchParams({ prompt, ...(prompt === 'login' && person) });
    return this.step(new URL(action, url), { method: 'POST', body: form });
  }

  #keep({ host }: URL, line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/';
    this.#cookies = this.#cookies.filter((one) => one.host !== host || one.name !== name || one.path !== path);
    if (value !== '' && !/max-age=0/i.test(line)) this.#cookies.push({ host, path, name, value });
  }
}
