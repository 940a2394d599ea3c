import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

const MerchantInitiated = Type.Boolean({ description: 'Whether the merchant acts without the buyer.' })

export const CreateNetworkToken = Strict(
  {
    merchant_initiated: MerchantInitiated,
    is_subsequent_payment: Type.Boolean({
      description: 'Whether the buyer has paid with this card before.',
    }),
    security_code: Type.Optional(
      Nullable(
        Type.String({
          ...WRITTEN.securityCode,
          description: '3 or 4 digits. Passed on to the token service, and not stored.',
        }),
      ),
    ),
  },
  {
    title: 'CreateNetworkToken',
    examples: [{ merchant_initiated: false, is_subsequent_payment: false }],
  },
)
export type CreateNetworkToken = Static<typeof CreateNetworkToken>

export const NetworkToken = Strict(
  {
    type: Kind('network-token'),
    id: Uuid(),
    payment_method_id: Uuid(),
    status: OneOf(['active', 'inactive', 'suspended', 'deleted'], {
      description: 'Only an active token is used in payments and has cryptograms.',
    }),
    token: Type.String({
      minLength: 1,
      maxLength: 300,
      description:
        'The number that stands in for the card’s, for API keys whose roles allow `transactions.write`. For other callers, and of a deleted token, only the last four digits.',
    }),
    expiration_date: Type.String({
      ...WRITTEN.expirationDate,
      minLength: 5,
      maxLength: 5,
      description: 'MM/YY. A token has a date of its own, other than its card’s.',
    }),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'NetworkToken',
    examples: [
      {
        type: 'network-token',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0042',
        payment_method_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005',
        status: 'active',
        token: '4895370012345678',
        expiration_date: '11/30',
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type NetworkToken = Static<typeof NetworkToken>

export const NetworkTokens = Strict({ items: Type.Array(NetworkToken) }, { title: 'NetworkTokens' })

export const CreateCryptogram = Strict(
  { merchant_initiated: MerchantInitiated },
  { title: 'CreateCryptogram', examples: [{ merchant_initiated: false }] },
)
export type CreateCryptogram = Static<typeof CreateCryptogram>

export const Cryptogram = Strict(
  {
    type: Kind('network-token-cryptogram'),
    cryptogram: Type.String({ description: 'Proves one payment. Shown once, and stored nowhere.' }),
  },
  {
    title: 'Cryptogram',
    examples: [{ type: 'network-token-cryptogram', cryptogram: 'AgAAAAAAAIR8CQrXcIhbQAAAAAA=' }],
  },
)
export type Cryptogram = Static<typeof Cryptogram>
