import type { Link } from '#connectors/contract/connector.ts'
import type {
  ChangeOrder,
  CryptogramAnswer,
  CryptogramOrder,
  NetworkTokenConnector,
  ProvisionOrder,
  TokenAnswer,
} from '#connectors/contract/network-token.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost, safe, withoutNulls } from '#connectors/contract/requests.ts'
import { secret } from '#connectors/contract/secret.ts'
import { ACCESS_FIELDS, STAND_IN_FIELD, sendWithToken } from './access-token.ts'
import { isObject, type Json, type Sending, toRefusal } from './wire.ts'

const SCOPE = 'vault:network-tokens'

/** Checkout.com's Standalone Network Tokens. See docs/connectors/checkout.md. */
export const checkoutNetworkToken: NetworkTokenConnector = {
  manifest: {
    id: 'checkout-network-token',
    displayName: 'Checkout.com network tokens',
    isSimulator: false,
    fields: [...ACCESS_FIELDS, STAND_IN_FIELD],
  },
  schemes: ['visa', 'mastercard'],
  needsRequestor: false,
  canSuspend: false,
  provision,
  change,
  makeCryptogram,
}

async function provision(order: ProvisionOrder, link: Link): Promise<TokenAnswer> {
  const sending: Sending = order.reference
    ? { method: 'GET', path: `network-tokens/${encodeURIComponent(order.reference)}` }
    : { path: 'network-tokens', body: { source: sourceOf(order) } }
  const reply = await sendWithToken(link, SCOPE, sending)
  return reply.kind === 'answer' ? read(reply.body) : toRefusal(reply)
}

function sourceOf({ number, expirationDate, securityCode }: ProvisionOrder): Json {
  const [month = '', year = ''] = expirationDate.split('/')
  return withoutNulls({
    type: 'card',
    number: number.use(String),
    expiry_month: month,
    expiry_year: `20${year}`,
    cvv: securityCode?.use(String),
  })
}

function read(body: Json): TokenAnswer {
  const token = isObject(body['network_token']) ? body['network_token'] : {}
  const { id: reference, state, number, payment_account_reference: account } = token
  if (typeof reference !== 'string' || reference === '') return lost('Checkout.com told no token')
  switch (state) {
    case 'requested':
      return { outcome: 'pending', reference, facts: {} }
    case 'declined':
      return refused('unsupported_payment_method', { rawCode: state })
    case 'active':
    case 'inactive':
    case 'suspended': {
      const expirationDate = dateIn(token)
      if (typeof number !== 'string' || !/^\d{12,19}$/.test(number) || !expirationDate)
        return lost('Checkout.com told a token without its number')
      const status = state === 'active' ? 'active' : 'inactive'
      const paymentAccountReference = typeof account === 'string' && account !== '' ? account : null
      const networkToken = {
        number: secret(number),
        expirationDate,
        paymentAccountReference,
        status,
      } as const
      return { outcome: 'approved', reference, facts: {}, networkToken }
    }
    default:
      return lost('Checkout.com told a token without a state')
  }
}

async function change({ operation, reference }: ChangeOrder, link: Link): Promise<TokenAnswer> {
  if (operation !== 'delete') return refused('invalid_operation')
  const reply = await sendWithToken(link, SCOPE, {
    method: 'PATCH',
    path: `network-tokens/${encodeURIComponent(reference)}/delete`,
    body: { initiated_by: 'token_requestor', reason: 'other' },
  })
  if (reply.kind !== 'answer') return toRefusal(reply)
  if (reply.status !== 204) return lost(`Checkout.com answered ${reply.status} to a deletion`)
  return { outcome: 'approved', reference, facts: {}, networkToken: null }
}

async function makeCryptogram(
  { reference, isMerchantInitiated }: CryptogramOrder,
  link: Link,
): Promise<CryptogramAnswer> {
  const reply = await sendWithToken(link, SCOPE, {
    path: `network-tokens/${encodeURIComponent(reference)}/cryptograms`,
    body: { transaction_type: isMerchantInitiated ? 'recurring' : 'ecom' },
  })
  if (reply.kind === 'lost') return lost(reply.reason)
  if (reply.kind === 'error') return { outcome: 'refused', code: safe(reply.code) ?? String(reply.status) }
  const { cryptogram, eci } = reply.body
  if (typeof cryptogram !== 'string' || cryptogram === '') return lost('Checkout.com told no cryptogram')
  const isEci = typeof eci === 'string' && /^\d{1,2}$/.test(eci)
  return { outcome: 'made', cryptogram: secret(cryptogram), eci: isEci ? eci.padStart(2, '0') : null }
}

function dateIn({ expiry_month: month, expiry_year: year }: Json): string | null {
  const date = `${String(month).padStart(2, '0')}/${String(year).slice(-2)}`
  return /^(0[1-9]|1[0-2])\/\d{2}$/.test(date) ? date : null
}
