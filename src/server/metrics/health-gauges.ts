/** Gauges of what sign-in depends on: the issuer's keys and this machine's clock. */
import { Gauge, type Registry } from 'prom-client';
import type { SignIn } from '../../domain/people/access-token.ts';
import type { ClockOffsets } from '../clock-offsets.ts';

export interface HealthSources {
  readonly clocks?: ClockOffsets;
  readonly signIn?: Pick<SignIn, 'keysAge' | 'warm'>;
}

/** Leaves out what is not known: 0 would be a guess. */
export function healthGauges(registers: Registry[], { clocks, signIn }: HealthSources): void {
  new Gauge({
    name: 'fareclerk_issuer_keys_age_seconds',
    help: "Age of the issuer's keys. They are fetched again after 10 minutes; without new ones, tokens are refused after an hour",
    registers,
    collect() {
      // An idle server without probes would keep old keys, and this gauge would tell of an issuer that failed.
      void signIn?.warm();
      const age = signIn?.keysAge();
      if (age === undefined) this.remove();
      else this.set(age / 1000);
    },
  });
  new Gauge({
    name: 'fareclerk_clock_offset_seconds',
    help: "By how much this machine's clock is ahead of another (issuer, database, airline); negative: behind",
    labelNames: ['of'],
    registers,
    collect() {
      for (const [of, ms] of clocks?.all() ?? []) this.set({ of }, ms / 1000);
    },
  });
}
