import type { Schemas } from '../../api/schema.d.ts'
import type { IconName } from '../parts/controls.tsx'
import type { Option } from '../parts/fields.tsx'
import { plain } from '../transactions/words.ts'

type Lever = Schemas['SandboxNextOutcome']
type Effect = Lever['effect']
type Operation = Lever['operation']

/** The payment services that do what they are told. */
export const SIMULATED = 'mock-card'

export const STEPS: readonly { readonly by: string; readonly label: string }[] = [
  { by: 'PT1H', label: 'an hour' },
  { by: 'P1D', label: 'a day' },
  { by: 'P7D', label: 'a week' },
  { by: 'P1M', label: 'a month' },
]

export const EFFECTS: Readonly<
  Record<Effect, { readonly icon: IconName; readonly title: string; readonly text: string }>
> = {
  refuse: { icon: 'close', title: 'Decline', text: 'Declined, for a reason you choose.' },
  'lose-answer': {
    icon: 'link',
    title: 'Lose the answer',
    text: 'Carried out, but the answer is lost: the payment waits until we ask.',
  },
  late: { icon: 'clock', title: 'Answer too late', text: 'Carried out after the time-out.' },
  stall: { icon: 'more', title: 'Never answer', text: 'Not carried out, and no answer.' },
  garbage: { icon: 'alert', title: 'Send an invalid answer', text: 'The answer cannot be read.' },
  unreachable: { icon: 'service', title: 'Be unreachable', text: 'No connection can be made.' },
}

const OPERATIONS: Readonly<Record<Operation, string>> = {
  authorize: 'Payment',
  capture: 'Capture',
  void: 'Void',
  cancel: 'Cancel',
  refund: 'Refund',
  increment: 'Increment',
  payout: 'Payout',
  tokenize: 'Token of a stored method',
}

export const OPERATION_OPTIONS: readonly Option[] = Object.entries(OPERATIONS).map(([value, label]) => ({
  value,
  label,
}))

/** `Payment: insufficient funds`, or `Capture: lose the answer`. */
export function leverText({ operation, effect, code }: Lever): string {
  return `${OPERATIONS[operation]}: ${code ? plain(code) : EFFECTS[effect].title.toLowerCase()}`
}

const AUTHORIZATION =
  'insufficient_funds issuer_decline suspected_fraud incorrect_cvv incorrect_expiry_date requires_buyer_authentication refused_transaction other_decline service_decline unsupported_payment_method service_error service_network_error service_rate_limit invalid_service_credentials'

const REASONS: Readonly<Record<Operation, string>> = {
  authorize: AUTHORIZATION,
  increment: AUTHORIZATION,
  capture: 'refused_transaction service_network_error',
  void: 'issuer_decline service_network_error',
  cancel: 'service_decline service_error',
  refund: 'issuer_decline disputed_transaction refund_already_satisfied service_error',
  payout: 'service_decline service_error',
  tokenize: 'invalid_payment_method service_error',
}

export function reasonsOf(operation: Operation): readonly Option[] {
  return REASONS[operation].split(' ').map((value) => ({ value, label: plain(value) }))
}

export const DISPUTE_REASONS: readonly Option[] = [
  'fraudulent',
  'not_received',
  'not_as_described',
  'duplicate',
  'credit_not_processed',
  'subscription_canceled',
].map((value) => ({ value, label: plain(value) }))

const ENDS = ['succeeded', 'declined', 'failed']

export const EVENT_OPTIONS: readonly Option[] = ['authorization', 'capture', 'void', 'refund'].flatMap(
  (about) => ENDS.map((end) => ({ value: `${about}.${end}`, label: `${about} ${end}` })),
)

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3_600

/** `3 days and 4 hours ahead of real time`. */
export function aheadText(offsetSeconds: number): string {
  if (offsetSeconds < 60) return 'same as real time'
  // To the minute: a move by a week is a moment short of it.
  const seconds = Math.round(offsetSeconds / 60) * 60
  const days = Math.floor(seconds / DAY_SECONDS)
  const hours = Math.floor((seconds % DAY_SECONDS) / HOUR_SECONDS)
  const minutes = Math.floor((seconds % HOUR_SECONDS) / 60)
  const parts = [count(days, 'day'), count(hours, 'hour'), days === 0 ? count(minutes, 'minute') : '']
  return `${parts.filter(Boolean).join(' and ')} ahead of real time`
}

function count(number: number, word: string): string {
  if (number === 0) return ''
  return number === 1 ? `1 ${word}` : `${number} ${word}s`
}
