// Before a floor's bundle: the compile cache is on before the bundle is loaded, and written though the host may kill us.
const nodeModule = require('node:module');

nodeModule.enableCompileCache(process.env.FLOOR_CACHE);
require(process.env.FLOOR_BUNDLE);
setTimeout(() => nodeModule.flushCompileCache(), 200).unref();
