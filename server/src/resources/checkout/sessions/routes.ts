import type { Context } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/meaning.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Vault } from '#vault'
import { orderComplaints } from './check-order.ts'
import { createSession } from './create.ts'
import { deleteSession } from './delete.ts'
import { enterFields } from './enter.ts'
import { methodComplaints } from './read-method.ts'
import {
  CheckoutSession,
  CheckoutSessionAcquirer,
  CheckoutSessionCardDetails,
  CheckoutSessionCardDetailsRequest,
  CheckoutSessionFields,
  CreateCheckoutSessionBody,
  UpdateCheckoutSession,
} from './schemas.ts'
import { showSession } from './show.ts'
import { showCard } from './show-card.ts'
import * as sessions from './store.ts'
import { updateSession } from './update.ts'

const Path = Strict({ session_id: Uuid() })
const TAG = 'Checkout sessions'

/** For the rate limit of calls without a token. */
const isThere = async (context: Context, { session_id }: { readonly session_id: string }) =>
  (await sessions.findForBrowser(context, session_id)) !== undefined

type Needs = { readonly vault: Vault; readonly publicUrl: string }

export function checkoutSessionRoutes(needs: Needs): Operation[] {
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
      params: Path,
      responses: { 200: CheckoutSession },
      handler: async (call) => {
        const session = await sessions.find(scopeOf(call), call.params.session_id)
        if (!session) throw errors.notFound()
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
      params: Path,
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
      params: Path,
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
