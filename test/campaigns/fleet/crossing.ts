/**
 * Many callers, interleaved on two instances that share one state: what one asked at one instance goes on at the other,
 * and nobody gets what is another's.
 */
import type { Call, Came } from '../support/instance-process.ts';
import { inParallel } from '../support/pace.ts';
import type { Proved } from '../support/report.ts';
import type { Fleet } from './support/fleet.ts';

/** Each has two callers or more, whose calls differ by the caller alone. */
const BOOKINGS = 10;
const AT_ONCE = 50;

export async function crossCallers(fleet: Fleet, callers: number): Promise<Proved> {
  const instances = await fleet.start(2);
  const held = await inParallel(Array.from({ length: BOOKINGS }), 2, () => fleet.stock.held());
  const all = Array.from({ length: callers }, (_, i) => {
    const booking = i % BOOKINGS;
    const nth = Math.floor(i / BOOKINGS);
    // The callers of a booking share their issuer, or their name.
    const [issuer, name] = booking % 2 === 0 ? [booking, i] : [nth, booking];
    const caller = { tenant: `issuer-${issuer}`, id: `oauth:caller-${name}:desk` };
    const locator = held[booking]?.locator ?? '';
    return { caller, locator, cancel: { tool: 'cancel_booking', args: { locator }, caller } };
  });

  /** Every caller's call, at the instance that it asks first (0) or at the other (1), both at work at once. */
  async function at(other: 0 | 1, callOf: (one: (typeof all)[number], i: number) => Call) {
    const came: (Came | undefined)[] = [];
    await Promise.all(
      instances.map(async (instance, n) => {
        const mine = [...all.entries()].filter(([i]) => (i + other) % 2 === n);
        const calls = mine.map(([i, one]) => callOf(one, i));
        const got = await instance.calls(calls, AT_ONCE);
        mine.forEach(([i], place) => {
          came[i] = got[place];
        });
      }),
    );
    return came;
  }
  const withHandle = (call: Call, asked: Came | undefined): Call => {
    return { ...call, args: { ...call.args, approval_id: asked?.question?.handle ?? 'none' } };
  };

  await at(0, ({ caller, locator }) => ({ tool: 'read_booking', args: { locator }, caller }));
  const asked = await at(0, ({ cancel }) => cancel);
  const again = await at(1, ({ cancel }, i) => withHandle(cancel, asked[i]));
  const foreign = await at(1, ({ cancel }, i) => withHandle(cancel, asked[(i + BOOKINGS) % callers]));
  const ledger = await at(1, ({ caller }) => ({ tool: 'list_bookings', args: {}, caller }));
  const problems = all.flatMap(({ caller, locator }, i) => {
    const question = asked[i]?.question;
    const { bookings = [] } = (ledger[i]?.structured ?? {}) as { bookings?: { locator: string }[] };
    const shows = bookings.map((one) => one.locator).join();
    const rules: [boolean, string][] = [
      [question?.message.includes(locator) === true, `was asked ${asked[i]?.code}`],
      [again[i]?.question?.handle === question?.handle, `its own question came back as ${again[i]?.code}`],
      [foreign[i]?.code === 'E_APPROVAL_INVALID', `another's question was ${foreign[i]?.code}`],
      [shows === locator, `its ledger shows ${shows}`],
    ];
    return rules.filter(([good]) => !good).map(([, word]) => `${caller.id} of ${caller.tenant}: ${word}`);
  });
  return { seen: `${callers} callers on two instances`, problems };
}
