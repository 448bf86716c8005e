/** The answer of a tool that asks: terms for a person to approve, or the outcome. Shows only; it cannot act. */
import { start } from '../shared/bridge.ts';
import { type DecidedResult, decision } from '../shared/decision.ts';

start<DecidedResult>((data, _input, result) => decision(data, result));
