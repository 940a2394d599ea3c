import { WRITTEN } from '#domain/written-forms.ts'
import type { Context } from '#platform/database/db.ts'
import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, type Reach, scopeOf } from '#platform/http/operation.ts'
import { OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { Type } from '#platform/http/type.ts'
import { paginate, paginateAccounts } from '#platform/listing/by-age.ts'
import { type Collection, turnPage } from '#platform/listing/pagination.ts'
import type { Job } from '#platform/process/jobs.ts'
import { GiftCardSummaries } from '#resources/gift-cards/schemas.ts'
import { PaymentMethodSummary } from '#resources/payment-methods/schemas.ts'
import { showSummaries } from '#resources/payment-methods/show.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import type { OperationNeeds, Resource } from '#resources/resource.ts'
import { billingComplaints } from './details.ts'
import { eraseBuyer, toErasure } from './erasure/create.ts'
import { type Erasing, eraseDue } from './erasure/erase.ts'
import { BuyerErasure } from './erasure/schemas.ts'
import * as erasures from './erasure/store.ts'
import { collectExport } from './export/collect.ts'
import { BuyerExport, EXPORTED_MAX } from './export/schemas.ts'
import { findNamedBuyer, isOwnBuyer, missingBuyer, namedTwice, otherBuyer } from './find-named.ts'
import { listOfBuyer } from './gift-cards/list.ts'
import { createBuyer, deleteBuyer, updateBuyer } from './save.ts'
import { Buyer, BuyerFilters, Buyers, CreateBuyer, UpdateBuyer } from './schemas.ts'
import { contains, searchBuyers } from './search.ts'
import { shippingDetailsRoutes } from './shipping-details/routes.ts'
import * as buyers from './store.ts'

const operation = operationsOf({ concerns: 'merchant-account', scopes: 'buyers' })

const SORTS = ['last_used_at', 'usage_count', 'cit_last_used_at', 'cit_usage_count'] as const

const SortBy = OneOf(SORTS, { description: 'Default: the newest stored first.' })
const OrderBy = OneOf(['asc', 'desc'], {
  default: 'desc',
  description: 'The direction of `sort_by`.',
})

const BuyerPaymentMethodFilters = Strict({
  buyer_id: Type.Optional(Uuid({ description: 'The buyer. Either this or `buyer_external_identifier`.' })),
  buyer_external_identifier: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The same buyer, by your own reference.',
      examples: ['known-buyer'],
    }),
  ),
  sort_by: Type.Optional(SortBy),
  order_by: OrderBy,
  country: Type.Optional(
    Type.String({ ...WRITTEN.country, description: 'Only those usable in this country.' }),
  ),
  currency: Type.Optional(
    Type.String({ ...WRITTEN.currency, description: 'Only those usable for this currency.' }),
  ),
})

const PaymentMethodSummaries = Strict(
  { items: Type.Array(PaymentMethodSummary) },
  { title: 'PaymentMethodSummaries' },
)

const BuyerGiftCardFilters = Strict({
  buyer_id: Type.Optional(Uuid({ description: 'The buyer. Either this or `buyer_external_identifier`.' })),
  buyer_external_identifier: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The same buyer, by your own reference.',
      examples: ['known-buyer'],
    }),
  ),
  sort_by: Type.Optional(SortBy),
  order_by: OrderBy,
})

const TAG = 'Buyers'

