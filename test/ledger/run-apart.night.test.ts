import './run-apart.slow.test.ts';
