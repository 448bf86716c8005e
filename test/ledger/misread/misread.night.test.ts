import './misread.slow.test.ts';
