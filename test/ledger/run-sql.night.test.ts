import './run-sql.slow.test.ts';
