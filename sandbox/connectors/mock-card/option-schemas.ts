import { block, FLAG, oneOf, orNull, TEXT } from '#connectors/contract/option-schemas.ts'
import { FAULTS, OPERATIONS } from './options.ts'

const ADVICE = block(
  'MockCardMerchantAdviceCodeOptions',
  { account_number: TEXT, result: TEXT },
  { required: ['account_number'] },
)

const FAULT = block(
  'MockCardFault',
  { on: oneOf(OPERATIONS), kind: oneOf(FAULTS) },
  {
    required: ['on', 'kind'],
    description:
      'Sandbox only: makes the simulated processor misbehave, once per operation, to test your integration.',
    examples: [{ on: 'capture', kind: 'lose-answer' }],
  },
)

export const OPTIONS = block('MockCardOptions', {
  merchant_advice_code: orNull(ADVICE),
  skip_retry: FLAG,
  fault: orNull(FAULT),
})

export const PAYOUT_OPTIONS = block('MockCardPayoutOptions', { fault: orNull(FAULT) })
