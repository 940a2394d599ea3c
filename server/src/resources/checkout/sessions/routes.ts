import { type Context, inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { guestComplaints } from '#resources/buyers/details.ts'
import { lookUp } from '#resources/card-details/store.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { Resource } from '#resources/resource.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { complete } from '#resources/transactions/wire/complete.ts'
import { Airline, CartItem, GuestBuyer } from '#resources/transactions/wire/order.ts'
import type { Vault } from '#vault'
import { enterFields } from './enter.ts'
import { checkoutSessionJobs } from './forget-expired.ts'
import { checkoutPageRoutes } from './page/routes.ts'
import * as pages from './page/store.ts'
import { methodComplaints } from './read-method.ts'
import {
  CheckoutSession,
  CheckoutSessionAcquirer,
  CheckoutSessionCardDetails,
  CheckoutSessionCardDetailsRequest,
  CheckoutSessionFields,
  type CreateCheckoutSession,
  CreateCheckoutSessionBody,
  type EnteredMethod,
  UpdateCheckoutSession,
} from './schemas.ts'
import type { StoredSession } from './store.ts'
import * as sessions from './store.ts'

const EXPIRES_IN_SECONDS = 3_600

const Path = Strict({ session_id: Uuid() })
const TAG = 'Checkout sessions'

/** For the rate limit of calls without a token. */
const isThere = async (context: Context, { session_id }: { readonly session_id: string }) =>
  (await sessions.findForBrowser(context, session_id)) !== undefined

type Needs = { readonly vault: Vault; readonly publicUrl: string }

function checkoutSessionRoutes(needs: Needs): Operation[] {
  return [...serverRoutes(needs), ...fieldRoutes(needs), ...browserRoutes(needs)]
}

function serverRoutes({ vault }: Needs): Operation[] {
  return [
    operation({
      id: 'create_checkout_session',
      route: 'POST /checkout/sessions',
      tag: TAG,
      summary: 'Create checkout session',
      description:
        'The buyer’s browser uses the session’s id to enter a card that your server never sees. Pay with `POST /transactions` and the method `checkout-session`. The session’s order fills the gaps of that request.',
      scope: 'checkout-sessions.write',
      concerns: 'merchant-account',
      body: CreateCheckoutSessionBody,
      check: ({ body }) => orderComplaints(body as Sound<UpdateCheckoutSession>),
      isBodyOptional: true,
      responses: { 201: CheckoutSession },
      handler: (call) =>
        createSession(scopeOf(call), call.once, Array.isArray(call.body) ? {} : (call.body ?? {})),
    }),

    operation({
      id: 'get_checkout_session',
      route: 'GET /checkout/sessions/:session_id',
      tag: TAG,
      summary: 'Get checkout session',
      description: 'Includes the visible details of the entered card.',
      scope: 'checkout-sessions.read',
      concerns: 'merchant-account',
      responses: { 200: CheckoutSession },
      handler: async (call) => {
        const session = orNotFound(await sessions.find(scopeOf(call), call.params.session_id))
        return showSession(scopeOf(call), session)
      },
    }),

    operation({
      id: 'update_checkout_session',
      route: 'PUT /checkout/sessions/:session_id',
      tag: TAG,
      summary: 'Update checkout session',
      description: 'Fields that are left out stay as they are, and so does the entered card.',
      scope: 'checkout-sessions.write',
      concerns: 'merchant-account',
      body: UpdateCheckoutSession,
      check: ({ body }) => orderComplaints(body),
      responses: { 200: CheckoutSession },
      handler: (call) => updateSession(scopeOf(call), call.params.session_id, call.body),
    }),

    operation({
      id: 'delete_checkout_session',
      route: 'DELETE /checkout/sessions/:session_id',
      tag: TAG,
      summary: 'Delete checkout session',
      description: 'Deletes the session and removes its entered card from the vault.',
      scope: 'checkout-sessions.write',
      concerns: 'merchant-account',
      responses: { 204: null },
      handler: (call) => deleteSession(scopeOf(call), vault, call.params.session_id),
    }),
  ]
}

/** The same under two methods, because older pages use POST. */
function fieldRoutes({ vault }: Needs): Operation[] {
  const shared = {
    tag: TAG,
    description:
      'For the buyer’s browser. The number and the security code are sealed in the vault, and replace those entered before. The code is removed with the first payment, or within 15 minutes.',
    scope: null,
    limit: 'browser',
    isThere,
    concerns: 'merchant-account',
    params: Path,
    body: CheckoutSessionFields,
    errors: ['too_early'],
    responses: { 204: null },
  } as const
  return [
    operation({
      ...shared,
      id: 'update_checkout_session_fields',
      route: 'PUT /checkout/sessions/:session_id/fields',
      summary: 'Update checkout session fields',
      check: ({ body }, { now }) => methodComplaints(body.payment_method, now),
      handler: async ({ context, once, params, body }) => {
        await enterFields(context, once, vault, { id: params.session_id, fields: body })
      },
    }),

    operation({
      ...shared,
      id: 'set_checkout_session_fields',
      route: 'POST /checkout/sessions/:session_id/fields',
      summary: 'Set checkout session fields',
      check: ({ body }, { now }) => methodComplaints(body.payment_method, now),
      handler: ({ context, once, params, body }) =>
        enterFields(context, once, vault, { id: params.session_id, fields: body }),
    }),
  ]
}

function browserRoutes({ publicUrl }: Needs): Operation[] {
  return [
    operation({
      id: 'get_checkout_session_card_details',
      route: 'POST /checkout/sessions/:session_id/card-details',
      tag: TAG,
      summary: 'Get checkout session card details',
      description: 'For the buyer’s browser: details of a card by its first digits, while the buyer types.',
      scope: null,
      limit: 'browser',
      isThere,
      concerns: 'merchant-account',
      params: Path,
      body: CheckoutSessionCardDetailsRequest,
      responses: { 200: CheckoutSessionCardDetails },
      handler: ({ context, once, params, body }) =>
        showCard(context, once, params.session_id, { bin: body.bin, publicUrl }),
    }),

    operation({
      id: 'get_checkout_session_acquirer',
      route: 'GET /checkout/sessions/:session_id/acquirer',
      tag: TAG,
      summary: 'Get checkout session acquirer',
      description:
        'For the buyer’s browser. The answer has no data: a browser needs none about the acquirer.',
      scope: null,
      limit: 'browser',
      isThere,
      concerns: 'merchant-account',
      params: Path,
      responses: { 200: CheckoutSessionAcquirer },
      handler: async ({ context, params }) => {
        if (!(await sessions.findForBrowser(context, params.session_id))) throw errors.notFound()
        return {}
      },
    }),
  ]
}

async function createSession(
  scope: Scope,
  once: Once,
  { expires_in = EXPIRES_IN_SECONDS, ...order }: CreateCheckoutSession,
): Promise<Finished<CheckoutSession>> {
  await refuseUnknownService(scope, order)
  return inFinalTransaction(scope, once, async (tx) => {
    const expiresAt = new Date(tx.clock().getTime() + expires_in * 1000)
    const session = await sessions.insert(tx, order, expiresAt)
    await auditLogs.record(tx, 'created', { type: 'checkout-session', id: session.id, name: session.id })
    return showSession(tx, session)
  })
}

/** Absent fields stay, null clears. The session's life is extended only if the request says so. */
async function updateSession(
  scope: Scope,
  id: string,
  { expires_in, ...order }: UpdateCheckoutSession,
): Promise<CheckoutSession> {
  await refuseUnknownService(scope, order)
  return inTransaction(scope, async (tx) => {
    if (!(await sessions.lock(tx, id))) throw errors.notFound()
    const expiresAt = expires_in && new Date(tx.clock().getTime() + expires_in * 1000)
    const session = await sessions.update(tx, id, order, expiresAt || undefined)
    await pages.takeFromShopPage(tx, id)
    await auditLogs.record(tx, 'updated', { type: 'checkout-session', id, name: id })
    return showSession(tx, session)
  })
}

/** Deletes a session and everything that was entered in it. */
function deleteSession(scope: Scope, vault: Vault, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const session = orNotFound(await sessions.lock(tx, id))
    // A payment that is under way may still need the card: the session is hidden at once, and a job deletes
    // the card later.
    if (session.transaction_id && session.method) await sessions.expire(tx, id)
    else {
      for (const token of sessions.tokensOf(session)) await vault.remove(tx.db, tx, token)
      await sessions.remove(tx, id)
    }
    await auditLogs.record(tx, 'deleted', { type: 'checkout-session', id, name: id })
  })
}

