import { ACTS } from './rules.ts';

interface Shown {
  readonly not_allowed?: Readonly<Record<string, string>> | undefined;
}

const TOOLS = [
  ...ACTS.all.flatMap(({ name, whyNot }) => (whyNot === undefined ? [] : [name])),
  'get_seat_map',
  'get_tickets',
];

/** What a reading says of each tool: what it does not name is allowed, and what is refused for some segments too. */
export function permissionsOf({ not_allowed: refused = {} }: Shown): Record<string, { ok: boolean; why?: string }> {
  return Object.fromEntries([
    ...TOOLS.map((tool) => [tool, { ok: true }]),
    ...Object.entries(refused).map(([tool, why]) => [tool, { ok: false, why }]),
  ]);
}
