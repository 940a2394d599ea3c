import { sql } from 'kysely'
import { type Context, inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, type Reach, scopeOf } from '#platform/http/operation.ts'
import { eachAccount, eachValue } from '#platform/listing/branches.ts'
import { paginateAccounts, walkEach } from '#platform/listing/by-age.ts'
import { type Collection, turnPage } from '#platform/listing/pagination.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { isOwnBuyer } from '#resources/buyers/find-named.ts'
import * as events from '#resources/events/store.ts'
import type { Vault } from '#vault'
import { createPaymentMethod } from './create.ts'
import { deletePaymentMethod } from './delete.ts'
import { CreatePaymentMethod } from './new-schemas.ts'
import { expirationComplaints, expiresOn } from './read-card.ts'
import { newMethodComplaints } from './read-new.ts'
import { PaymentMethod, PaymentMethodFilters, PaymentMethods, UpdatePaymentMethod } from './schemas.ts'
import { nameOf, showMethod, showMethods } from './show.ts'
import * as paymentMethods from './store.ts'
import { type StoredMethod, select } from './store.ts'

const operation = operationsOf({
  tag: 'Payment methods',
  concerns: 'merchant-account',
  scopes: 'payment-methods',
})

type Needs = { readonly vault: Vault; readonly engine: Engine }

export function paymentMethodRoutes(needs: Needs): Operation[] {
  return [...collectionRoutes(needs), ...itemRoutes(needs)]
}

function collectionRoutes({ engine }: Needs): Operation[] {
  return [
    operation({
      id: 'list_payment_methods',
      route: 'GET /payment-methods',
      summary: 'List payment methods',
      description: 'Stored payment methods, newest first. Deleted ones are not listed.',
      isList: true,
      query: PaymentMethodFilters,
      responses: { 200: PaymentMethods },
      handler: async ({ context, reach, query }) => {
        const page = await listPaymentMethods(context, reach, query)
        return { ...page, items: await showMethods(context, page.items) }
      },
    }),

    operation({
      id: 'create_payment_method',
      route: 'POST /payment-methods',
      summary: 'Create payment method',
      description:
        'The number of a card is sealed in the vault; the security code is not stored. The same card may be stored twice. A bank account and a token of Plaid are sealed as a card is. A method that the buyer has to approve is stored by a payment service; send the buyer to `approval_url`.',
      body: CreatePaymentMethod,
      check: ({ body }, { now }) => (body === undefined ? [] : newMethodComplaints(body, now)),
      errors: ['duplicate_record', 'too_early'],
      responses: { 201: PaymentMethod },
      handler: (call) => createPaymentMethod(scopeOf(call), call.once, engine, call.body),
    }),
  ]
}

function itemRoutes({ vault }: Needs): Operation[] {
  return [
    operation({
      id: 'get_payment_method',
      route: 'GET /payment-methods/:payment_method_id',
      summary: 'Get payment method',
      responses: { 200: PaymentMethod },
      handler: async (call) => {
        const method = orNotFound(await paymentMethods.find(scopeOf(call), call.params.payment_method_id))
        return showMethod(call.context, method)
      },
    }),

    operation({
      id: 'update_payment_method',
      route: 'PUT /payment-methods/:payment_method_id',
      summary: 'Update payment method',
      description:
        'Fields that are left out stay as they are. Clearing `scheme_transaction_id` clears its scheme too.',
      body: UpdatePaymentMethod,
      check: ({ body }, { now }) => expirationComplaints(body.expiration_date, now),
      responses: { 200: PaymentMethod },
      handler: (call) => updatePaymentMethod(scopeOf(call), call.params.payment_method_id, call.body),
    }),

    operation({
      id: 'delete_payment_method',
      route: 'DELETE /payment-methods/:payment_method_id',
      summary: 'Delete payment method',
      description: 'The number leaves the vault at once. A browser token can delete its own buyer’s methods.',
      embed: true,
      responses: { 204: null },
      handler: async (call) => {
        const scope = scopeOf(call)
        const own = await isOwnBuyer(scope, call.caller)
        await deletePaymentMethod(scope, vault, call.params.payment_method_id, ({ buyer_id }) =>
          own(buyer_id),
        )
      },
    }),
  ]
}

