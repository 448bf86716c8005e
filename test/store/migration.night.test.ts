import './migration.test.ts';