const buyerRoutes: readonly Operation[] = [
  operation({
    id: 'list_buyers',
    route: 'GET /buyers',
    tag: TAG,
    summary: 'List buyers',
    description: 'The buyers of the selected merchant accounts, newest first.',
    isList: true,
    query: BuyerFilters,
    responses: { 200: Buyers },
    handler: ({ context, reach, query }) => listBuyers(context, reach, query),
  }),

  operation({
    id: 'add_buyer',
    route: 'POST /buyers',
    tag: TAG,
    summary: 'Create buyer',
    body: CreateBuyer,
    check: ({ body }) => billingComplaints('/billing_details', body.billing_details),
    errors: ['duplicate_record'],
    responses: { 201: Buyer },
    handler: (call) => createBuyer(scopeOf(call), call.once, call.body),
  }),

  operation({
    id: 'get_buyer',
    route: 'GET /buyers/:buyer_id',
    tag: TAG,
    summary: 'Get buyer',
    responses: { 200: Buyer },
    handler: async (call) => orNotFound(await buyers.find(scopeOf(call), call.params.buyer_id)),
  }),

  operation({
    id: 'update_buyer',
    route: 'PUT /buyers/:buyer_id',
    tag: TAG,
    summary: 'Update buyer',
    description:
      'Fields that are left out stay as they are; null clears a field. Billing details are replaced as a whole.',
    body: UpdateBuyer,
    check: ({ body }) => billingComplaints('/billing_details', body.billing_details),
    errors: ['duplicate_record'],
    responses: { 200: Buyer },
    handler: (call) => updateBuyer(scopeOf(call), call.params.buyer_id, call.body),
  }),

  operation({
    id: 'delete_buyer',
    route: 'DELETE /buyers/:buyer_id',
    tag: TAG,
    summary: 'Delete buyer',
    description:
      'Deletes the buyer and its shipping details. Payment methods and gift cards stay, without a buyer.',
    responses: { 204: null },
    handler: (call) => deleteBuyer(scopeOf(call), call.params.buyer_id),
  }),
]

/**
 * Newest first. Each filter has its own way to the rows, so that a list costs no more among a million rows
 * than among a few.
 */
export function listBuyers(
  { db, mac }: Context,
  reach: Reach,
  { search, external_identifier, ...page }: BuyerFilters,
): Promise<Collection<Buyer>> {
  const list = { name: 'buyers', table: 'buyers', page, mac } as const
  if (external_identifier !== undefined) {
    const query = buyers.selectByExternalIdentifier(db, reach, external_identifier)
    return paginate({ ...list, query: search ? query.where(contains(search)) : query }, buyers.toBuyer)
  }
  if (search) {
    return turnPage(list, (slice) => searchBuyers(db, { reach, text: search }, slice), buyers.toBuyer)
  }
  return paginateAccounts({ ...list, query: buyers.select(db) }, { db, reach }, buyers.toBuyer)
}

type Needs = Pick<OperationNeeds, 'vault' | 'providers'>

function buyerGiftCardRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'list_buyer_gift_cards',
      route: 'GET /buyers/gift-cards',
      tag: 'Buyers: gift cards',
      summary: 'List buyer gift cards',
      description:
        'Lists the cards with their balances. Cards that have expired or are empty are deleted instead. ' +
        'Cards without an available balance are listed.',
      scope: 'gift-cards.read',
      query: BuyerGiftCardFilters,
      check: ({ query }) => namedTwice(query, 'query'),
      responses: { 200: GiftCardSummaries },
      handler: async (call) => {
        const scope = scopeOf(call)
        const buyer = await findNamedBuyer(scope, call.query, 'query')
        if (!buyer) throw missingBuyer()
        return { items: sortByUse(await listOfBuyer(scope, needs, buyer.id), call.query) }
      },
    }),
  ]
}