/** Details of a card by its first digits, for the page in which the buyer types. */
async function showCard(
  context: Context,
  once: Once,
  id: string,
  { bin, publicUrl }: { readonly bin: string; readonly publicUrl: string },
): Promise<Finished<CheckoutSessionCardDetails>> {
  if (!(await sessions.findForBrowser(context, id))) throw errors.notFound()
  const { scheme, additionalSchemes, cardType } = await lookUp(context, bin)
  return inFinalTransaction(context, once, async () => ({
    bin,
    card_type: cardType,
    scheme,
    scheme_icon_url: `${publicUrl}/assets/card-schemes/${scheme}.svg`,
    additional_schemes: [...additionalSchemes],
  }))
}

export const checkoutSessionResource: Resource = {
  operations: (needs) => [...checkoutSessionRoutes(needs), ...checkoutPageRoutes(needs)],
  jobs: checkoutSessionJobs,
}

/** Checks of a session's order that a schema cannot express. */
function orderComplaints(order: Sound<UpdateCheckoutSession>): ErrorDetail[] {
  return [...unknownCodes(order), ...guestComplaints(order.buyer)]
}

async function refuseUnknownService(
  scope: Scope,
  { payment_service_id: id }: UpdateCheckoutSession,
): Promise<void> {
  if (!id || (await paymentServices.find(scope, id))) return
  const message = 'there is no such payment service'
  throw errors.invalid(inBody('/payment_service_id', 'value_error.not_found', message))
}

