import './verify.test.ts';
