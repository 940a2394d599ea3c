import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GiftCardBalance } from '#domain/pay-page.ts'
import { cancelByBuyer } from '#payments/acts/cancel.ts'
import { createTransaction } from '#payments/pay.ts'
import { showTransaction } from '#payments/show.ts'
import type { BrowserLimit } from '#platform/access/rate-limit.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { ApiError, errors } from '#platform/http/errors.ts'
import { isId } from '#platform/http/incoming.ts'
import type { Static, TSchema } from '#platform/http/type.ts'
import { complaintsAbout, refuseExcess } from '#platform/http/validation.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { buyerUrl, type Engine } from '#processing/engine.ts'
import { listOfBuyer } from '#resources/buyers/gift-cards/list.ts'
import { createBuyer } from '#resources/buyers/save.ts'
import type { CreateBuyer } from '#resources/buyers/schemas.ts'
import * as buyers from '#resources/buyers/store.ts'
import { openAppleSession } from '#resources/digital-wallets/session/open-apple.ts'
import { balanceComplaints, listBalances } from '#resources/gift-cards/balances/list.ts'
import type { GiftCardSummary } from '#resources/gift-cards/schemas.ts'
import { findLinkBill } from '#resources/payment-links/bill.ts'
import { LinkObstacle } from '#resources/payment-links/claim.ts'
import { isLinkKey } from '#resources/payment-links/link-url.ts'
import { deletePaymentMethod } from '#resources/payment-methods/delete.ts'
import { findSessionBill, isPageKey } from '../sessions/page/bill.ts'
import { OutdatedForm } from '../sessions/page/claim.ts'
import type { Bill, PaymentTerms } from './bill.ts'
import { enteredIn } from './contact.ts'
import { factsOf } from './facts.ts'
import { mailReceipt } from './mail-receipt.ts'
import {
  AppleForm,
  CancelForm,
  chosenScheme,
  GiftCardForm,
  isStored,
  PayForm,
  ReceiptForm,
  readForm,
} from './read-form.ts'
import { findOwn, hashOf, showState } from './show-state.ts'

export type Needs = {
  readonly engine: Engine
  readonly context: Context
  readonly limit: BrowserLimit
  /** Null: the page offers no receipt by e-mail. */
  readonly mailer: Mailer | null
}
export type Asked = FastifyRequest<{ Params: Address; Querystring: Readonly<Record<string, unknown>> }>

export const PATH = '/pay/:merchant_account_id/:bill_id/:key'

