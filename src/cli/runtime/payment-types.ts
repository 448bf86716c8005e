/** Lists pay_booking with the ways to pay that are taken here, so that a model never proposes another one. */
import type { PaymentType } from '../../domain/booking/airline-requests.ts';
import type { JsonSchema, ToolSchemas } from '../../server/schemas.ts';

export function withPaymentTypes(schemas: ToolSchemas, taken: readonly PaymentType[] | undefined): ToolSchemas {
  if (taken === undefined) return schemas;
  return {
    ...schemas,
    input: (tool) => (tool.name === 'pay_booking' ? narrowed(schemas.input(tool), taken) : schemas.input(tool)),
  };
}

function narrowed(schema: JsonSchema, taken: readonly PaymentType[]): JsonSchema {
  const payment = schema.properties?.payment ?? {};
  const type = { ...payment.properties?.type, enum: taken };
  return {
    ...schema,
    properties: { ...schema.properties, payment: { ...payment, properties: { ...payment.properties, type } } },
  };
}