async function showSession(scope: Scope, session: StoredSession): Promise<CheckoutSession> {
  return {
    type: 'checkout-session',
    id: session.id,
    metadata: session.metadata,
    amount: session.amount,
    currency: session.currency,
    country: session.country,
    payment_service_id: session.payment_service_id,
    intent: session.intent,
    payment_source: session.payment_source,
    merchant_initiated: session.merchant_initiated,
    is_subsequent_payment: session.is_subsequent_payment,
    cart_items: session.cart_items?.map((item) => complete(CartItem, item)) ?? null,
    buyer: session.buyer && complete(GuestBuyer, session.buyer),
    airline: session.airline && complete(Airline, session.airline),
    expires_at: session.expires_at.toISOString(),
    payment_method: await enteredMethod(scope, session),
  }
}

/** A stored method that was deleted since is not shown. */
async function enteredMethod(scope: Scope, session: StoredSession): Promise<EnteredMethod | null> {
  if (session.method === 'card') return toEntered(null, session)
  if (session.method === 'click-to-pay') {
    const unknown = { details: null, label: null, scheme: null, fingerprint: null }
    return { type: 'payment-method', id: null, method: 'card', ...unknown }
  }
  const stored = session.payment_method_id && (await paymentMethods.find(scope, session.payment_method_id))
  return stored ? toEntered(stored.id, stored) : null
}

type Card = Pick<
  StoredSession,
  'label' | 'scheme' | 'fingerprint' | 'bin' | 'card_country' | 'card_type' | 'card_issuer_name'
>

function toEntered(id: string | null, card: Card): EnteredMethod {
  return {
    type: 'payment-method',
    id,
    details: {
      bin: card.bin,
      card_country: card.card_country,
      card_type: card.card_type,
      card_issuer_name: card.card_issuer_name,
    },
    label: card.label,
    method: 'card',
    scheme: card.scheme,
    fingerprint: card.fingerprint,
  }
}
