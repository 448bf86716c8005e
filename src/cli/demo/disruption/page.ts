/** The person at the page: opens its address, ticks lines and says yes, as a browser does, over real HTTP. */
import { must } from '../scenes.ts';

export interface PlanPage {
  /** Title of the question. */
  readonly title: string;
  /** Lines that can be ticked. */
  readonly lines: readonly number[];
  /** Lines that come ticked. */
  readonly ticked: number;
  yes(lines: readonly number[]): Promise<void>;
  /** The page as it is now. */
  look(): Promise<string>;
}

const titleIn = (html: string): string => textOf(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? '');

/** What a person reads. */
export function textOf(html: string): string {
  return html
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}

export const pageTitle = titleIn;

/** Each line of the plan after the yes: its state in words, and why. */
export function linesIn(html: string): ReadonlyMap<number, string> {
  const rows = html.matchAll(
    /<tr role="row"><td role="cell"><p><strong>(\d+)\.[\s\S]*?<td role="cell">([\s\S]*?)<\/td>/g,
  );
  return new Map([...rows].map(([, n, state = '']) => [Number(n), textOf(state)]));
}

export async function openPage(address: string): Promise<PlanPage> {
  const entered = await fetch(address, { redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const first = await entered.text();
  const next = entered.headers.get('location') ?? /content="0; url=([^"]+)"/.exec(first)?.[1] ?? address;
  const url = new URL(next, address).href;
  const look = async () => (await fetch(url, { headers: { cookie } })).text();
  const html = await look();
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1];
  must(token !== undefined, 'the page has no form');
  const boxes = [...html.matchAll(/<input type="checkbox" name="line" value="(\d+)"( checked)?>/g)];
  return {
    title: titleIn(html),
    lines: boxes.map(([, line]) => Number(line)),
    ticked: boxes.filter(([, , checked]) => checked !== undefined).length,
    async yes(lines) {
      const form = new URLSearchParams({ token, decision: 'yes' });
      for (const line of lines) form.append('line', String(line));
      const { origin } = new URL(url);
      const headers = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' };
      const sent = await fetch(url, { method: 'POST', headers, body: form.toString(), redirect: 'manual' });
      must(sent.status === 303, `the page answered ${sent.status} to the yes`);
    },
    look,
  };
}
