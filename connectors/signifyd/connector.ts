import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  type AntiFraudConnector,
  type DecideAnswer,
  type DecideBuyer,
  type DecideOrder,
  type DeviceScript,
  FINGERPRINT,
  type OutcomeOrder,
  type ReviewNotification,
  type TellAnswer,
} from '#connectors/contract/anti-fraud.ts'
import type { Link, Message } from '#connectors/contract/connector.ts'
import { field } from '#connectors/contract/describe.ts'
import type { AccountManifest } from '#connectors/contract/manifest.ts'
import { withoutNulls } from '#connectors/contract/requests.ts'
import { isObject } from '#connectors/contract/shapes.ts'
import { apiOf, type Json, post, toUnits, transactionOf } from './wire.ts'

const COVERAGES = ['FRAUD', 'INR', 'SNAD', 'ALL', 'NONE']

const manifest: AccountManifest = {
  id: 'signifyd-anti-fraud',
  displayName: 'Signifyd',
  isSimulator: false,
  fields: [
    field('api_key', 'API key', {
      isRequired: true,
      isSecret: true,
      pattern: /^[\x21-\x7e]{8,128}$/,
      help: 'In Signifyd’s console, under Settings, Teams: the API key of your team. It signs webhooks, too.',
    }),
    field('coverage', 'Coverage', {
      pattern: new RegExp(`^(${COVERAGES.join('|')})$`),
      help: `What Signifyd is to pay for, by your contract: ${COVERAGES.join(', ')}. Left out: Signifyd’s own setting.`,
    }),
    field('stand_in_url', 'Test server URL', {
      isSandboxOnly: true,
      isAddress: true,
      pattern: /^https?:\/\/[^\s/?#@]+\/?$/,
      help: 'Leave it empty to use your team at Signifyd.',
    }),
  ],
}

/** Signifyd judges a checkout before it is charged. See docs/connectors/signifyd.md. */
export const signifyd: AntiFraudConnector = { manifest, decide, tell, readNotification, deviceScript }

/** What Signifyd advises. `CREDIT` is about returns alone. With a challenge, Signifyd asks for a review. */
const DECISIONS: Readonly<Record<string, 'accept' | 'reject' | 'review'>> = {
  ACCEPT: 'accept',
  REJECT: 'reject',
  HOLD: 'review',
  CHALLENGE: 'review',
}

async function decide(order: DecideOrder, link: Link): Promise<DecideAnswer> {
  if (order.buyer === null && order.fingerprint === null && order.ipAddress === null)
    return { outcome: 'skipped', reason: 'no_buyer' }
  const asked = await post(link, 'checkouts', checkoutOf(order, link))
  if (asked.outcome !== 'answered') return asked
  const action = actionIn(asked.body)
  const decision = action === null ? undefined : DECISIONS[action]
  if (!decision) return { outcome: 'unknown', reason: 'Signifyd’s answer has no action that we know' }
  const { signifydId } = asked.body
  const isId = typeof signifydId === 'string' || typeof signifydId === 'number'
  return { outcome: 'decided', decision, reference: isId ? String(signifydId) : null }
}

function checkoutOf(order: DecideOrder, { fields, now }: Link): Json {
  const { transactionId, currency, buyer, ipAddress, fingerprint } = order
  const totalPrice = toUnits(order.amount, order.minorUnits)
  const details = withoutNulls({
    accountHolderName: nameOf(buyer),
    billingAddress: addressOf(buyer),
    cardBin: binOf(order.bin),
  })
  const paid = { id: transactionId, method: order.method, amount: totalPrice, currency }
  return withoutNulls({
    checkoutId: transactionId,
    orderId: transactionId,
    purchase: withoutNulls({
      createdAt: now().toISOString(),
      orderChannel: order.paymentSource === 'moto' ? 'PHONE' : 'WEB',
      totalPrice,
      currency,
      confirmationEmail: buyer?.emailAddress,
      confirmationPhone: buyer?.phoneNumber,
    }),
    device: orNull(withoutNulls({ clientIpAddress: ipAddress, sessionId: fingerprint })),
    userAccount:
      buyer &&
      orNull(
        withoutNulls({
          username: buyer.externalIdentifier ?? buyer.id,
          email: buyer.emailAddress,
          phone: buyer.phoneNumber,
        }),
      ),
    transactions: [transactionOf(paid, { checkoutPaymentDetails: orNull(details) })],
    coverageRequests: fields['coverage'] ? [fields['coverage']] : null,
  })
}

function orNull(part: Json): Json | null {
  return Object.keys(part).length > 0 ? part : null
}

function nameOf(buyer: DecideBuyer | null): string {
  return [buyer?.firstName, buyer?.lastName].filter(Boolean).join(' ')
}

function addressOf(buyer: DecideBuyer | null): Json | null {
  const { address, country } = buyer ?? {}
  return orNull(
    withoutNulls({
      streetAddress: address?.line1,
      unit: address?.line2,
      city: address?.city,
      // Ours begin with the country.
      provinceCode: address?.state?.replace(/^[A-Z]{2}-/, ''),
      postalCode: address?.postalCode,
      countryCode: country,
    }),
  )
}

/** Six digits or eight. */
function binOf(bin: string | null): string | null {
  if (bin === null) return null
  return bin.length >= 8 ? bin.slice(0, 8) : bin.slice(0, 6)
}

const STATUSES = {
  authorized: 'SUCCESS',
  captured: 'SUCCESS',
  declined: 'FAILURE',
  failed: 'ERROR',
  voided: 'CANCELLED',
} as const

/** Signifyd hears how the payment went. Of refunds and disputes its checkout API has nothing that we could say without the goods. */
async function tell(order: OutcomeOrder, link: Link): Promise<TellAnswer> {
  const { outcome, transactionId, currency, method } = order
  const isSaid = outcome.about === 'payment' && !(outcome.status === 'captured' && !outcome.isSale)
  // A payment that Signifyd rejected was sent to no payment service.
  if (!isSaid || (outcome.isRejected && outcome.status !== 'authorized' && outcome.status !== 'captured'))
    return { outcome: 'told' }
  const amount = toUnits(outcome.amount, order.minorUnits)
  const paid = { id: transactionId, method, amount, currency }
  const sent = await post(link, 'transactions', {
    checkoutId: transactionId,
    orderId: transactionId,
    transactions: [transactionOf(paid, { gatewayStatusCode: STATUSES[outcome.status] })],
  })
  if (sent.outcome === 'answered') {
    const isAboutIt = [sent.body['orderId'], sent.body['checkoutId']].includes(transactionId)
    return isAboutIt
      ? { outcome: 'told' }
      : { outcome: 'unknown', reason: 'Signifyd’s answer is about no order of ours' }
  }
  const isForNow = sent.outcome !== 'error' || /key/.test(sent.reason)
  return { outcome: isForNow ? 'unavailable' : 'refused', reason: sent.reason }
}

/** Of these the answer to our own request has told already. */
const KNOWN: readonly string[] = ['CHECKOUT', 'TRANSACTION']

async function readNotification({ headers, body }: Message, { fields }: Link): Promise<ReviewNotification> {
  const given = Buffer.from(headers['signifyd-sec-hmac-sha256'] ?? '', 'base64')
  const expected = createHmac('sha256', fields['api_key'] ?? '')
    .update(body)
    .digest()
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return rejected('The signature does not fit the API key.')
  if (KNOWN.includes(headers['signifyd-checkpoint'] ?? '')) return { outcome: 'ignored' }
  const told = parse(body)
  const { orderId } = told ?? {}
  const action = told && actionIn(told)
  if (typeof orderId !== 'string' || action === null) return rejected('The body is no decision of Signifyd.')
  if (action !== 'ACCEPT' && action !== 'REJECT') return { outcome: 'ignored' }
  return { outcome: 'read', transactionId: orderId, decision: action === 'ACCEPT' ? 'accept' : 'reject' }
}

function actionIn({ decision }: Json): string | null {
  const action = isObject(decision) ? decision['checkpointAction'] : null
  return typeof action === 'string' ? action : null
}

function parse(body: Buffer): Json | null {
  try {
    const told: unknown = JSON.parse(body.toString())
    return isObject(told) ? told : null
  } catch {
    return null
  }
}

function rejected(message: string): ReviewNotification {
  return { outcome: 'rejected', message }
}

/** It needs no key: the session tells whose device it was. */
function deviceScript(account: Pick<Link, 'fields' | 'environment'>): DeviceScript {
  const standIn = account.environment === 'sandbox' && account.fields['stand_in_url'] ? apiOf(account) : null
  return {
    url: standIn ? `${standIn}/script-tag.js` : 'https://cdn-scripts.signifyd.com/api/script-tag.js',
    attributes: { id: 'sig-api', 'data-order-session-id': FINGERPRINT },
    origins: standIn ? [standIn] : ['https://*.signifyd.com'],
  }
}
