import './hurried.slow.test.ts';
