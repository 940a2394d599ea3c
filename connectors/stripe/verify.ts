import type { Link, VerifyAnswer } from '#connectors/contract/connector.ts'
import { send } from './wire.ts'

/** What we send, in the words of Stripe's list of permissions for restricted keys. */
const NEEDED = {
  '/v1/payment_methods': 'PaymentMethods',
  '/v1/payment_intents': 'PaymentIntents',
  '/v1/setup_intents/seti_none/cancel': 'SetupIntents',
  '/v1/refunds': 'Charges and Refunds',
} as const

/**
 * Asks for each thing that payments need, without saying what to do: Stripe checks the key first, and then refuses the
 * incomplete request. So a restricted key that lacks a permission is noticed before the first payment.
 */
export async function verify(link: Link): Promise<VerifyAnswer> {
  const key = link.fields['secret_key'] ?? ''
  if (link.environment === 'production' && /_test_/.test(key)) {
    return rejected('this is a key for tests: enter a live key')
  }
  if (link.environment === 'sandbox' && /_live_/.test(key)) {
    return rejected('this is a live key: enter a key for tests in a sandbox')
  }
  for (const [path, permission] of Object.entries(NEEDED)) {
    const reply = await send(link, { method: 'POST', path })
    if (reply.kind !== 'refusal') return { outcome: 'unreachable', message: 'Stripe gave no readable answer' }
    const { status, error } = reply
    if (status === 401) {
      return rejected(
        error['code'] === 'api_key_expired'
          ? 'the secret key has expired'
          : 'Stripe knows no such secret key',
      )
    }
    if (status === 403)
      return rejected(`the secret key may not write ${permission}: grant it in the dashboard`)
    const isRefusedForContent =
      (status === 400 || status === 404) && error['type'] === 'invalid_request_error'
    if (!isRefusedForContent) {
      return {
        outcome: 'unreachable',
        message: `Stripe answered ${status}, which says nothing about the key`,
      }
    }
  }
  return { outcome: 'accepted' }
}

function rejected(message: string): VerifyAnswer {
  return { outcome: 'rejected', message }
}