/** What the page asks of us while it is open. It answers JSON, also if something is wrong. */
export function servePageActs(app: FastifyInstance, needs: Needs): void {
  const { engine, context, limit } = needs

  app.get(`${PATH}/state`, async (request: Asked) =>
    showState(context, await findOrRefuse(needs, request), claimedBy(request)),
  )

  app.get(`${PATH}/transaction`, async (request: Asked) => {
    const bill = await findOrRefuse(needs, request)
    const own = bill.page.tellsTransaction ? await findOwn(context, bill, claimedBy(request)) : undefined
    if (!own) throw errors.notFound()
    return showTransaction(context, own)
  })

  // The page shows it if its order was changed.
  app.get(`${PATH}/order`, async (request: Asked) => {
    const bill = await findOrRefuse(needs, request)
    await limit.count(`pay/${bill.id}`)
    const state = await showState(context, bill, claimedBy(request))
    return (await factsOf(context, engine, bill, { state, acceptLanguage: undefined, embed: null })).order
  })

  app.post(`${PATH}/payments`, async (request: Asked, reply) => {
    const bill = await findOrRefuse(needs, request)
    await limit.count(`pay/${bill.id}`)
    return pay(request, reply, bill)
  })

  app.post(`${PATH}/cancel`, async (request: Asked) => {
    const bill = await findOrRefuse(needs, request)
    await limit.count(`pay/${bill.id}`)
    const { attempt, transaction_id: transactionId } = read(CancelForm, request.body)
    const claimed = { attempt, transactionId }
    const own = await findOwn(context, bill, claimed)
    if (own) {
      const scope = { ...scopeOf(bill), requestId: request.id, startedAt: performance.now() }
      await cancelByBuyer(scope, engine, own.id)
    }
    return showState(context, await findOrRefuse(needs, request), claimed)
  })

  app.post(`${PATH}/receipt`, (request: Asked, reply) => sendReceipt(needs, request, reply))

  app.get(`${PATH}/gift-cards`, async (request: Asked) => {
    const bill = await findOrRefuse(needs, request)
    await limit.count(`pay/${bill.id}`)
    return { items: await listStoredGiftCards(context, engine, bill) }
  })

  app.post(`${PATH}/gift-cards`, async (request: Asked) => {
    const bill = await findOrRefuse(needs, request)
    await limit.count(`pay/${bill.id}`)
    return readGiftCard(context, engine, bill, read(GiftCardForm, request.body))
  })

  app.post(`${PATH}/apple-pay-session`, async (request: Asked) => {
    const bill = await findOrRefuse(needs, request)
    await limit.count(`pay/${bill.id}`)
    const { validation_url } = read(AppleForm, request.body)
    const domain_name = new URL(buyerUrl(engine)).hostname
    return (await openAppleSession(scopeOf(bill), UNKEYED, engine, { validation_url, domain_name })).answer
  })

  app.delete(`${PATH}/cards/:card_id`, async (request: Asked, reply) => {
    const bill = await findOrRefuse(needs, request)
    const { card_id: id } = request.params as Address & { readonly card_id: string }
    const { buyerId } = bill.payment
    if (buyerId === null || !isId(id)) throw errors.notFound()
    await deletePaymentMethod(scopeOf(bill), engine.vault, id, ({ buyer_id }) => buyer_id === buyerId)
    return reply.code(204).send()
  })

  async function pay(request: Asked, reply: FastifyReply, bill: Bill): Promise<FastifyReply> {
    const form = read(PayForm, request.body)
    if (isFor(form, bill)) {
      try {
        await payBill({ ...context, requestId: request.id, startedAt: performance.now() }, engine, bill, {
          form,
          address: request.ip,
        })
      } catch (error) {
        const now = await findBill(context, engine, request.params)
        if (!isOutdated(error) && (!now || isFor(form, now))) throw error
        if (!isOutdated(error) && !(error instanceof ApiError))
          request.log.error({ err: error, requestId: request.id }, 'unexpected error')
      }
    }
    // The form is used up, by its own payment or by another one, or it showed an order that was changed since.
    const after = await findOrRefuse(needs, request)
    const isOwn = after.standing.lastAttempt === hashOf(form.attempt)
    return reply.code(isOwn ? 200 : 409).send(await showState(context, after, { attempt: form.attempt }))
  }

  function scopeOf({ merchantAccountId }: Bill): Scope {
    return { ...context, merchantAccountId }
  }
}

/** Only the browser that has paid can have the receipt sent. */
async function sendReceipt(needs: Needs, request: Asked, reply: FastifyReply): Promise<FastifyReply> {
  const { engine, context, limit } = needs
  const bill = await findOrRefuse(needs, request)
  await limit.count(`pay/${bill.id}`)
  const { email_address: to, attempt, transaction_id: transactionId } = read(ReceiptForm, request.body)
  const state = await showState(context, bill, { attempt, transactionId })
  if (!needs.mailer || state.own?.outcome !== 'succeeded') throw errors.notFound()
  const acceptLanguage = request.headers['accept-language']
  const { locale, order } = await factsOf(context, engine, bill, { state, acceptLanguage, embed: null })
  if (!order) throw new Error('a bill has no order')
  await mailReceipt({ ...context, requestId: request.id }, engine.secrets, {
    to,
    locale,
    order,
    own: state.own,
  })
  return reply.code(204).send()
}

/** The bill that the address names. A wrong address is a guess, and counts against its sender. */
export async function findOrRefuse(
  { engine, context, limit }: Needs,
  { params, ip }: FastifyRequest<{ Params: Address }>,
): Promise<Bill> {
  const bill = await findBill(context, engine, params)
  if (bill) return bill
  await limit.countGuess(ip)
  throw errors.notFound()
}

export function claimedBy({ query }: Asked) {
  return { transactionId: query['transaction_id'], attempt: query['attempt'] }
}

/** Whether a form can pay a bill: nobody has tried since it was made, and it shows what is due. */
function isFor({ tries, amount, currency }: PayForm, bill: Bill): boolean {
  const { standing } = bill
  const isFree = standing.status === 'open' && standing.tries === tries
  return isFree && amount === bill.amount && currency === bill.currency
}

/** The same, found out under the lock of the bill. */
function isOutdated(error: unknown): boolean {
  return error instanceof LinkObstacle || error instanceof OutdatedForm
}