/** Stored payment methods, newest first. */
export function listPaymentMethods(
  { db, mac }: Context,
  reach: Reach,
  filters: PaymentMethodFilters,
): Promise<Collection<StoredMethod>> {
  let query = select(db)
  // Always true. It is the condition of the index by status and age, which only a list over all accounts may
  // use. For the few rows of one account, the planner would sometimes walk the rows of all.
  if (reach === 'all' && filters.status) {
    query = query.where(sql<boolean>`payment_methods.created_at < 'infinity'`)
  }
  if (filters.buyer_id !== undefined) query = query.where('buyer_id', '=', filters.buyer_id)
  if (filters.external_identifier !== undefined) {
    query = query.where('payment_methods.external_identifier', '=', filters.external_identifier)
  }
  if (filters.fingerprint !== undefined) query = query.where('fingerprint', '=', filters.fingerprint)
  if (filters.buyer_external_identifier !== undefined) {
    const { buyer_external_identifier } = filters
    query = query.where('buyer_id', 'in', (eb) => {
      const buyers = eb
        .selectFrom('buyers')
        .select('buyers.id')
        .where('buyers.external_identifier', '=', buyer_external_identifier)
      return reach === 'all' ? buyers : buyers.where('buyers.merchant_account_id', 'in', reach)
    })
  }
  const list = { name: 'payment-methods', page: filters, mac }
  const asIs = (row: StoredMethod) => row
  const { status } = filters
  if (!status) return paginateAccounts({ ...list, query, table: 'payment_methods' }, { db, reach }, asIs)
  const each = {
    status: eachValue([...new Set(status)], 'text'),
    ...(reach !== 'all' && { merchant_account_id: eachAccount(reach) }),
  }
  const walks = { db, table: 'payment_methods', query, each } as const
  return turnPage(list, (slice) => walkEach(walks, slice).execute(), asIs)
}

/** Absent fields stay, null clears. A card keeps its expiration date if it is null. */
async function updatePaymentMethod(
  scope: Scope,
  id: string,
  request: UpdatePaymentMethod,
): Promise<PaymentMethod> {
  const { expiration_date } = request
  return inTransaction(scope, async (tx) => {
    const before = orNotFound(await paymentMethods.lock(tx, id))
    const complaints = before.scheme === null ? cardOnly(request) : []
    if (complaints.length > 0) throw errors.invalid(...complaints)

    await paymentMethods.update(tx, id, {
      ...schemeChanges(before, request),
      ...(request.transaction_link_id !== undefined && { transaction_link_id: request.transaction_link_id }),
      ...(expiration_date && { expiration_date, expires_on: expiresOn(expiration_date) }),
    })
    await auditLogs.record(tx, 'updated', {
      type: auditLogs.OF_BUYERS.paymentMethod,
      id,
      name: nameOf(before),
    })
    const after = orNotFound(await paymentMethods.find(tx, id))
    const shown = await showMethod(tx, after)
    await events.publish(tx, ['payment-method.updated'], shown)
    return shown
  })
}

/** The fields of a card, for a method that is none. Clearing one that is empty does no harm. */
function cardOnly(request: UpdatePaymentMethod): ErrorDetail[] {
  return Object.entries(request).flatMap(([name, value]) =>
    value === null ? [] : inBody(`/${name}`, 'value_error.conflict', 'leave it out: only cards have it'),
  )
}

/**
 * A scheme's id means nothing without its scheme: both are cleared together, and the card's own scheme is the
 * default.
 */
function schemeChanges(
  before: paymentMethods.StoredMethod,
  request: UpdatePaymentMethod,
): paymentMethods.Changes {
  const { scheme_transaction_id: id, scheme_transaction_id_scheme: scheme } = request
  if (id === null) return { scheme_transaction_id: null, scheme_transaction_id_scheme: null }
  const after = scheme !== undefined ? scheme : before.scheme_transaction_id_scheme
  const isSet = (id ?? before.scheme_transaction_id) !== null
  return {
    ...(id !== undefined && { scheme_transaction_id: id }),
    ...(isSet && { scheme_transaction_id_scheme: after ?? before.scheme }),
  }
}
