import { block, oneOf, orNull } from '#connectors/contract/option-schemas.ts'
import { FAULTS, OF_PAYMENTS } from './options.ts'

const FAULT = block(
  'MockGiftCardFault',
  { on: oneOf(OF_PAYMENTS), kind: oneOf(FAULTS) },
  {
    required: ['on', 'kind'],
    description:
      'Sandbox only: makes the simulated provider of gift cards misbehave, once per operation, to test your integration.',
    examples: [{ on: 'redeem', kind: 'lose-answer' }],
  },
)

export const OPTIONS = block('MockGiftCardOptions', { fault: orNull(FAULT) })