function read<Schema extends TSchema>(schema: Schema, body: unknown): Static<Schema> {
  refuseExcess('body', body)
  const complaints = complaintsAbout('body', schema, body ?? {})
  if (complaints.length > 0) throw errors.invalid(...complaints)
  return body as Static<Schema>
}

type Address = {
  readonly merchant_account_id: string
  readonly bill_id: string
  readonly key: string
}

/** The bill of an address. Its key says whether it is a link's or a session's, before the database is asked. */
async function findBill(
  context: Context,
  engine: Engine,
  { merchant_account_id: merchantAccountId, bill_id: id, key }: Address,
): Promise<Bill | undefined> {
  if (!isId(id)) return undefined
  const scope: Scope = { ...context, merchantAccountId }
  if (isLinkKey(engine.secrets, { merchant_account_id: merchantAccountId, id }, key)) {
    return findLinkBill(scope, engine, id)
  }
  return isPageKey(engine.secrets, { merchantAccountId, id }, key)
    ? findSessionBill(scope, engine, id)
    : undefined
}

/** The gift cards that are stored for the buyer, with what is on them. */
async function listStoredGiftCards(
  context: Context,
  engine: Engine,
  { merchantAccountId, payment }: Bill,
): Promise<GiftCardBalance[]> {
  if (payment.buyerId === null) return []
  const scope: Scope = { ...context, merchantAccountId }
  return (await listOfBuyer(scope, engine, payment.buyerId)).map(toBalance)
}

/** What is on a gift card that the buyer has typed. */
async function readGiftCard(
  context: Context,
  engine: Engine,
  { merchantAccountId, payment }: Bill,
  form: GiftCardForm,
): Promise<GiftCardBalance> {
  const request = { items: [form] }
  const complaints = balanceComplaints(request)
  if (complaints.length > 0) throw errors.invalid(...complaints)
  const scope: Scope = { ...context, merchantAccountId }
  const asked = { request, caller: payment.caller }
  const { answer } = await listBalances(scope, UNKEYED, engine, asked)
  const [balance] = answer.items.map(toBalance)
  if (!balance) throw new Error('a gift card has no balance')
  return balance
}

function toBalance({ id, last4, balance, currency }: GiftCardSummary): GiftCardBalance {
  return { id, last4, balance, currency }
}

type Sent = { readonly form: PayForm; readonly address: string }

/**
 * Pays a bill, as `POST /transactions` would with its order. Each form begins at most one payment: the first commit
 * compares its number of tries, under the lock of the link or the page.
 */
async function payBill(context: Context, engine: Engine, bill: Bill, { form, address }: Sent): Promise<void> {
  const scope: Scope = { ...context, merchantAccountId: bill.merchantAccountId }
  // A form with mistakes makes no buyer.
  readForm(bill, form, context.clock())
  const payment = await withBuyer(scope, bill, form)
  await createTransaction(scope, engine, {
    once: UNKEYED,
    request: readForm({ ...bill, payment }, form, context.clock()),
    caller: payment.caller,
    address,
    ...chosenScheme(form),
    ...(form.contact && { contact: enteredIn(bill.asks, form.contact) }),
    ...payment.claim({ tries: form.tries, attempt: hashOf(form.attempt) }),
  })
}

/** A card is stored for somebody: the buyer that the order names is made, unless another payment has just made it. */
async function withBuyer(scope: Scope, bill: Bill, form: PayForm): Promise<PaymentTerms> {
  const { payment } = bill
  const { newBuyer } = payment
  if (!newBuyer?.external_identifier || !isStored(bill, form)) return payment
  try {
    await createBuyer(scope, UNKEYED, newBuyerOf(newBuyer, bill, form))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
  const made = await buyers.findByExternalIdentifier(scope, newBuyer.external_identifier)
  if (!made) throw errors.tooEarly('The buyer is being changed. Try again.')
  const pinned = { ...payment.caller.pinned, buyer_id: made.id }
  return { ...payment, buyerId: made.id, caller: { ...payment.caller, pinned } }
}

/** With what it has entered: it need not enter that again. */
function newBuyerOf(named: CreateBuyer, { asks }: Bill, { contact }: PayForm): CreateBuyer {
  if (!contact) return named
  return { ...named, billing_details: { ...named.billing_details, ...enteredIn(asks, contact).billing } }
}
