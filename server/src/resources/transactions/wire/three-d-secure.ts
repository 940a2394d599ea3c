import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import type { ErrorDetail } from '#platform/http/errors.ts'
import { Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { Amount, optional } from './order.ts'
import { complaintsIn, NullableVariants } from './variants.ts'

const Scheme = OneOf(Object.keys(CARD_SCHEMES) as CardScheme[])
const Version = Type.String({ ...WRITTEN.threeDSecureVersion, description: 'Version of 3-D Secure.' })
const Eci = Type.String({
  ...WRITTEN.eci,
  minLength: 1,
  maxLength: 2,
  description: 'Electronic commerce indicator.',
})
const Letter = (description: string) => Type.String({ maxLength: 1, description })

const AUTHENTICATED = {
  cavv: Type.String({ description: 'Cardholder authentication verification value.' }),
  eci: Eci,
  version: Version,
  directory_response: Letter('The directory server’s answer about the card.'),
}
const V1 = {
  ...AUTHENTICATED,
  authentication_response: Letter('The issuer’s answer.'),
  cavv_algorithm: Letter('How the CAVV was computed.'),
  xid: Type.String({ description: 'The id of the authentication.' }),
}
const SCHEME = { scheme: Nullable(Scheme) }

const ThreeDSecureDataV1 = Strict(
  { ...V1, ...optional(SCHEME) },
  {
    title: 'ThreeDSecureDataV1',
    description: 'The result of an authentication with version 1 outside of this service.',
    examples: [
      {
        cavv: 'AAABBJkZUQAAAABjRWWZEEFgFz8=',
        eci: '05',
        version: '1.0.2',
        directory_response: 'Y',
        authentication_response: 'Y',
        cavv_algorithm: '2',
        xid: 'MDAwMDAwMDAwMDAwMDAwMzIyNzY=',
      },
    ],
  },
)
type ThreeDSecureDataV1 = Static<typeof ThreeDSecureDataV1>

const ThreeDSecureDataV2 = Strict(
  {
    ...AUTHENTICATED,
    directory_transaction_id: Type.String({
      description: 'The directory server’s id of the authentication.',
    }),
    ...optional({ authentication_response: Nullable(Letter('The issuer’s answer.')), ...SCHEME }),
  },
  {
    title: 'ThreeDSecureDataV2',
    description: 'The result of an authentication with version 2 outside of this service.',
    examples: [
      {
        cavv: 'AJkBAycVKQAAAAJZQFF3dAAAAAA=',
        eci: '05',
        version: '2.2.0',
        directory_response: 'Y',
        authentication_response: 'Y',
        directory_transaction_id: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
      },
    ],
  },
)
type ThreeDSecureDataV2 = Static<typeof ThreeDSecureDataV2>

export const NewThreeDSecureData = NullableVariants(
  [ThreeDSecureDataV1, ThreeDSecureDataV2],
  'The result of an authentication outside of this service.',
)
export type NewThreeDSecureData = Static<typeof NewThreeDSecureData>

/** The result of an authentication that the caller made elsewhere, by version. */
export type ThreeDSecureRequest =
  | { readonly kind: 'v1'; readonly body: ThreeDSecureDataV1 }
  | { readonly kind: 'v2'; readonly body: ThreeDSecureDataV2 }

export const ThreeDSecure = Strict(
  optional({
    amount: Nullable(Amount({ description: 'The amount to authenticate, if not the whole amount.' })),
  }),
  { title: 'ThreeDSecure' },
)
export type ThreeDSecure = Static<typeof ThreeDSecure>

export const THREE_D_SECURE_STATUSES = ['setup_error', 'error', 'declined', 'cancelled', 'complete'] as const

export const THREE_D_SECURE_METHODS = ['challenge', 'frictionless'] as const

const ThreeDSecureV1 = Strict({ ...V1, ...SCHEME }, { title: 'ThreeDSecureV1' })

const ThreeDSecureV2 = Strict(
  {
    version: Version,
    authentication_response: Nullable(Type.String()),
    directory_response: Nullable(Type.String()),
    directory_transaction_id: Nullable(Type.String()),
    transaction_reason: Nullable(Type.String()),
    cavv: Nullable(Type.String()),
    eci: Nullable(Eci),
    cardholder_info: Nullable(Type.String({ description: 'The issuer’s message to the buyer.' })),
  },
  { title: 'ThreeDSecureV2' },
)

const ThreeDSecureError = Strict(
  {
    code: Nullable(Type.String({ minLength: 3, maxLength: 3 })),
    description: Nullable(Type.String({ maxLength: 2048 })),
    detail: Nullable(Type.String({ maxLength: 2048 })),
    component: Nullable(Type.String({ minLength: 1, maxLength: 1 })),
  },
  { title: 'ThreeDSecureError' },
)

export const TransactionThreeDSecureSummary = Strict(
  {
    version: Nullable(Version),
    status: Nullable(
      OneOf(THREE_D_SECURE_STATUSES, {
        description:
          '`setup_error`: the authentication could not be begun. `error`: the issuer could not be asked. Null while the buyer decides.',
      }),
    ),
    method: Nullable(OneOf(THREE_D_SECURE_METHODS)),
    response_data: Type.Union([ThreeDSecureV1, ThreeDSecureV2, Type.Null()]),
    error_data: Nullable(ThreeDSecureError),
    amount: Nullable(Type.Integer()),
  },
  { title: 'TransactionThreeDSecureSummary' },
)
export type TransactionThreeDSecureSummary = Static<typeof TransactionThreeDSecureSummary>

/** Checks `three_d_secure_data` against the version that the caller meant. */
export function checkThreeDSecureData(given: object): ErrorDetail[] {
  return complaintsIn('/three_d_secure_data', isV1(given) ? ThreeDSecureDataV1 : ThreeDSecureDataV2, given)
}

/** Reads the result of an authentication. Call it only for what `checkThreeDSecureData` accepts. */
export function readThreeDSecureData(given: NonNullable<NewThreeDSecureData>): ThreeDSecureRequest {
  return isV1(given) ? { kind: 'v1', body: given } : { kind: 'v2', body: given }
}

/** Only version 1 has these fields. `version` itself may be wrong. */
function isV1<Given extends object>(given: Given): given is Extract<Given, { xid: string }> {
  return 'xid' in given || 'cavv_algorithm' in given
}
