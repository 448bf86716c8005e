/** The page of a plan, answered over real HTTP with its own form, as a browser does. */
import { must } from '../scenes.ts';

export interface PlanPage {
  /** Bookings that can be ticked, by their number in the plan. */
  readonly lines: readonly number[];
  /** Bookings that come ticked. */
  readonly ticked: number;
  /** Without any it says no. */
  answer(lines: readonly number[]): Promise<void>;
  /** What a person reads there now. */
  text(): Promise<string>;
}

function visibleText(html: string): string {
  return html
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

export async function openPage(address: string): Promise<PlanPage> {
  const entered = await fetch(address, { redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const entryHtml = await entered.text();
  const next = entered.headers.get('location') ?? /content="0; url=([^"]+)"/.exec(entryHtml)?.[1] ?? address;
  const url = new URL(next, address).href;
  const fetchHtml = async () => (await fetch(url, { headers: { cookie } })).text();
  const html = await fetchHtml();
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1];
  must(token !== undefined, 'the page has no form');
  const boxes = [...html.matchAll(/<input [^>]*type="checkbox"[^>]*>/g)].map(([box]) => box);
  return {
    lines: boxes.flatMap((box) => Number(/name="line" value="(\d+)"/.exec(box)?.[1] ?? []) || []),
    ticked: boxes.filter((box) => / checked\b/.test(box)).length,
    async answer(lines) {
      const form = new URLSearchParams({ token, decision: lines.length > 0 ? 'yes' : 'no' });
      for (const line of lines) form.append('line', String(line));
      const { origin } = new URL(url);
      const headers = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' };
      const sent = await fetch(url, { method: 'POST', headers, body: form.toString(), redirect: 'manual' });
      must(sent.status === 303, `the page answered ${sent.status} to the answer`);
    },
    text: async () => visibleText(await fetchHtml()),
  };
}
