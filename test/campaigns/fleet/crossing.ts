/**
 * Many callers, interleaved on two instances that share one state: what one asked at one instance goes on at the other,
 * and nobody gets what is another's.
 */

import type { Call, Came } from '../support/instance-process.ts';
import type { Instance } from '../support/instances.ts';
import { inParallel } from '../support/pace.ts';
import type { Fleet } from './support/fleet.ts';

/** Bookings that the callers share out; every caller reads one, and sees no other. */
const BOOKINGS = 10;
const AT_ONCE = 50;

export interface Crossed {
  readonly callers: number;
  readonly problems: readonly string[];
}

interface One {
  readonly caller: { readonly tenant: string; readonly id: string };
  readonly locator: string;
  /** The instance that it asks first, and the other. */
  readonly here: number;
}

export async function crossCallers(fleet: Fleet, callers: number): Promise<Crossed> {
  const instances = await fleet.start(2);
  const locators = await inParallel(
    Array.from({ length: BOOKINGS }),
    2,
    async () => (await fleet.stock.held()).locator,
  );
  const all = Array.from({ length: callers }, (_, i): One => {
    const caller = { tenant: `issuer-${i % 3}`, id: `oauth:caller-${i}:desk` };
    return { caller, locator: locators[i % BOOKINGS] ?? '', here: i % 2 };
  });
  const read = ({ caller, locator }: One): Call => ({ tool: 'read_booking', args: { locator }, caller });
  await at(instances, all, 0, read);
  const asked = await at(instances, all, 0, cancel);
  const again = await at(instances, all, 1, (one, i) => withHandle(cancel(one), asked[i]));
  const foreign = await at(instances, all, 1, (one, i) => withHandle(cancel(one), asked[(i + 1) % callers]));
  const ledger = await at(instances, all, 1, ({ caller }) => ({ tool: 'list_bookings', args: {}, caller }));
  await Promise.all(instances.map((instance) => instance.close()));
  const problems = all.flatMap((one, i) => {
    const own = asked[i]?.question;
    const wrong = [
      own?.message.includes(one.locator) ? '' : `was asked ${asked[i]?.code}`,
      again[i]?.question?.handle === own?.handle ? '' : `its own question came back as ${again[i]?.code}`,
      foreign[i]?.code === 'E_APPROVAL_INVALID' ? '' : `another's question was ${foreign[i]?.code}`,
      seen(ledger[i]).join() === one.locator ? '' : `its ledger shows ${seen(ledger[i]).join()}`,
    ];
    return wrong.filter((word) => word !== '').map((word) => `${one.caller.id}: ${word}`);
  });
  return { callers, problems };
}

const cancel = ({ caller, locator }: One): Call => ({ tool: 'cancel_booking', args: { locator }, caller });

function withHandle(call: Call, asked: Came | undefined): Call {
  return { ...call, args: { ...call.args, approval_id: asked?.question?.handle ?? 'none' } };
}

function seen(came: Came | undefined): string[] {
  const { bookings = [] } = (came?.structured ?? {}) as { bookings?: { locator: string }[] };
  return bookings.map(({ locator }) => locator);
}

/** Every caller's call, at the instance that it asks first (0) or at the other (1), both at work at once. */
async function at(
  instances: readonly Instance[],
  all: readonly One[],
  other: 0 | 1,
  callOf: (one: One, i: number) => Call,
): Promise<readonly (Came | undefined)[]> {
  const came: (Came | undefined)[] = [];
  await Promise.all(
    instances.map(async (instance, n) => {
      const mine = all.map((one, i) => ({ one, i })).filter(({ one }) => (one.here + other) % 2 === n);
      const got = await instance.calls(
        mine.map(({ one, i }) => callOf(one, i)),
        AT_ONCE,
      );
      mine.forEach(({ i }, place) => {
        came[i] = got[place];
      });
    }),
  );
  return came;
}