const buyerPaymentMethodRoutes: readonly Operation[] = [
  operation({
    id: 'list_buyer_payment_methods',
    route: 'GET /buyers/payment-methods',
    tag: 'Buyers: payment methods',
    summary: 'List buyer payment methods',
    description: 'All usable payment methods. A browser token sees only those of its own buyer.',
    scope: 'payment-methods.read',
    embed: true,
    query: BuyerPaymentMethodFilters,
    check: ({ query }) => namedTwice(query, 'query'),
    responses: { 200: PaymentMethodSummaries },
    handler: async (call) => {
      const scope = scopeOf(call)
      const buyer = await findNamedBuyer(scope, call.query, 'query')
      if (!buyer) throw missingBuyer()
      if (!(await isOwnBuyer(scope, call.caller))(buyer.id)) throw otherBuyer('query', '/buyer_id')
      const stored = await paymentMethods.listOfBuyer(scope, buyer.id)
      const usable = stored.filter(({ status, country, currency }) => {
        const fits = (own: string | null, wanted: string | undefined) =>
          own === null || wanted === undefined || own === wanted
        return (
          status === 'succeeded' && fits(country, call.query.country) && fits(currency, call.query.currency)
        )
      })
      return { items: sortByUse(showSummaries(usable), call.query) }
    },
  }),
]

const buyerExportRoutes: readonly Operation[] = [
  operation({
    id: 'export_buyer',
    route: 'GET /buyers/:buyer_id/export',
    tag: 'Buyers',
    summary: 'Export buyer',
    description: `Everything that is known of a buyer, as one document to hand over: the buyer, shipping details, stored payment methods and gift cards, payouts, payment links, and up to ${EXPORTED_MAX} payments. A signed-in user must have proved within the last ten minutes who they are.`,
    scope: 'personal-data.read',
    needsFreshProof: true,
    params: Strict({ buyer_id: Uuid() }),
    responses: { 200: BuyerExport },
    handler: (call) => collectExport(scopeOf(call), call.params.buyer_id),
  }),
]

const buyerErasureRoutes: readonly Operation[] = [
  operation({
    id: 'erase_buyer',
    route: 'POST /buyers/:buyer_id/erasure',
    tag: TAG,
    summary: 'Erase buyer',
    description:
      'Deletes the buyer, its shipping details, stored payment methods and gift cards, and takes everything personal out of its payments, events, webhook deliveries, exchanges, payouts, payment links and report files. Amounts, times and references stay. It cannot be undone. A buyer with an open payment or a pending payout is refused. A repeated request gets the first erasure. A signed-in user must have proved within the last ten minutes who they are.',
    scope: 'personal-data.write',
    needsFreshProof: true,
    responses: { 202: BuyerErasure },
    handler: (call) => eraseBuyer(scopeOf(call), call.once, call.params.buyer_id),
  }),

  operation({
    id: 'get_buyer_erasure',
    route: 'GET /buyers/:buyer_id/erasure',
    tag: TAG,
    summary: 'Get buyer erasure',
    description: 'How far the erasure of a buyer is. It stays, as a proof.',
    scope: 'personal-data.read',
    responses: { 200: BuyerErasure },
    handler: async (call) => toErasure(orNotFound(await erasures.find(scopeOf(call), call.params.buyer_id))),
  }),
]

const eraseBuyersJob: Job<Erasing> = {
  name: 'erase-buyers',
  everyMs: 1_000,
  run: eraseDue,
  nextDueAt: ({ context }) => erasures.nextDueAt(context),
}

export const buyerResource: Resource = {
  operations: (needs) => [
    ...buyerRoutes,
    ...shippingDetailsRoutes,
    ...buyerPaymentMethodRoutes,
    ...buyerGiftCardRoutes(needs),
    ...buyerErasureRoutes,
    ...buyerExportRoutes,
  ],
  jobs: [eraseBuyersJob],
}

type Used = Readonly<Record<(typeof SORTS)[number], number | string | null>>
type Order = { readonly sort_by?: (typeof SORTS)[number]; readonly order_by: 'asc' | 'desc' }

/** Unused items come last in either direction. */
function sortByUse<Item extends Used>(items: Item[], { sort_by, order_by }: Order): Item[] {
  if (!sort_by) return items
  const sign = order_by === 'asc' ? 1 : -1
  return items.toSorted((a, b) => {
    const [left, right] = [a[sort_by], b[sort_by]]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return left < right ? -sign : left > right ? sign : 0
  })
}
