import { isOrigin, isWebPage } from '#domain/web-page.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import type { Sound } from '#platform/http/validation.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as sessions from '../store.ts'
import { pageUrl } from './bill.ts'
import { openingComplaints, openPage } from './open.ts'
import { CheckoutPage, OpenCheckoutPage, UpdateCheckoutPage } from './schemas.ts'
import type { StoredPage } from './store.ts'
import * as pages from './store.ts'

const NO_AMOUNT =
  'The checkout session has no amount or no currency, so its page could not say what to pay. Set both with PUT /checkout/sessions/{session_id} first.'

const NOBODY = inBody(
  '/store',
  'value_error.missing',
  'ask needs a buyer to store the card for: set buyer.external_identifier with PUT /checkout/sessions/{session_id} first. There need not be such a buyer yet',
)

const operation = operationsOf({
  tag: 'Checkout sessions: page',
  concerns: 'merchant-account',
  scopes: 'checkout-sessions',
})

export function checkoutPageRoutes({ engine }: { readonly engine: Engine }): Operation[] {
  return [
    operation({
      id: 'get_checkout_session_page',
      route: 'GET /checkout/sessions/:session_id/page',
      summary: 'Get checkout session page',
      responses: { 200: CheckoutPage },
      handler: async (call) => {
        const { session_id: id } = call.params
        const page = orNotFound(
          (await sessions.find(scopeOf(call), id)) && (await pages.find(scopeOf(call), id)),
        )
        return showPage(engine, page)
      },
    }),

    operation({
      id: 'update_checkout_session_page',
      route: 'PUT /checkout/sessions/:session_id/page',
      summary: 'Update checkout session page',
      description:
        'Makes the page if there is none. Send the buyer to `url`, a page of this service where the session’s order is paid once. The payment is a transaction with `checkout_session_id`. Fields that are left out stay as they are.',
      body: UpdateCheckoutPage,
      check: ({ body }) => pageComplaints(body),
      responses: { 200: CheckoutPage },
      handler: (call) => savePage(scopeOf(call), engine, call.params.session_id, call.body),
    }),

    operation({
      id: 'open_checkout_page',
      route: 'POST /checkout/sessions/page',
      scope: 'transactions.write',
      embed: true,
      limit: 'browser',
      summary: 'Open checkout page',
      description:
        'For a page of the shop, with a browser token: makes the page of an order, for a frame of this origin. The drop-in form of public packages begins so. A token with a `checkout_session_id` opens the page of that session. Stored cards are shown only of a buyer whom the token names.',
      body: OpenCheckoutPage,
      check: ({ body }, about) => [...pageComplaints(body), ...openingComplaints(body, about)],
      errors: ['duplicate_record'],
      responses: { 201: CheckoutPage },
      handler: ({ once, caller, body, ...call }) =>
        openPage(scopeOf(call), once, engine, { caller, body, show: (page) => showPage(engine, page) }),
    }),
  ]
}

type Needs = Pick<Engine, 'publicUrl' | 'secrets'>

/** Makes the page of a session, or changes it. */
function savePage(
  scope: Scope,
  engine: Needs,
  id: string,
  request: UpdateCheckoutPage,
): Promise<CheckoutPage> {
  return inTransaction(scope, async (tx) => {
    const session = orNotFound(await sessions.lock(tx, id))
    if (session.amount === null || session.currency === null) throw errors.refused(NO_AMOUNT)
    if (request.store === 'ask' && !session.buyer?.external_identifier) throw errors.invalid(NOBODY)
    const page = await pages.save(tx, id, { ...request, is_order_of_shop_page: false })
    await auditLogs.record(tx, 'updated', { type: 'checkout-page', id, name: id })
    return showPage(engine, page)
  })
}

function pageComplaints(
  request: Pick<Sound<UpdateCheckoutPage>, 'return_url' | 'cancel_url' | 'allowed_origins'>,
): ErrorDetail[] {
  const { return_url, cancel_url, allowed_origins } = request
  const complaints: ErrorDetail[] = []
  for (const [name, url] of Object.entries({ return_url, cancel_url })) {
    if (!url || isWebPage(url)) continue
    const message = 'must be an absolute URL with https or http, such as https://shop.example.com/back'
    complaints.push(inBody(`/${name}`, 'value_error.url', message))
  }
  for (const [index, origin] of (allowed_origins ?? []).entries()) {
    if (origin === undefined || isOrigin(origin)) continue
    const message = 'must be an origin: a scheme and a host without a path, such as https://shop.example.com'
    complaints.push(inBody(`/allowed_origins/${index}`, 'value_error.url', message))
  }
  return complaints
}

function showPage(engine: Pick<Engine, 'publicUrl' | 'secrets'>, page: StoredPage): CheckoutPage {
  const { session_id: id, merchant_account_id: merchantAccountId } = page
  return {
    type: 'checkout-page',
    checkout_session_id: id,
    url: pageUrl(engine, { merchantAccountId, id }),
    locale: page.locale as CheckoutPage['locale'],
    return_url: page.return_url,
    cancel_url: page.cancel_url,
    external_identifier: page.external_identifier,
    store: page.store,
    ask_security_code: page.ask_security_code,
    allowed_origins: page.allowed_origins,
    required_fields: page.required_fields,
    created_at: page.created_at.toISOString(),
    updated_at: page.updated_at.toISOString(),
  }
}
