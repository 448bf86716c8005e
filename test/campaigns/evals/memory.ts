/**
 * What a caller knows: filled in where a scene's texts and arguments name it, and learned from results.
 */
export type Memory = Map<string, string>;

/** `{name}` in texts, deep; a text that is nothing but one name becomes its value. */
export function filled<T>(value: T, memory: Memory, now: number): T {
  if (typeof value === 'string')
    return value.replace(/\{([\w+-]+)\}/g, (whole, name) => known(name, memory, now) ?? whole) as T;
  if (Array.isArray(value)) return value.map((each) => filled(each, memory, now)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, memory, now)])) as T;
}

function known(name: string, memory: Memory, now: number): string | undefined {
  const days = /^day([+-]\d+)$/.exec(name)?.[1];
  return days === undefined ? memory.get(name) : dayAfter(now, Number(days));
}

export function dayAfter(now: number, days: number): string {
  return new Date(now + days * 86_400_000).toISOString().slice(0, 10);
}

interface Structured {
  readonly offers?: readonly { readonly offer_id: string; readonly total: string }[];
  readonly booking?: { readonly locator?: string; readonly total?: string };
  readonly approval?: { readonly id: string };
  readonly operation_id?: string;
  readonly plan_id?: string;
  readonly new_locator?: string;
  readonly segments?: readonly {
    readonly cabins?: readonly { readonly seats?: readonly { readonly seat: string; readonly status: string }[] }[];
  }[];
}

/** Keeps the handles of a result, as a model would carry them along. */
export function learn(memory: Memory, structured: Readonly<Record<string, unknown>>): void {
  const { offers, booking, approval, operation_id, plan_id, new_locator, segments } = structured as Structured;
  const free = segments
    ?.flatMap(({ cabins = [] }) => cabins.flatMap(({ seats = [] }) => seats))
    .find(({ status }) => status === 'free');
  const facts: Readonly<Record<string, string | undefined>> = {
    offer: offers?.[0]?.offer_id,
    total: offers?.[0]?.total ?? booking?.total,
    locator: booking?.locator,
    approval: approval?.id,
    operation: operation_id,
    plan: plan_id,
    new_locator,
    seat: free?.seat,
  };
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) memory.set(name, value);
}
