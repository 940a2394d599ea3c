import { block, FLAG, oneOf, orNull, TEXT } from '#connectors/contract/option-schemas.ts'
import type { Operation } from '#connectors/contract/orders.ts'

/** Faults that merchants can cause in the simulated network, for one of their operations. */
export const FAULTS = ['lose-answer', 'stall', 'late', 'twice', 'garbage', 'unreachable'] as const
/** Tokens are asked for without options. */
export const CARD_OPERATIONS: readonly Operation[] = [
  'authorize',
  'capture',
  'void',
  'cancel',
  'refund',
  'increment',
  'payout',
]
/** Those of a payment, which merchants can ask for. */
export const GIFT_CARD_OPERATIONS = ['redeem', 'refund', 'reverse'] as const

const ADVICE = block(
  'MockCardMerchantAdviceCodeOptions',
  { account_number: TEXT, result: TEXT },
  { required: ['account_number'] },
)

const CARD_FAULT = block(
  'MockCardFault',
  { on: oneOf(CARD_OPERATIONS), kind: oneOf(FAULTS) },
  {
    required: ['on', 'kind'],
    description:
      'Sandbox only: makes the simulated processor misbehave, once per operation, to test your integration.',
    examples: [{ on: 'capture', kind: 'lose-answer' }],
  },
)

const GIFT_CARD_FAULT = block(
  'MockGiftCardFault',
  { on: oneOf(GIFT_CARD_OPERATIONS), kind: oneOf(FAULTS) },
  {
    required: ['on', 'kind'],
    description:
      'Sandbox only: makes the simulated provider of gift cards misbehave, once per operation, to test your integration.',
    examples: [{ on: 'redeem', kind: 'lose-answer' }],
  },
)

export const CARD_OPTIONS = block('MockCardOptions', {
  merchant_advice_code: orNull(ADVICE),
  skip_retry: FLAG,
  fault: orNull(CARD_FAULT),
})
export const CARD_PAYOUT_OPTIONS = block('MockCardPayoutOptions', { fault: orNull(CARD_FAULT) })
export const GIFT_CARD_OPTIONS = block('MockGiftCardOptions', { fault: orNull(GIFT_CARD_FAULT) })

/**
 * The simulators, as production describes them: their options, so that one client fits both environments, and their ids, which no
 * other connector may have. Their connectors are in `sandbox/connectors`.
 */
export const SIMULATORS = [
  { id: 'mock-card', options: CARD_OPTIONS, payoutOptions: CARD_PAYOUT_OPTIONS },
  { id: 'mock-paypal' },
  { id: 'mock-pix' },
  { id: 'mock-boleto' },
  { id: 'mock-mbway' },
  { id: 'mock-blik' },
  { id: 'mock-sepa' },
  { id: 'mock-gift-card', options: GIFT_CARD_OPTIONS },
  { id: 'mock-anti-fraud' },
  { id: 'mock-three-ds' },
  { id: 'mock-account-updater' },
  { id: 'mock-network-token' },
] as const
