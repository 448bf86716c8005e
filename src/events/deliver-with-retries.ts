/**
 * Delivers events to one address: each at least once, and those of a booking in order. A delivery that fails is tried
 * again for three days, then given up.
 */

import { createHash } from 'node:crypto';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../core/times.ts';
import type { Clock } from '../journal/ports.ts';
import { type DeskEvent, eventPayload } from './event.ts';
import type { Deliveries, DueDelivery, Outbox } from './ports.ts';
import type { Message, Sender, SendResult } from './signed-post.ts';

export interface DeliverOptions {
  readonly outbox: Outbox;
  readonly deliveries: Deliveries;
  readonly clock: Clock;
  readonly sender: Sender;
  /** Called with the outcome of each try. `dead`: the delivery is given up. */
  readonly onTry?: (result: 'delivered' | 'failed' | 'dead') => void;
  /** A random number in [0, 1). */
  readonly random?: () => number;
}

/** What an address gets of an event: a message, nothing ever, or nothing before a time (milliseconds since 1970). */
export type ReceiverDecision =
  | { readonly kind: 'send'; readonly message: Message }
  | { readonly kind: 'skip' }
  | { readonly kind: 'wait'; readonly notBefore: number };

/** An address that gets events, and the messages that it gets. */
export interface EventReceiver {
  readonly address: string;
  /** The address as the setting names it. {@link receiverName} makes its key from this. */
  readonly configuredAddress: string;
  /** Decides what the address gets of an event now. */
  decide(event: DeskEvent, now: number): Promise<ReceiverDecision>;
  /** A message without an event, to see whether it arrives. */
  testMessage(now: number): Message;
}

/** An address that gets each event as JSON, with its ids and times. */
export function webhook(address: string): EventReceiver {
  return {
    address,
    configuredAddress: address,

    async decide(event) {
      const message = { id: event.id, body: JSON.stringify(eventPayload(event)), isSigned: true };
      return { kind: 'send', message };
    },

    testMessage: (now) => ({
      id: `test/${now}`,
      body: JSON.stringify({ type: 'test', timestamp: new Date(now).toISOString(), data: {} }),
      isSigned: true,
    }),
  };
}

/** The key by which an address is stored: a hash, because the address may contain a secret. */
export function receiverName(address: string): string {
  return createHash('sha256').update(address).digest('hex').slice(0, 16);
}

/** The most deliveries at once to one address. */
const MOST_AT_ONCE = 8;
/** The most events entered for one address in one pass. */
const MOST_ENTERED = 500;
/** How long to wait after the first try, the second, and every other one until the event is given up, milliseconds. */
const DELAYS_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];
/** How long after its first failure an event is still tried, milliseconds. */
const GIVE_UP_MS = 3 * 24 * HOUR_MS;
/** The share by which a wait is drawn longer or shorter, so that processes do not try all at once. */
const SPREAD = 0.2;

export class Deliverer {
  readonly #target: EventReceiver;
  /** The key of the target: {@link receiverName}. */
  readonly #receiver: string;
  readonly #options: DeliverOptions;
  /** Until when the address asked for a pause, milliseconds since 1970. */
  #pausedUntil = 0;
  /** How many to send at once: one after a pause, then twice as many after each pass. */
  #atOnce = MOST_AT_ONCE;

  constructor(target: EventReceiver, options: DeliverOptions) {
    this.#target = target;
    this.#receiver = receiverName(target.configuredAddress);
    this.#options = options;
  }

  /** Delivers some of what is due. Returns false if nothing was. */
  async pass(): Promise<boolean> {
    const { outbox, deliveries, clock } = this.#options;
    const { upTo, stoppedAt } = await deliveries.begin(this.#receiver);
    if (stoppedAt !== undefined || clock.now() < this.#pausedUntil) return false;

    const newEvents = await outbox.after(upTo, MOST_ENTERED);
    await deliveries.enter(this.#receiver, newEvents, clock.now());

    const dueDeliveries = await deliveries.due(this.#receiver, clock.now(), this.#atOnce);
    // Waits for all before it fails: the next pass must not send what this one is still sending.
    const results = await Promise.allSettled(dueDeliveries.map((delivery) => this.#deliver(delivery)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    this.#atOnce = clock.now() < this.#pausedUntil ? 1 : Math.min(MOST_AT_ONCE, this.#atOnce * 2);

    return newEvents.length > 0 || dueDeliveries.length > 0;
  }

  async #deliver(delivery: DueDelivery): Promise<void> {
    const { deliveries, sender, clock } = this.#options;
    const { event, n } = delivery;
    const decision = await this.#target.decide(event, clock.now());
    if (decision.kind === 'skip') return deliveries.delivered(this.#receiver, n, clock.now());
    if (decision.kind === 'wait') return deliveries.postpone(this.#receiver, n, decision.notBefore);

    const result = await sender.send(this.#target.address, decision.message);
    const now = clock.now();
    if (result.kind === 'gone') {
      await deliveries.stop(this.#receiver, now, result.said);
      this.#options.onTry?.('dead');
      return;
    }
    if (result.kind === 'failed') return this.#noteFailure(delivery, now, result);

    await deliveries.delivered(this.#receiver, n, now);
    this.#options.onTry?.('delivered');
  }

  async #noteFailure(
    delivery: DueDelivery,
    now: number,
    { said, pauseMs }: Extract<SendResult, { readonly said: string }>,
  ): Promise<void> {
    const { random = Math.random, deliveries, onTry } = this.#options;
    if (pauseMs !== undefined) this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs);
    const retryAt = nextTryAt(delivery, now, random());
    const dead = retryAt === undefined;

    // The event did not cause the pause, so it is sent as soon as the pause is over.
    const nextAt = dead || pauseMs === undefined ? (retryAt ?? now) : now + pauseMs;
    await deliveries.failed(this.#receiver, delivery.n, { now, nextAt, said, dead });
    onTry?.(dead ? 'dead' : 'failed');
  }
}

/**
 * Computes when to try an event again that has just failed. Undefined: it is given up.
 * @param draw a random number in [0, 1), from which the wait is spread
 */
function nextTryAt({ tries, failedAt }: DueDelivery, now: number, draw: number): number | undefined {
  if (failedAt !== undefined && now - failedAt >= GIVE_UP_MS) return undefined;
  const delayMs = DELAYS_MS[Math.min(tries, DELAYS_MS.length - 1)] ?? 0;
  return Math.round(now + delayMs * (1 - SPREAD + 2 * SPREAD * draw));
}
