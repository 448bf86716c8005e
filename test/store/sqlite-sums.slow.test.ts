import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { describeSums } from './sums-suite.ts';

describeSums('SQLite', (now) => openSqliteState(':memory:', { now }));
