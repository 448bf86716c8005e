import './at-once.slow.test.ts';
