/**
 * What decides over money, and the tests that decide it in milliseconds: no sockets, no processes.
 */
const CLASSIFIER = [
  ...['judge', 'outcomes', 'faults', 'fault-forms', 'fault-table', 'next-steps', 'system-signs'],
  ...['http-failure', 'reply-identity'],
];

export const CORE = ['src/journal/**/*.ts', 'src/approvals/**/*.ts', `src/ota/{${CLASSIFIER.join()}}.ts`];

export const CORE_TESTS = [
  'test/journal/**/*.test.ts',
  'test/approvals/**/*.test.ts',
  'test/ota/{faults,faults-by-operation,faults-in-context,fault-forms,system-signs,judge,outcomes,http-failure,reply-identity,kept-reply}.test.ts',
];
