import { inventId, type Json, type Order, type Source } from './books.ts'
import { isMerchants, readCard } from './cards.ts'
import type { Desk } from './desk.ts'
import { type Money, writeMoney } from './money.ts'
import { Problem } from './problem.ts'

/** What the buyer pays with, as a request names it: a card, a stored token, or an account at PayPal. */
export function readSource(desk: Desk, clientId: string, wire: Json, amount: Money): Source {
  const { books } = desk
  const kinds = Object.keys(wire)
  const [kind = ''] = kinds
  if (kinds.length !== 1 || !isKind(kind)) {
    throw new Problem(422, 'INCOMPATIBLE_PARAMETER_VALUE', { field: '/payment_source' })
  }
  const part = wire[kind] as Json
  const features = books.clients.find(({ id }) => id === clientId)?.features ?? []
  const { feature, issue } = NEEDS[kind]
  if (!features.includes(feature)) throw new Problem(422, issue)
  if (kind === 'apple_pay' || kind === 'google_pay') {
    checkStoredCredential('card', part)
    return readWallet(kind, part, { now: books.now(), amount })
  }
  const stores = storesOf(part)
  if (stores && !features.includes('vault')) throw new Problem(422, 'NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE')
  checkStoredCredential(kind, part)
  const vaultId = part['vault_id']
  const context = (part['experience_context'] ?? {}) as Json
  const addresses = {
    returnUrl: textOrNull(context['return_url']),
    cancelUrl: textOrNull(context['cancel_url']),
  }
  if (typeof vaultId === 'string') return { ...storedSource(desk, clientId, { kind, vaultId }), ...addresses }
  if (kind === 'card') return readCard(part, books.now())
  return {
    kind: 'paypal',
    payer: null,
    ...addresses,
    storesOnSuccess: stores,
    vaultId: null,
    isECheck: false,
  }
}

/** What an app must be allowed to do for each source, and what PayPal says otherwise. */
const NEEDS = {
  card: { feature: 'cards', issue: 'NOT_ENABLED_FOR_CARD_PROCESSING' },
  paypal: { feature: 'payments', issue: 'PERMISSION_DENIED' },
  apple_pay: { feature: 'apple_pay', issue: 'NOT_ENABLED_FOR_APPLE_PAY' },
  google_pay: { feature: 'google_pay', issue: 'NOT_ENABLED_FOR_GOOGLE_PAY' },
} as const

function isKind(kind: string): kind is keyof typeof NEEDS {
  return Object.hasOwn(NEEDS, kind)
}

function storesOf(part: Json): boolean {
  const vault = ((part['attributes'] ?? {}) as Json)['vault'] as Json | undefined
  return vault?.['store_in_vault'] === 'ON_SUCCESS'
}

function storedSource(
  { books }: Desk,
  clientId: string,
  { kind, vaultId }: { readonly kind: string; readonly vaultId: string },
): Source {
  const token = books.paymentTokens.get(vaultId)
  if (!token || token.clientId !== clientId) throw new Problem(422, 'PAYMENT_SOURCE_CANNOT_BE_USED')
  if (token.source.kind !== kind) throw new Problem(422, 'MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE')
  return { ...token.source, storesOnSuccess: false, vaultId }
}

/** The rules for credentials on file, as the descriptions of these issues have them. */
function checkStoredCredential(kind: string, part: Json): void {
  const credential = part['stored_credential'] as Json | undefined
  if (!credential || kind !== 'card') return
  const isMerchants = credential['payment_initiator'] === 'MERCHANT'
  const verification = ((part['attributes'] ?? {}) as Json)['verification']
  if (isMerchants && part['security_code'] !== undefined) {
    throw new Problem(422, 'MERCHANT_INITIATED_WITH_SECURITY_CODE')
  }
  if (isMerchants && verification !== undefined) {
    throw new Problem(422, 'MERCHANT_INITIATED_WITH_AUTHENTICATION_RESULTS')
  }
  if (!isMerchants && credential['payment_type'] === undefined) {
    throw new Problem(400, 'MISSING_REQUIRED_PARAMETER', { field: '/payment_source/card/stored_credential' })
  }
  const previous = credential['previous_network_transaction_reference']
  const isLater = credential['usage'] === 'SUBSEQUENT'
  if (isMerchants && isLater && part['vault_id'] === undefined && previous === undefined) {
    throw new Problem(422, 'MISSING_PREVIOUS_REFERENCE')
  }
}

/** An order can ask for the method to be stored if the payment succeeds. */
export function vaultOnSuccess({ books }: Desk, { source, clientId }: Order): void {
  if (!source?.storesOnSuccess || source.vaultId !== null) return
  source.vaultId = inventId()
  const stored = { ...source, storesOnSuccess: false }
  books.paymentTokens.set(source.vaultId, {
    id: source.vaultId,
    clientId,
    customerId: inventId(10),
    source: stored,
  })
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

type Card = Source & { kind: 'card' }

/** The card in a wallet's token that the merchant has opened. PayPal opens none itself in this request. */
function readWallet(wallet: 'apple_pay' | 'google_pay', part: Json, at: { now: Date; amount: Money }): Card {
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
