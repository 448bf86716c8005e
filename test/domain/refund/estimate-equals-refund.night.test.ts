import './estimate-equals-refund.test.ts';
