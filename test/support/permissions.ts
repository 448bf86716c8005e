import { ACTS } from './rules.ts';

interface Shown {
  readonly not_allowed?:
    | readonly {
        readonly tools: readonly string[];
        readonly segment_refs?: readonly string[] | undefined;
        readonly why: string;
      }[]
    | undefined;
}

const TOOLS = [
  ...ACTS.all.flatMap(({ name, whyNot }) => (whyNot === undefined ? [] : [name])),
  'get_seat_map',
  'get_tickets',
];

/** What a reading says of each tool: what it does not name is allowed, and what is refused for some segments too. */
export function permissionsOf({ not_allowed: refused = [] }: Shown): Record<string, { ok: boolean; why?: string }> {
  const whole = refused.filter(({ segment_refs: some }) => some === undefined);
  return Object.fromEntries([
    ...TOOLS.map((tool) => [tool, { ok: true }]),
    ...whole.flatMap(({ tools, why }) => tools.map((tool) => [tool, { ok: false, why }])),
  ]);
}
