import './opening.test.ts';
