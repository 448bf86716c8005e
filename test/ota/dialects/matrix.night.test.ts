import './matrix.slow.test.ts';
