/** Breaks of watching and events: what the airline changed is found and told (src/watching, src/events, src/store). */
import { AFTER_ACTS, type Breaks, EVENTS, tests, WATCHING } from './break.ts';

export const NOTICES: Breaks = {
  'readings-never-compared': {
    promise: 'what the airline changed is found',
    file: 'cli/runtime/journal-and-watcher.ts',
    find: 'return (await watching.compareReading(comparer, caller, booking, begunAt)).isQuiet;',
    replace: 'return true;',
    seenBy: [WATCHING],
  },
  'no-findings': {
    promise: 'each difference of two readings is a finding',
    file: 'watching/compare-reading.ts',
    find: 'const found = await findings.add(change.differences.map(',
    replace: 'const found = await findings.add(change.differences.slice(1).map(',
    seenBy: [tests('watching/compare-reading'), WATCHING, AFTER_ACTS],
  },
  'own-acts-are-findings': {
    promise: 'what we did ourselves is no finding',
    file: 'watching/compare-reading.ts',
    find: 'const acting = operations.filter((operation) => MAY_HAVE_ACTED.has(operation.state));',
    replace: "const acting = operations.filter((operation) => operation.state === 'resolved');",
    seenBy: [tests('watching/after-operations'), AFTER_ACTS],
  },
  'older-reading-wins': {
    promise: 'a reading that began earlier changes nothing',
    file: 'watching/compare-reading.ts',
    find: 'if (hasReading(stored) && begunAt < stored.readAt) return STALE;',
    replace: '',
    seenBy: [tests('watching/compare-reading')],
  },
  'budget-twentyfold': {
    promise: 'watching keeps to its budget',
    file: 'watching/watcher.ts',
    find: 'const turns = createTurns(Math.ceil(HOUR_MS / readsPerHour));',
    replace: 'const turns = createTurns(Math.ceil(HOUR_MS / readsPerHour / 20));',
    seenBy: [tests('watching/watcher'), WATCHING],
  },
  'two-watchers': {
    promise: 'one process of a fleet watches',
    file: 'watching/watcher.ts',
    find: 'if (!(await lease.hold(now))) return OTHER_MS;',
    replace: 'await lease.hold(now);',
    seenBy: [tests('watching/watcher')],
  },
  'watching-before-people': {
    promise: 'calls of people come before watching',
    file: 'watching/watcher.ts',
    find: 'if (options.isBusy()) return BUSY_MS;',
    replace: '',
    seenBy: [tests('watching/watcher')],
  },
  'empty-events': {
    promise: 'an event says what happened',
    file: 'events/event.ts',
    find: 'return { type, timestamp: isoTime(at), data };',
    replace: "return { type: 'names.due', timestamp: isoTime(at), data: data.tenant === '' ? data : {} };",
    seenBy: [tests('events/deliver'), EVENTS],
  },
  'delivered-before-sent': {
    promise: 'each event arrives at least once',
    file: 'events/deliver-with-retries.ts',
    find: '    const result = await sender.send(this.#target.address, decision.message);\n',
    replace:
      '    await deliveries.delivered(this.#receiver, n, clock.now());\n    const result = await sender.send(this.#target.address, decision.message);\n',
    seenBy: [tests('events/deliver'), EVENTS],
  },
  'unsigned-events': {
    promise: 'each event is signed over its body',
    file: 'events/signed-post.ts',
    find: '.update(`${id}.${time}.${body}`)',
    replace: '.update(`${id}.${time}.`)',
    seenBy: [tests('events/signed-post'), EVENTS],
  },
  'events-to-private-addresses': {
    promise: 'no event leads into a private network',
    file: 'events/signed-post.ts',
    find: 'if (first === undefined || !addresses.every(({ address }) => mayReach(host, address)))',
    replace: "if (first === undefined || mayReach(host, '') === undefined)",
    seenBy: [tests('events/signed-post')],
  },
  'findings-without-events': {
    promise: 'each finding is an event',
    file: 'store/event-triggers.ts',
    find: "      when: 'true',\n",
    replace: "      when: '1 = 0',\n",
    seenBy: [tests('store/sqlite'), EVENTS],
  },
  'settled-without-events': {
    promise: 'each settled operation is an event',
    file: 'store/event-triggers.ts',
    find: "new.state in ('succeeded', 'refused', 'not_executed', 'needs_person', 'resolved')`",
    replace: "new.state in ('needs_person', 'resolved')`",
    seenBy: [tests('store/sqlite'), EVENTS],
  },
};
