import { opaqueColor } from '#domain/css-color.ts'
import { isLocale, LOCALES } from '#domain/locale.ts'
import { isWebPage } from '#domain/web-page.ts'
import { checkCredentials } from '#payments/prepare/check-request.ts'
import { isDatabaseAway } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import type { About, Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { lastMsOf } from '#platform/listing/bounds.ts'
import { failTogether, type Job } from '#platform/process/jobs.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { guestComplaints } from '#resources/buyers/details.ts'
import * as events from '#resources/events/store.ts'
import type { Resource } from '#resources/resource.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { totalOf } from './cart.ts'
import { createLink, nameOf } from './create.ts'
import { listLinks } from './list.ts'
import { PaymentLink, PaymentLinkCreate, PaymentLinkFilters, PaymentLinks } from './schemas.ts'
import { showLink, toTarget } from './show.ts'
import { objectionToExpire, statusAt } from './state.ts'
import * as links from './store.ts'

const BATCH = 100

const PAGES = [
  'merchant_url',
  'merchant_banner_url',
  'merchant_terms_and_conditions_url',
  'merchant_favicon_url',
  'return_url',
] as const

const operation = operationsOf({
  tag: 'Payment links',
  concerns: 'merchant-account',
  scopes: 'payment-links',
})

type Needs = { readonly engine: Engine }

function paymentLinkRoutes({ engine }: Needs): Operation[] {
  return [
    operation({
      id: 'list_payment_links',
      route: 'GET /payment-links',
      summary: 'List payment links',
      description: 'Newest first. Lists the links that match all filters.',
      isList: true,
      query: PaymentLinkFilters,
      responses: { 200: PaymentLinks },
      handler: async ({ context, reach, query }) => {
        const page = await listLinks(context, reach, query)
        return { ...page, items: page.items.map((link) => showLink(engine, link, context.clock())) }
      },
    }),

    operation({
      id: 'create_payment_link',
      route: 'POST /payment-links',
      summary: 'Create payment link',
      description:
        'Send the buyer to `url`, a page of this service where the amount can be paid once. The payment is a transaction with the link’s order.',
      body: PaymentLinkCreate,
      check: ({ body }, about) => linkComplaints(body, about),
      responses: { 201: PaymentLink },
      handler: (call) => createLink(scopeOf(call), call.once, engine, call.body),
    }),

    operation({
      id: 'get_payment_link',
      route: 'GET /payment-links/:payment_link_id',
      summary: 'Get payment link',
      description: 'List the payments that were tried with `GET /transactions?payment_link_id=…`.',
      responses: { 200: PaymentLink },
      handler: async (call) => {
        const link = orNotFound(await links.find(scopeOf(call), call.params.payment_link_id))
        return showLink(engine, link, call.context.clock())
      },
    }),

    operation({
      id: 'expire_payment_link',
      route: 'POST /payment-links/:payment_link_id/expire',
      summary: 'Expire payment link',
      description:
        'From now on the link cannot be paid. A link that has expired stays so, and answers 204 again. One that is paid or being paid cannot be expired.',
      responses: { 204: null },
      handler: (call) => expireLink(scopeOf(call), call.once, call.params.payment_link_id),
    }),
  ]
}

const paymentLinkJobs: Job<ExpiryNeeds>[] = [
  {
    name: 'expire-payment-links',
    everyMs: 15_000,
    run: ({ context }, stopping) => expireDueLinks(context, stopping),
    nextDueAt: ({ context }) => links.nextDueAt(context),
  },
]

export const paymentLinkResource: Resource = { operations: paymentLinkRoutes, jobs: paymentLinkJobs }

type ExpiryNeeds = { readonly context: Context }

type Request = Sound<PaymentLinkCreate>

/** Everything that is wrong with a link, judged by the request alone. What a payment would refuse is refused here. */
function linkComplaints(request: Request, about: About): ErrorDetail[] {
  return [
    ...unknownCodes(request),
    ...guestComplaints(request.buyer),
    ...(request.buyer && request.buyer_id
      ? [inBody('/buyer', 'value_error.conflict', 'name a buyer or describe one, not both')]
      : []),
    ...timeComplaints(request, about),
    ...moneyComplaints(request, about),
    ...pageComplaints(request),
  ]
}

function timeComplaints({ expires_at }: Request, { now }: About): ErrorDetail[] {
  if (!expires_at || lastMsOf(expires_at, 'expires_at', 'body') > now.getTime()) return []
  return [inBody('/expires_at', 'value_error.expired', 'must be in the future')]
}

function moneyComplaints(request: Request, { isRight }: About): ErrorDetail[] {
  const { amount, intent, payment_source = 'ecommerce', store = false } = request
  const complaints = isRight('/payment_source', '/store')
    ? checkCredentials({
        payment_source,
        store,
        merchant_initiated: false,
        is_subsequent_payment: false,
        isStored: false,
        isStorable: true,
      })
    : []
  if (intent === 'capture' && amount === 0) {
    complaints.push(inBody('/amount', 'value_error.number.not_ge', 'must be above 0 with the intent capture'))
  }
  return isRight('/amount', '/cart_items') ? [...complaints, ...cartComplaints(request)] : complaints
}

/** The buyer reads the lines above the amount, so a difference would be a wrong bill. */
function cartComplaints({ amount, cart_items }: Request): ErrorDetail[] {
  if (!cart_items?.length || amount === undefined) return []
  if (totalOf(cart_items as NonNullable<PaymentLinkCreate['cart_items']>) === BigInt(amount)) return []
  const message =
    'must add up to the amount: quantity × unit_amount − discount_amount + tax_amount + duty_amount + shipping_amount of each line, less lines of the types discount and store_credit'
  return [inBody('/cart_items', 'value_error.conflict', message)]
}

function pageComplaints(request: Request): ErrorDetail[] {
  const { locale, merchant_color } = request
  const complaints = PAGES.flatMap((name) => {
    const url = request[name]
    if (!url || isWebPage(url)) return []
    const message = 'must be an absolute URL with https or http, such as https://shop.example.com/back'
    return [inBody(`/${name}`, 'value_error.url', message)]
  })
  if (merchant_color && !opaqueColor(merchant_color)) {
    const message =
      'must be a colour of CSS that one cannot see through, such as #FF5733, navy or rgb(255, 87, 51)'
    complaints.push(inBody('/merchant_color', 'value_error.str.regex', message))
  }
  if (locale && !isLocale(locale)) {
    complaints.push(inBody('/locale', 'type_error.enum', `must be one of ${LOCALES.join(', ')}`))
  }
  return complaints
}

/** Ends a link now. Repeating it is harmless. A link that is paid, or being paid, stays as it is. */
function expireLink(scope: Scope, once: Once, id: string): Promise<Finished<void>> {
  return inFinalTransaction(scope, once, async (tx) => {
    const link = orNotFound(await links.lock(tx, id))
    const objection = objectionToExpire(link)
    if (objection) throw errors.refused(objection)
    if (link.status === 'expired') return
    await expire(tx, link, { expires_at: earlier(link.expires_at, tx.clock()) })
    await auditLogs.record(tx, 'updated', { type: 'payment-link', id, name: nameOf(link) })
  })
}

/** The job: writes down that the time of links is over. Reads and payments go by the time itself. */
export async function expireDueLinks(context: Context, stopping?: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  let beyond: links.Due | null = null
  do {
    if (stopping?.aborted) break
    const due: links.Due[] = await links.due(context, { limit: BATCH, beyond })
    for (const { id, merchant_account_id: merchantAccountId } of due) {
      await expireDue({ ...context, merchantAccountId }, id).catch((error: unknown) => {
        if (isDatabaseAway(error)) throw error
        failures.push(error)
      })
    }
    beyond = due.length < BATCH ? null : (due.at(-1) ?? null)
  } while (beyond !== null)
  failTogether(failures)
}

/** A payment may have begun just before the time was over. Then the link is no longer active, and stays. */
function expireDue(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const link = await links.lock(tx, id)
    if (link?.status !== 'active' || statusAt(link, tx.clock()) !== 'expired') return
    await expire(tx, link, {})
  })
}

async function expire(tx: Scope<Tx>, link: links.StoredLink, change: links.Change): Promise<void> {
  const after = await links.change(tx, link, { ...change, status: 'expired' })
  await events.publish(tx, ['payment-link.updated'], toTarget(after, tx.clock()))
}

/** A link whose time is over keeps that time. */
function earlier(one: Date, other: Date): Date {
  return new Date(Math.min(one.getTime(), other.getTime()))
}
