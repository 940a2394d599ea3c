import type { Context } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Engine } from '#processing/engine.ts'
import type { Resource } from '#resources/resource.ts'
import { linkComplaints } from './check-request.ts'
import { createLink } from './create.ts'
import { expireDueLinks, expireLink } from './expire.ts'
import { listLinks } from './list.ts'
import { PaymentLink, PaymentLinkCreate, PaymentLinkFilters, PaymentLinks } from './schemas.ts'
import { showLink } from './show.ts'
import * as links from './store.ts'

const Path = Strict({ payment_link_id: Uuid() })
const TAG = 'Payment links'

type Needs = { readonly engine: Engine }

function paymentLinkRoutes({ engine }: Needs): Operation[] {
  return [
    operation({
      id: 'list_payment_links',
      route: 'GET /payment-links',
      tag: TAG,
      summary: 'List payment links',
      description: 'Newest first. Lists the links that match all filters.',
      scope: 'payment-links.read',
      concerns: 'merchant-account',
      isList: true,
      query: PaymentLinkFilters,
      responses: { 200: PaymentLinks },
      handler: async ({ context, reach, query }) => {
        const page = await listLinks(context, engine.secrets, reach, query)
        return { ...page, items: page.items.map((link) => showLink(engine, link, context.clock())) }
      },
    }),

    operation({
      id: 'create_payment_link',
      route: 'POST /payment-links',
      tag: TAG,
      summary: 'Create payment link',
      description:
        'Send the buyer to `url`, a page of this service where the amount can be paid once. The payment is a transaction with the link’s order.',
      scope: 'payment-links.write',
      concerns: 'merchant-account',
      body: PaymentLinkCreate,
      check: ({ body }, about) => linkComplaints(body, about),
      responses: { 201: PaymentLink },
      handler: (call) => createLink(scopeOf(call), call.once, engine, call.body),
    }),

    operation({
      id: 'get_payment_link',
      route: 'GET /payment-links/:payment_link_id',
      tag: TAG,
      summary: 'Get payment link',
      description: 'List the payments that were tried with `GET /transactions?payment_link_id=…`.',
      scope: 'payment-links.read',
      concerns: 'merchant-account',
      params: Path,
      responses: { 200: PaymentLink },
      handler: async (call) => {
        const link = await links.find(scopeOf(call), call.params.payment_link_id)
        if (!link) throw errors.notFound()
        return showLink(engine, link, call.context.clock())
      },
    }),

    operation({
      id: 'expire_payment_link',
      route: 'POST /payment-links/:payment_link_id/expire',
      tag: TAG,
      summary: 'Expire payment link',
      description:
        'From now on the link cannot be paid. A link that has expired stays so, and answers 204 again. One that is paid or being paid cannot be expired.',
      scope: 'payment-links.write',
      concerns: 'merchant-account',
      params: Path,
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
