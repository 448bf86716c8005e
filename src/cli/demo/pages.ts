/** Answers the page of a plan and the details page over real HTTP with their own forms, as a browser does. */
import type { EnteredDetails } from '../../domain/people/traveler.ts';
import { type CardField, inputName } from '../../pages/details/form.ts';
import { must } from './scenes.ts';

export interface PlanPage {
  /** Bookings that can be ticked, by their number in the plan. */
  readonly lines: readonly number[];
  /** Ticks these lines and says yes; without any line it says no. */
  answer(lines: readonly number[]): Promise<void>;
  /** Returns what a person reads on the page now. */
  text(): Promise<string>;
}

function visibleText(html: string): string {
  return html
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

function formToken(html: string): string {
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1];
  must(token !== undefined, 'the page has no form');
  return token;
}

function send(url: string, form: URLSearchParams, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const { origin } = new URL(url);
  const headers = { ...more, origin, 'content-type': 'application/x-www-form-urlencoded' };
  return fetch(url, { method: 'POST', headers, body: form.toString(), redirect: 'manual' });
}

/** Fills in a card of the details page for each person, and sends the form. @throws StoryFailure */
export async function enterDetails(url: string, people: readonly EnteredDetails[]): Promise<void> {
  const html = await (await fetch(url)).text();
  const form = new URLSearchParams({ token: formToken(html) });
  for (const [n, { given_name, surname, gender, birth_date, document }] of people.entries()) {
    // The first field of a date takes a whole date.
    const typed: Partial<Record<CardField, string | undefined>> = {
      given_name,
      surname,
      gender,
      birth_day: birth_date,
      document_type: document?.type,
      document_number: document?.number,
      nationality: document?.nationality,
      expires_day: document?.expires,
    };
    for (const [field, value = ''] of Object.entries(typed)) form.append(inputName(field as CardField, n), value);
  }
  const reply = await send(url, form);
  must(reply.status === 200, `the page answered ${reply.status} to the form`);
  must(/<h1[^>]*>[\s\S]*Thank you/.test(await reply.text()), 'the page did not take the form');
}

/** Opens the page of a plan, and follows the redirect that gives it its cookie. @throws StoryFailure */
export async function openPage(address: string): Promise<PlanPage> {
  const entry = await fetch(address, { redirect: 'manual' });
  const cookie = entry.headers.get('set-cookie')?.split(';')[0] ?? '';
  const entryHtml = await entry.text();
  const next = entry.headers.get('location') ?? /content="0; url=([^"]+)"/.exec(entryHtml)?.[1] ?? address;
  const url = new URL(next, address).href;
  const fetchHtml = async () => (await fetch(url, { headers: { cookie } })).text();
  const html = await fetchHtml();
  const token = formToken(html);
  const boxes = [...html.matchAll(/<input [^>]*type="checkbox"[^>]*>/g)].map(([box]) => box);
  return {
    lines: boxes.map((box) => /name="line" value="(\d+)"/.exec(box)?.[1]).flatMap((n) => (n ? [Number(n)] : [])),
    async answer(lines) {
      const form = new URLSearchParams({ token, decision: lines.length > 0 ? 'yes' : 'no' });
      for (const line of lines) form.append('line', String(line));
      const reply = await send(url, form, { cookie });
      must(reply.status === 303, `the page answered ${reply.status} to the answer`);
    },
    text: async () => visibleText(await fetchHtml()),
  };
}
