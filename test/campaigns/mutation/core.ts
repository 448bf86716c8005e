/**
 * What decides over money, and the tests that decide it in milliseconds: no sockets, no processes.
 */
const CLASSIFIER = [
  ...['classify-reply', 'exchange-errors', 'faults', 'fault-forms', 'fault-table', 'next-steps', 'system-errors'],
  ...['transport-failure', 'reply-identity'],
];

export const CORE = ['src/journal/**/*.ts', 'src/approvals/**/*.ts', `src/ota/errors/{${CLASSIFIER.join()}}.ts`];

export const CORE_TESTS = ['test/journal/**/*.test.ts', 'test/approvals/**/*.test.ts', 'test/ota/errors/*.test.ts'];
