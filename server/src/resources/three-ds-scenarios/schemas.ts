import { CHALLENGE_RESULTS, ISSUER_ANSWERS } from '#connectors/contract/three-d-secure.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { DateTime, Kind, Nullable, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { Amount, optional } from '#resources/transactions/wire/order.ts'

const Text = (maxLength: number, description: string) =>
  Nullable(Type.String({ minLength: 1, maxLength, description }))

const CONDITIONS = {
  first_name: Text(255, 'The first name in the buyer’s billing details.'),
  last_name: Text(255, 'The last name in the buyer’s billing details.'),
  email_address: Text(320, 'The e-mail address in the buyer’s billing details.'),
  amount: Nullable(Amount({ description: 'The amount that the issuer is asked about.' })),
  external_identifier: Text(200, 'The external identifier of the buyer.'),
}

const NUMBER_MAX = 255

const NewNumber = Text(
  NUMBER_MAX,
  'The number of a test card. It is not stored; answers show only its first and last digits, and `****` for text that is no card number.',
)

const ChangedNumber = Text(
  NUMBER_MAX,
  'The number of a test card, or the masked number of an answer: then the number stays.',
)

const ShownNumber = Nullable(Type.String({ description: 'The first and last digits of the card number.' }))

const conditionsWith = (card_number: typeof NewNumber, title: string) =>
  Strict(optional({ ...CONDITIONS, card_number }), {
    title,
    description: 'All conditions must be met. One that is null or left out is met by every payment.',
  })

const VERSION = { version: Nullable(Type.String({ ...WRITTEN.threeDSecureVersion })) }
const AUTHENTICATION = {
  authentication: Strict({
    transaction_status: OneOf(ISSUER_ANSWERS, {
      description:
        'The issuer’s first answer: `Y` authenticated, `A` attempted, `U` could not be done, `N` and `R` refused, `C` challenge, ' +
        '`timeout` no answer.',
    }),
  }),
}
const RESULT = {
  result: Nullable(
    Strict({
      transaction_status: OneOf(CHALLENGE_RESULTS, {
        description: 'The issuer’s answer after the buyer has approved.',
      }),
    }),
  ),
}

const NewOutcome = Strict(
  { ...optional(VERSION), ...AUTHENTICATION, ...optional(RESULT) },
  {
    title: 'NewThreeDSScenarioOutcome',
    description:
      'What the issuer answers. `result` goes with `C`, and with nothing else. The version is 2.2.0 unless you name another.',
  },
)
export type NewOutcome = Static<typeof NewOutcome>

const EXAMPLE = {
  conditions: { email_address: 'challenge@example.com', amount: 1299, card_number: '4111111111111111' },
  outcome: {
    version: '2.2.0',
    authentication: { transaction_status: 'C' },
    result: { transaction_status: 'Y' },
  },
}

const NewConditions = conditionsWith(NewNumber, 'NewThreeDSScenarioConditions')
export type NewConditions = Static<typeof NewConditions>

export const CreateThreeDSScenario = Strict(
  { conditions: NewConditions, outcome: NewOutcome },
  { title: 'CreateThreeDSScenario', examples: [EXAMPLE] },
)
export type CreateThreeDSScenario = Static<typeof CreateThreeDSScenario>

export const UpdateThreeDSScenario = Strict(
  optional({
    conditions: Nullable(conditionsWith(ChangedNumber, 'ChangedThreeDSScenarioConditions')),
    outcome: Nullable(NewOutcome),
  }),
  {
    title: 'UpdateThreeDSScenario',
    examples: [{ outcome: { authentication: { transaction_status: 'N' } } }],
  },
)
export type UpdateThreeDSScenario = Static<typeof UpdateThreeDSScenario>

export const ThreeDSScenario = Strict(
  {
    type: Kind('three-d-secure-scenario'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    conditions: Strict({ ...CONDITIONS, card_number: ShownNumber }, { title: 'ThreeDSScenarioConditions' }),
    outcome: Strict({ ...VERSION, ...AUTHENTICATION, ...RESULT }, { title: 'ThreeDSScenarioOutcome' }),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'ThreeDSScenario',
    examples: [
      {
        type: 'three-d-secure-scenario',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
        merchant_account_id: 'default',
        conditions: {
          first_name: null,
          last_name: null,
          email_address: 'challenge@example.com',
          amount: 1299,
          external_identifier: null,
          card_number: '41111111****1111',
        },
        outcome: EXAMPLE.outcome,
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type ThreeDSScenario = Static<typeof ThreeDSScenario>

export const ThreeDSScenarios = CollectionOf(ThreeDSScenario, 'ThreeDSScenarios')

export const ThreeDSScenarioFilters = Strict(pageParameters())
export type ThreeDSScenarioFilters = Static<typeof ThreeDSScenarioFilters>
