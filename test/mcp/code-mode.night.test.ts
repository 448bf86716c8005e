import './code-mode.slow.test.ts';
