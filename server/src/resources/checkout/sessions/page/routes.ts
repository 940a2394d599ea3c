import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Engine } from '#processing/engine.ts'
import * as sessions from '../store.ts'
import { pageComplaints, savePage } from './save.ts'
import { CheckoutPage, UpdateCheckoutPage } from './schemas.ts'
import { showPage } from './show.ts'
import * as pages from './store.ts'

const Path = Strict({ session_id: Uuid() })
const TAG = 'Checkout sessions: page'

export function checkoutPageRoutes({ engine }: { readonly engine: Engine }): Operation[] {
  return [
    operation({
      id: 'get_checkout_session_page',
      route: 'GET /checkout/sessions/:session_id/page',
      tag: TAG,
      summary: 'Get checkout session page',
      scope: 'checkout-sessions.read',
      concerns: 'merchant-account',
      params: Path,
      responses: { 200: CheckoutPage },
      handler: async (call) => {
        const { session_id: id } = call.params
        const page = (await sessions.find(scopeOf(call), id)) && (await pages.find(scopeOf(call), id))
        if (!page) throw errors.notFound()
        return showPage(engine, page)
      },
    }),

    operation({
      id: 'update_checkout_session_page',
      route: 'PUT /checkout/sessions/:session_id/page',
      tag: TAG,
      summary: 'Update checkout session page',
      description:
        'Makes the page if there is none. Send the buyer to `url`, a page of this service where the session’s order is paid once. The payment is a transaction with `checkout_session_id`. Fields that are left out stay as they are.',
      scope: 'checkout-sessions.write',
      concerns: 'merchant-account',
      params: Path,
      body: UpdateCheckoutPage,
      check: ({ body }) => pageComplaints(body),
      responses: { 200: CheckoutPage },
      handler: (call) => savePage(scopeOf(call), engine, call.params.session_id, call.body),
    }),
  ]
}
