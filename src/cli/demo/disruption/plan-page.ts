/** Answers the page of a plan over real HTTP with its own form, as a browser does. */
import { must } from '../stage.ts';

export interface PlanPage {
  /** Bookings that can be ticked, by their number in the plan. */
  readonly lines: readonly number[];
  /** Ticks these lines and says yes; without any line it says no. */
  answer(lines: readonly number[]): Promise<void>;
  /** The page as it is now. */
  html(): Promise<string>;
}

/** Opens the page of a plan, and follows the redirect that gives it its cookie. @throws StoryFailure */
export async function openPage(address: string): Promise<PlanPage> {
  const entry = await fetch(address, { redirect: 'manual' });
  const cookie = entry.headers.get('set-cookie')?.split(';')[0] ?? '';
  const entryHtml = await entry.text();
  const next = entry.headers.get('location') ?? /content="0; url=([^"]+)"/.exec(entryHtml)?.[1] ?? address;
  const url = new URL(next, address);
  const html = async () => (await fetch(url, { headers: { cookie } })).text();
  const form = await html();
  const token = /name="token" value="([^"]+)"/.exec(form)?.[1];
  must(token !== undefined, 'the page has no form');
  const boxes = [...form.matchAll(/<input [^>]*type="checkbox"[^>]*>/g)].map(([box]) => box);
  return {
    lines: boxes.map((box) => /name="line" value="(\d+)"/.exec(box)?.[1]).flatMap((n) => (n ? [Number(n)] : [])),
    async answer(lines) {
      const body = new URLSearchParams({ token, decision: lines.length > 0 ? 'yes' : 'no' });
      for (const line of lines) body.append('line', String(line));
      const headers = { cookie, origin: url.origin };
      const { status } = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
      must(status === 303, `the page answered ${status} to the answer`);
    },
    html,
  };
}
