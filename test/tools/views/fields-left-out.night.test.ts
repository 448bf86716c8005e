import './fields-left-out.slow.test.ts';
