import type { Json, Source } from './books.ts'
import { isMerchants, readCard } from './cards.ts'
import type { Money } from './money.ts'
import { writeMoney } from './money.ts'
import { Problem } from './problem.ts'

type Card = Source & { kind: 'card' }

/** The card in a wallet's token that the merchant has opened. PayPal opens none itself in this request. */
export function readWallet(
  wallet: 'apple_pay' | 'google_pay',
  part: Json,
  at: { now: Date; amount: Money },
): Card {
  const field = `/payment_source/${wallet}/decrypted_token`
  const token = part['decrypted_token'] as Json | undefined
  if (!token) throw new Problem(400, 'MISSING_REQUIRED_PARAMETER', { field })
  const wire = wallet === 'apple_pay' ? readApple(token, part, at.amount) : readGoogle(token)
  return { ...readCard(wire, at.now), wallet }
}

function readApple(token: Json, part: Json, amount: Money): Json {
  const proof = (token['payment_data'] ?? {}) as Json
  if (proof['cryptogram'] === undefined && !isMerchants(part)) throw new Problem(422, 'CRYPTOGRAM_REQUIRED')
  const agreed = token['transaction_amount'] as Json | undefined
  const own = writeMoney(amount)
  if (agreed && (agreed['value'] !== own.value || agreed['currency_code'] !== own.currency_code)) {
    throw new Problem(422, 'APPLE_PAY_AMOUNT_MISMATCH')
  }
  return token['tokenized_card'] as Json
}

function readGoogle(token: Json): Json {
  if (token['payment_method'] !== 'CARD') throw new Problem(422, 'INVALID_GOOGLE_PAY_TOKEN')
  if (token['authentication_method'] === 'CRYPTOGRAM_3DS' && token['cryptogram'] === undefined) {
    throw new Problem(422, 'MISSING_CRYPTOGRAM')
  }
  return token['card'] as Json
}
