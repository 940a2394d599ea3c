import type { Books } from './books.ts'
import { confirmIntent } from './confirm.ts'
import { findDispute } from './disputes.ts'
import { acceptDispute, createFile, updateDispute } from './evidence.ts'
import { cancelIntent, captureIntent, incrementIntent } from './follow-ups.ts'
import { confirmationOf, createIntent, findIntent } from './intents.ts'
import { listItems, searchIntents } from './lists.ts'
import { findMandate } from './mandates.ts'
import type { Params } from './params.ts'
import { createMethod, findMethod } from './payment-methods.ts'
import { createRefund, findRefund } from './refunds.ts'
import { cancelSetupIntent, createSetupIntent, findSetupIntent } from './setup-intents.ts'
import { missing } from './stripe-error.ts'
import { createEndpoint, deleteEndpoint, showEndpoint, shown } from './webhooks.ts'

type Call = { readonly id: string; readonly params: Params; readonly key: string | null }

export type Route = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: RegExp
  /** The permission that a restricted key needs. */
  readonly resource: string
  readonly run: (books: Books, call: Call) => object
}

const INTENTS = '/v1/payment_intents'
const SETUPS = '/v1/setup_intents'

export const ROUTES: readonly Route[] = [
  post('/v1/payment_methods', 'payment_methods', (books, { params }) => createMethod(books, params)),
  get('/v1/payment_methods/:id', 'payment_methods', (books, { id }) => findMethod(books, id)),
  post(INTENTS, 'payment_intents', (books, { params, key }) => createIntent(books, params, key)),
  get(INTENTS, 'payment_intents', (books, { params }) =>
    listItems(books.intents.values(), params, { url: INTENTS }),
  ),
  get(`${INTENTS}/search`, 'payment_intents', (books, { params }) => searchIntents(books, params)),
  get(`${INTENTS}/:id`, 'payment_intents', (books, { id }) => findIntent(books, id)),
  post(`${INTENTS}/:id/confirm`, 'payment_intents', (books, { id, params, key }) =>
    confirmIntent(books, findIntent(books, id), confirmationOf(params, key)),
  ),
  post(`${INTENTS}/:id/capture`, 'payment_intents', (books, { id, params, key }) =>
    captureIntent(books, id, params, key),
  ),
  post(`${INTENTS}/:id/cancel`, 'payment_intents', (books, { id, params, key }) =>
    cancelIntent(books, id, params, key),
  ),
  post(`${INTENTS}/:id/increment_authorization`, 'payment_intents', (books, { id, params, key }) =>
    incrementIntent(books, id, params, key),
  ),
  post(SETUPS, 'setup_intents', (books, { params, key }) => createSetupIntent(books, params, key)),
  get(SETUPS, 'setup_intents', (books, { params }) =>
    listItems(books.setupIntents.values(), params, { url: SETUPS }),
  ),
  get(`${SETUPS}/:id`, 'setup_intents', (books, { id }) => findSetupIntent(books, id)),
  post(`${SETUPS}/:id/cancel`, 'setup_intents', (books, { id, params, key }) =>
    cancelSetupIntent(books, id, params, key),
  ),
  post('/v1/refunds', 'refunds', (books, { params, key }) => createRefund(books, params, key)),
  get('/v1/refunds', 'refunds', (books, { params }) =>
    listItems(books.refunds.values(), params, {
      url: '/v1/refunds',
      filters: { payment_intent: (refund) => refund.payment_intent, charge: (refund) => refund.charge },
    }),
  ),
  get('/v1/refunds/:id', 'refunds', (books, { id }) => findRefund(books, id)),
  get('/v1/charges/:id', 'charges', (books, { id }) => {
    const charge = books.charges.get(id)
    if (!charge) throw missing('charge', id, 'id')
    return charge
  }),
  get('/v1/mandates/:id', 'mandates', (books, { id }) => findMandate(books, id)),
  get('/v1/disputes/:id', 'disputes', (books, { id }) => findDispute(books, id)),
  post('/v1/disputes/:id', 'disputes', (books, { id, params, key }) => updateDispute(books, id, params, key)),
  post('/v1/disputes/:id/close', 'disputes', (books, { id, params, key }) =>
    acceptDispute(books, id, params, key),
  ),
  post('/v1/files', 'files', (books, { params }) => createFile(books, params)),
  get('/v1/balance', 'balance', balance),
  get('/v1/balance_transactions', 'balance_transactions', (books, { params }) =>
    listItems(books.transactions.values(), params, {
      url: '/v1/balance_transactions',
      filters: {
        payout: (one) => books.payoutOf.get(one.id),
        source: (one) => one.source,
        type: (one) => one.type,
        currency: (one) => one.currency,
      },
    }),
  ),
  get('/v1/payouts', 'payouts', (books, { params }) =>
    listItems(books.payouts.values(), params, {
      url: '/v1/payouts',
      filters: { status: ({ status }) => status },
    }),
  ),
  get('/v1/payouts/:id', 'payouts', (books, { id }) => {
    const payout = books.payouts.get(id)
    if (!payout) throw missing('payout', id, 'id')
    return payout
  }),
  get('/v1/events', 'events', (books, { params }) =>
    listItems(books.events, params, {
      url: '/v1/events',
      filters: { type: ({ type }) => type },
      lists: { types: ({ type }) => type },
    }),
  ),
  post('/v1/webhook_endpoints', 'webhook_endpoints', (books, { params }) => createEndpoint(books, params)),
  get('/v1/webhook_endpoints', 'webhook_endpoints', (books, { params }) =>
    listItems([...books.endpoints.values()].map(shown), params, { url: '/v1/webhook_endpoints' }),
  ),
  get('/v1/webhook_endpoints/:id', 'webhook_endpoints', (books, { id }) => showEndpoint(books, id)),
  route('DELETE', '/v1/webhook_endpoints/:id', 'webhook_endpoints', (books, { id }) =>
    deleteEndpoint(books, id),
  ),
]

function balance(books: Books): object {
  const open = [...books.transactions.values()].filter(({ id }) => !books.payoutOf.has(id))
  const sums = new Map<string, number>([['usd', 0]])
  for (const { currency, net } of open) sums.set(currency, (sums.get(currency) ?? 0) + net)
  const available = [...sums].map(([currency, amount]) => ({
    amount,
    currency,
    source_types: { card: amount },
  }))
  return { object: 'balance', available, livemode: false, pending: [] }
}

function get(path: string, resource: string, run: Route['run']): Route {
  return route('GET', path, resource, run)
}

function post(path: string, resource: string, run: Route['run']): Route {
  return route('POST', path, resource, run)
}

function route(method: Route['method'], path: string, resource: string, run: Route['run']): Route {
  return { method, path: new RegExp(`^${path.replace(':id', '([A-Za-z0-9_]+)')}$`), resource, run }
}
