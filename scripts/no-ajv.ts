/**
 * Stands in for the server SDK's `_shims` module in the bundle: no AJV. The server hands the SDK JSON Schemas with a
 * validator of its own (src/server/mcp/server.ts), so AJV would be loaded at every start and never used.
 */
import process from 'node:process';

class DefaultJsonSchemaValidator {
  getValidator() {
    return (data: unknown) => ({ valid: true, data, errorMessage: undefined });
  }
}

export { DefaultJsonSchemaValidator, process };
