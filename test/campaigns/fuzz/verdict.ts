/**
 * What must hold of every result, whatever came in.
 */
import type { Answer } from '../support/office.ts';
import type { Bench } from './bench.ts';
import type { Plan } from './plans.ts';

/** Control, direction and lone surrogate characters, but for the line ends of our own text. */
const UNCLEAN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

export interface Seen {
  readonly outcome: string;
  /** What is wrong with it; absent: nothing. */
  readonly wrong?: string | undefined;
}

/** @param deep whether the result is held against its schema too */
export function judgeResult(answer: Answer, tool: string, bench: Bench, deep: boolean): Seen {
  if (answer.kind !== 'result') {
    const text = answer.message;
    return { outcome: answer.kind, ...(UNCLEAN.test(text) && { wrong: 'unclean question' }) };
  }
  const { structured, text, isError } = answer;
  const error = structured.error as { code?: string; effect?: string; next?: string; message?: string } | undefined;
  const outcome = isError ? String(error?.code) : String(structured.status ?? 'ok');
  const wrong = (why: string): Seen => ({ outcome, wrong: why });
  if (outcome === 'E_INTERNAL') return wrong(`E_INTERNAL: ${error?.message}`);
  if (isError && (!error?.next || !/^(?:none|unknown)$/.test(error.effect ?? '')))
    return wrong('an error without its parts');
  if (isError && tool === 'search_fares' && /read_booking|locator/.test(error?.next ?? ''))
    return wrong(`a search that ends in: ${error?.next}`);
  if (UNCLEAN.test(text)) return wrong(`unclean text: ${JSON.stringify(UNCLEAN.exec(text)?.[0])}`);
  if (text.length > 200_000) return wrong(`a text of ${text.length} characters`);
  if (deep) {
    const invalid = bench.invalid(tool, JSON.parse(JSON.stringify(structured)));
    if (invalid !== undefined) return wrong(`not its schema: ${invalid}`);
  }
  return { outcome };
}

/** The same, of a call whose replies were spoilt. */
export function judgePlan(answer: Answer, plan: Plan, bench: Bench, deep: boolean): Seen {
  const { outcome, wrong = misled(answer, plan, bench.sent) } = judgeResult(answer, plan.tool, bench, deep);
  return { outcome: `${plan.tool} ${outcome}`, wrong };
}

function misled(answer: Answer, plan: Plan, sent: readonly string[]): string | undefined {
  if (sent.length > (plan.mayChange ? 1 : 0)) return `sent ${sent.join(', ')}`;
  if (plan.blamed() && answer.kind === 'result' && (answer.structured.error as { effect?: string })?.effect === 'none')
    return 'a failed system was taken for a refusal';
  if (answer.kind !== 'result' || answer.isError || plan.locator === undefined) return undefined;
  const { booking, status } = answer.structured as { booking?: { locator?: string }; status?: string };
  if (booking?.locator !== undefined && booking.locator !== plan.locator)
    return `booking ${booking.locator} for ${plan.locator}`;
  const tells = plan.tool === 'read_booking' || plan.tool === 'get_seat_map' || status === 'done';
  if (plan.foreign() && tells && plan.tool !== 'get_seat_map' && !answer.text.includes('No answer settled it')) {
    return "somebody else's reply was taken for the answer";
  }
  return undefined;
}
