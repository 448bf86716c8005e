import './kept-rows.slow.test.ts';
