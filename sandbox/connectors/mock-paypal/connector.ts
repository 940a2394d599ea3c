import type {
  AuthorizeAnswer,
  Connector,
  Link,
  SessionAnswer,
  SyncAnswer,
  VerifyAnswer,
} from '#connectors/contract/connector.ts'
import { type Manifest, NO_CAPABILITIES } from '#connectors/contract/manifest.ts'
import type { Inquiry, SessionOrder } from '#connectors/contract/orders.ts'
import { activity } from './activity.ts'
import { call, toAnswer, toFollowUpAnswer, toInstrument } from './wire.ts'

const manifest: Manifest = {
  id: 'mock-paypal',
  displayName: 'Mock PayPal',
  method: 'paypal',
  mode: 'redirect',
  instruments: ['redirect', 'provider-token'],
  fields: [
    {
      key: 'merchant_id',
      displayName: 'Merchant id',
      isRequired: true,
      format: 'text',
      isSecret: false,
      isVerifiable: true,
    },
  ],
  reportingFields: [],
  currencies: 'all',
  countries: 'all',
  capabilities: {
    ...NO_CAPABILITIES,
    directCapture: true,
    partialRefunds: true,
  },
  recovery: { by: 'lookup' },
  shownInTranscripts: [
    ...['attempt_id', 'transaction_id', 'operation', 'status', 'reference', 'amount', 'currency', 'capture'],
    ...['instrument.type', 'code', 'description', 'error', 'x-merchant-id', 'x-product'],
    ...['/authorizations/*', '/captures', '/voids', '/cancels', '/refunds', '/attempts/*'],
  ],
  isSimulator: true,
}

/**
 * The sandbox's wallet: buyers approve on a page of the simulator, once for a payment, or once for all payments with
 * a token. See docs/guide/simulator.md.
 */
export const mockPayPal: Connector = {
  manifest,
  authorize: ({ instrument, redirectUrl, ...order }, link) =>
    ask(link, 'authorizations', {
      ...attemptOf(order.attemptId, order.transactionId),
      ...moneyOf(order),
      capture: order.intent === 'capture',
      instrument: toInstrument(instrument, redirectUrl),
    }),
  capture: async (order, link) =>
    followUp(link, order, 'captures', { ...moneyOf(order), final: order.isFinal }),
  void: async (order, link) => followUp(link, order, 'voids', {}),
  cancel: async (order, link) => followUp(link, order, 'cancels', {}),
  refund: async (order, link) => followUp(link, order, 'refunds', moneyOf(order)),
  tokenize: ({ attemptId, tokenId, instrument, redirectUrl }, link) =>
    ask(link, 'tokens', {
      ...attemptOf(attemptId, tokenId),
      instrument: toInstrument(instrument, redirectUrl),
    }),
  forgetToken: async ({ attemptId, tokenId, token }, link) =>
    toFollowUpAnswer(
      await ask(link, 'forgotten-tokens', { ...attemptOf(attemptId, tokenId), token: token.use(String) }),
    ),
  session,
  sync,
  activity,
  verify,
}

async function ask(link: Link, path: string, body: object): Promise<AuthorizeAnswer> {
  return toAnswer(await call(link, path, body))
}

type Order = { readonly attemptId: string; readonly transactionId: string; readonly reference: string | null }

async function followUp(
  link: Link,
  { attemptId, transactionId, reference }: Order,
  what: string,
  body: object,
) {
  const path = reference === null ? what : `authorizations/${encodeURIComponent(reference)}/${what}`
  const answer = await ask(link, path, { ...attemptOf(attemptId, transactionId), ...body })
  return toFollowUpAnswer(answer)
}

function attemptOf(attemptId: string, transactionId: string) {
  return { attempt_id: attemptId, transaction_id: transactionId }
}

function moneyOf({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  return { amount, currency }
}

/** The processor closes an unknown attempt when it is asked about it, so `not_found` is reliable. */
async function sync({ attemptId, operation }: Inquiry, link: Link): Promise<SyncAnswer> {
  const reply = await call(link, `attempts/${encodeURIComponent(attemptId)}`)
  if (reply?.status === 404 && reply.body['error'] === 'attempt_closed') return { outcome: 'not_found' }
  // Refusals of other kinds are about the inquiry. They say nothing about the attempt.
  if (reply?.status !== 200 || reply.body['operation'] !== operation) {
    return { outcome: 'unknown', reason: 'the processor did not say what became of the attempt' }
  }
  return toAnswer(reply)
}

/** Data for the wallet's script: the merchant's client id and, for a payment, the order that the buyer approves. */
async function session({ payload, payment }: SessionOrder, link: Link): Promise<SessionAnswer> {
  const reply = await call(link, 'sessions', { reference: payment?.reference ?? null, payload })
  if (!reply || reply.status >= 500) throw new Error('the processor gave no readable answer')
  if (reply.status === 200) return { outcome: 'succeeded', statusCode: 200, body: reply.body }
  const { error } = reply.body
  return { outcome: 'failed', code: typeof error === 'string' ? error : 'refused', statusCode: reply.status }
}

async function verify(link: Link): Promise<VerifyAnswer> {
  if (!link.fields['merchant_id']) return { outcome: 'rejected', message: 'merchant_id is missing' }
  const reply = await call(link, 'merchant')
  if (reply?.status === 200 && reply.body['merchant'] === 'active') return { outcome: 'accepted' }
  if (reply?.status === 401)
    return { outcome: 'rejected', message: 'the processor knows no such merchant_id' }
  return { outcome: 'unreachable', message: 'the processor gave no readable answer' }
}
