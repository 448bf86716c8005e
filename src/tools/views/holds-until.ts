/** Until when the sum of a refund holds: its later steps, or the end of cancelling, say that. Without imports, for the views in a conversation too. */

interface Held {
  readonly refund_now?: string | undefined;
  readonly between?: object | undefined;
  readonly valid_until?: string | undefined;
  readonly later?: readonly { readonly from: string }[] | undefined;
  readonly cancel_until?: string | undefined;
}

/** Gives the first time at which something else comes back. Undefined if nothing comes back now, and nothing will. */
export function holdsUntil({ refund_now: back, between, valid_until, later, cancel_until }: Held): string | undefined {
  const mayComeBack = between !== undefined || Number(back) > 0;
  return valid_until ?? later?.[0]?.from ?? (mayComeBack ? cancel_until : undefined);
}
