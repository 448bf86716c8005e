interface Sharing {
  /** How long a result counts after its run ended, milliseconds: 0. */
  readonly keepMs?: number;
  /** Milliseconds. */
  readonly tick?: () => number;
}

/**
 * Shares one run of `work` among all who call meanwhile, and its result for some time after. A failure reaches those
 * who waited for it and is not kept: the next call tries again. The arguments of the call that begins a run count for
 * all who share it.
 */
export function singleFlight<A extends readonly unknown[], T>(
  work: (...args: A) => Promise<T>,
  { keepMs = 0, tick = () => performance.now() }: Sharing = {},
): (...args: A) => Promise<T> {
  let latest: { readonly result: Promise<T>; sharedUntil: number } | undefined;
  return (...args) => {
    if (latest !== undefined && tick() < latest.sharedUntil) return latest.result;
    const flight = { result: work(...args), sharedUntil: Number.POSITIVE_INFINITY };
    latest = flight;
    flight.result.then(
      () => {
        flight.sharedUntil = tick() + keepMs;
      },
      () => {
        flight.sharedUntil = Number.NEGATIVE_INFINITY;
      },
    );
    return flight.result;
  };
}
