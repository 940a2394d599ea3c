import { createHmac, timingSafeEqual } from 'node:crypto'
import type {
  AntiFraudConnector,
  DecideAnswer,
  DecideOrder,
  ReviewNotification,
} from '#connectors/contract/anti-fraud.ts'
import type { Link, Message } from '#connectors/contract/connector.ts'
import type { AccountManifest } from '#connectors/contract/manifest.ts'
import { send, toAnswer } from './wire.ts'

/** The two accepted spellings, each with its own words for the decision. */
const SPELLINGS = [
  { subject: 'transaction_id', accept: 'accept', reject: 'reject' },
  { subject: 'transactionId', accept: 'ACCEPT', reject: 'REJECT' },
] as const

/** Merchants write these themselves, to decide about payments that the simulator put in review. */
async function readNotification(message: Message, link: Link): Promise<ReviewNotification> {
  if (!isSigned(message, link.fields['webhook_secret'])) return rejected('the signature does not fit')
  const told = parse(message.body)
  if (!told) return rejected('the body is not a JSON object')
  const spelling = SPELLINGS.find(({ subject }) => told[subject] !== undefined)
  if (!spelling) return rejected('transaction_id is missing')
  const { [spelling.subject]: transactionId, decision } = told
  if (typeof transactionId !== 'string' || transactionId === '') {
    return rejected(`${spelling.subject} must be the id of a transaction`)
  }
  if (decision === spelling.accept) return { outcome: 'read', transactionId, decision: 'accept' }
  if (decision === spelling.reject) return { outcome: 'read', transactionId, decision: 'reject' }
  return rejected(`decision must be one of ${spelling.accept}, ${spelling.reject}`)
}

function isSigned({ headers, body }: Message, secret: string | undefined): boolean {
  if (!secret) return true
  const given = headers['x-signature'] ?? ''
  if (!/^[0-9a-f]{64}$/i.test(given)) return false
  return timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha256', secret).update(body).digest())
}

function rejected(message: string): ReviewNotification {
  return { outcome: 'rejected', message }
}

function parse(body: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const manifest: AccountManifest = {
  id: 'mock-anti-fraud',
  displayName: 'Mock anti-fraud',
  fields: [
    {
      key: 'webhook_secret',
      displayName: 'Webhook secret',
      isRequired: false,
      format: 'text',
      isSecret: true,
      isVerifiable: false,
    },
  ],
  isSimulator: true,
}

/** The sandbox's fraud prevention: the buyer's e-mail address decides. See docs/guide/anti-fraud.md. */
export const mockAntiFraud: AntiFraudConnector = { manifest, decide, readNotification }

async function decide(order: DecideOrder, link: Link): Promise<DecideAnswer> {
  return toAnswer(await send(link, toWire(order)))
}

function toWire({ buyer, ...order }: DecideOrder): object {
  return {
    transaction_id: order.transactionId,
    amount: order.amount,
    currency: order.currency,
    country: order.country,
    intent: order.intent,
    payment_source: order.paymentSource,
    merchant_initiated: order.isMerchantInitiated,
    is_subsequent_payment: order.isSubsequentPayment,
    ip_address: order.ipAddress,
    fingerprint: order.fingerprint,
    method: order.method,
    scheme: order.scheme,
    bin: order.bin,
    card_country: order.cardCountry,
    buyer: buyer && {
      id: buyer.id,
      external_identifier: buyer.externalIdentifier,
      email_address: buyer.emailAddress,
      phone_number: buyer.phoneNumber,
      first_name: buyer.firstName,
      last_name: buyer.lastName,
      country: buyer.country,
    },
    metadata: order.metadata,
  }
}
