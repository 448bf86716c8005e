import './taking-over.test.ts';
