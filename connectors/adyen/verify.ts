import type { Link, VerifyAnswer } from '#connectors/contract/connector.ts'
import { send } from './wire.ts'

/** Asks which methods the account offers: a question that needs the key, its permission and the account. */
export async function verify(link: Link): Promise<VerifyAnswer> {
  const merchantAccount = link.fields['merchant_account'] ?? ''
  const reply = await send(link, { path: 'paymentMethods', body: { merchantAccount }, key: null })
  if (reply.kind === 'answer' && Array.isArray(reply.body['paymentMethods'])) return { outcome: 'accepted' }
  if (reply.kind === 'unsent') return rejected('live_url_prefix is missing: Adyen needs it in production')
  if (reply.kind === 'error') {
    const { status, errorCode } = reply
    if (status === 401) return rejected('Adyen does not accept api_key')
    if (errorCode === '901') return rejected('api_key has no access to merchant_account')
    if (status === 403) return rejected('api_key may not ask for payment methods: give it the Checkout role')
  }
  return { outcome: 'unreachable', message: 'Adyen gave no readable answer' }
}

function rejected(message: string): VerifyAnswer {
  return { outcome: 'rejected', message }
}
