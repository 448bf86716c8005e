import './change-of-mind.slow.test.ts';
