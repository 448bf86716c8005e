/**
 * Loaded into the clerk before it starts: while the file named by CANARY_SABOTAGE is there, every statement on the state
 * file fails with an error whose words are all that it was given.
 */
import { existsSync } from 'node:fs';
import { StatementSync } from 'node:sqlite';

const trigger = process.env.CANARY_SABOTAGE ?? '';

for (const name of ['run', 'get', 'all'] as const) {
  const real = StatementSync.prototype[name];
  Reflect.set(StatementSync.prototype, name, function (this: StatementSync, ...given: unknown[]) {
    if (existsSync(trigger)) {
      const words = `constraint failed: ${this.sourceSQL} ${JSON.stringify(given, (_, v) => (typeof v === 'bigint' ? String(v) : v))}`;
      throw Object.assign(new Error(words, { cause: new Error(words) }), { given, detail: words });
    }
    return Reflect.apply(real, this, given);
  });
}
