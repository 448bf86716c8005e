// Stands in for undici in the bundle: its own entry also brings fetch, web sockets and caches, which slow the first call.
export { default as Agent } from '../../node_modules/undici/lib/dispatcher/agent.js';
