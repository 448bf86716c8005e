import './presented.test.ts';
