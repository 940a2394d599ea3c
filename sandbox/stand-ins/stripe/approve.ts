import type { Books, Confirmation } from './books.ts'
import { behaviourOf } from './charge.ts'
import { endDebit, failed, payByCard, payByRedirect, startDebit } from './confirm.ts'
import type { Intent, SetupIntent } from './objects.ts'
import { confirmRefund, failRefund } from './refunds.ts'
import { finishSetup } from './setup-intents.ts'
import { conflict, StripeError } from './stripe-error.ts'

const DELAY_MS = 3 * 60 * 1_000

/** What the buyer has chosen on a page: returns what Stripe adds to the return address. */
export function decideAction(books: Books, id: string, isApproved: boolean): 'succeeded' | 'failed' {
  const intent = books.intents.get(id)
  const setup = books.setupIntents.get(id)
  const confirmation = books.confirmations.get(id)
  const status = () => (intent ?? setup)?.status
  if (!confirmation || status() !== 'requires_action') {
    throw conflict('payment_intent_unexpected_state', 'This payment does not wait for its buyer.')
  }
  try {
    if (setup) decideSetup(books, setup, isApproved)
    if (intent) decideIntent(books, intent, confirmation, isApproved)
  } catch (error) {
    // A decline after the buyer's approval is the end of the payment, not an error of the page.
    if (!(error instanceof StripeError) || error.status !== 402) throw error
  }
  return status() === 'requires_payment_method' ? 'failed' : 'succeeded'
}

function decideIntent(books: Books, intent: Intent, confirmation: Confirmation, isApproved: boolean): void {
  const type = books.methods.get(intent.payment_method ?? '')?.type
  if (!isApproved) {
    failed(books, intent, {
      type: 'invalid_request_error',
      ...(type === 'card'
        ? {
            code: 'payment_intent_authentication_failure',
            message: 'The provided PaymentMethod has failed authentication.',
          }
        : { code: 'payment_intent_payment_attempt_failed', message: 'The payment attempt failed.' }),
    })
    return
  }
  if (type === 'card') payByCard(books, intent, confirmation)
  else if (type === 'us_bank_account') startDebit(books, intent, confirmation.key)
  else payByRedirect(books, intent, confirmation)
}

function decideSetup(books: Books, setup: SetupIntent, isApproved: boolean): void {
  if (isApproved) {
    finishSetup(books, setup)
    return
  }
  setup.next_action = null
  setup.status = 'requires_payment_method'
  setup.last_setup_error = {
    type: 'invalid_request_error',
    code: 'setup_intent_authentication_failure',
    message: 'The provided PaymentMethod has failed authentication.',
  }
  books.emit('setup_intent.setup_failed', setup)
}

/**
 * Ends what takes time: debits, and the refunds of Stripe's test cards for that. Stripe's test mode takes three minutes.
 * Without a time, all that is open ends.
 */
export function endPending(books: Books, now?: Date): void {
  const isDue = ({ created }: { readonly created: number }) =>
    now === undefined || created * 1_000 + DELAY_MS <= now.getTime()
  for (const intent of books.intents.values()) {
    if (intent.status === 'processing' && isDue(intent)) endDebit(books, intent)
  }
  for (const refund of books.refunds.values()) {
    if (!isDue(refund)) continue
    confirmRefund(books, refund)
    const { refund: behaviour } = behaviourOf(books, refund.payment_method)
    if (behaviour === 'fails_later') failRefund(books, refund)
  }
}
