interface Shown {
  readonly allowed: readonly string[];
  readonly not_allowed?:
    | readonly {
        readonly tools: readonly string[];
        readonly segment_refs?: readonly string[] | undefined;
        readonly why: string;
      }[]
    | undefined;
}

/** What a reading says of each tool. */
export function permissionsOf({
  allowed,
  not_allowed: refused = [],
}: Shown): Record<string, { ok: boolean; why?: string }> {
  return Object.fromEntries([
    ...allowed.map((tool) => [tool, { ok: true }]),
    // What is refused for some segments is allowed for the others.
    ...refused.flatMap(({ tools, segment_refs: some, why }) =>
      some ? [] : tools.map((tool) => [tool, { ok: false, why }]),
    ),
  ]);
}
