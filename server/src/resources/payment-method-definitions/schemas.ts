import { type Static, Type } from 'typebox'
import { Nullable, Strict } from '#platform/http/schemas.ts'

const PaymentMethodDefinition = Strict(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 50,
      description: 'The method’s identifier, as in `method` elsewhere.',
    }),
    method: Type.String({ minLength: 1, maxLength: 200 }),
    display_name: Type.String({ minLength: 1, maxLength: 200 }),
    long_display_name: Nullable(
      Type.String({ minLength: 1, maxLength: 200, description: 'Null if the short name is enough.' }),
    ),
    icon_url: Type.String({ format: 'uri' }),
  },
  {
    title: 'PaymentMethodDefinition',
    examples: [
      {
        id: 'sepa',
        method: 'sepa',
        display_name: 'SEPA',
        long_display_name: 'SEPA Direct Debit',
        icon_url: 'https://pay.example.com/assets/payment-methods/sepa.svg',
      },
    ],
  },
)

export const PaymentMethodDefinitions = Strict(
  { items: Type.Array(PaymentMethodDefinition) },
  { title: 'PaymentMethodDefinitions' },
)
export type PaymentMethodDefinitions = Static<typeof PaymentMethodDefinitions>
