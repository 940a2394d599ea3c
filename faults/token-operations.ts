import { STORED_CARD } from '../lab/card.ts'
import type { Place } from '../lab/product.ts'
import type { KeyedRequest } from './keyed-request.ts'
import { repeat } from './keyed-request.ts'
import type { Counter, MoneyOperation } from './money-operations.ts'
import { openAccount, SIMULATED_ACCOUNT } from './provider.ts'

/** Tokens move no money, but one that we do not know of could be charged. `order` is the card's external identifier. */
export const TOKEN_OPERATIONS: readonly MoneyOperation[] = [
  {
    name: 'network token',
    prepare: async (place, order) => {
      await haveRequestorIds(place)
      const route = `/payment-methods/${await storeCard(place, order)}/network-tokens`
      return { route, body: { merchant_initiated: false, is_subsequent_payment: false }, key: order }
    },
    isDone: ({ status }) => status === 'active',
    // A request that never reached the token service is answered with this refusal.
    isRefusal: (text) => text.includes('The token service refuses: service_network_error.'),
    countEffects: async (database, order) => {
      const { rows } = await database.query(
        `select count(*) from simulator.network_tokens theirs
         join network_tokens ours on ours.id::text = theirs.client_reference
         join payment_methods method on method.id = ours.payment_method_id
         where method.external_identifier = $1`,
        [order],
      )
      return Number(rows[0].count)
    },
  },
  {
    name: 'payment service token',
    prepare: (place, order) => serviceTokenOf(place, order),
    isDone: ({ status }) => status === 'succeeded',
    countEffects: async (database, order) => {
      const { rows } = await database.query(
        `select count(*) from simulator.entries e join payment_service_tokens ours on ours.id::text = e.transaction_id
         join payment_methods method on method.id = ours.payment_method_id
         where method.external_identifier = $1 and e.operation = 'tokenize' and e.status = 'approved'`,
        [order],
      )
      return Number(rows[0].count)
    },
  },
]

async function serviceTokenOf(place: Counter, order: string): Promise<KeyedRequest> {
  const account = { ...(place.account ?? SIMULATED_ACCOUNT), payment_method_tokenization_enabled: true }
  const body = {
    payment_service_id: (await openAccount(place, account, 'storing service')).id,
    redirect_url: 'https://shop.example.com/stored',
  }
  const route = `/payment-methods/${await storeCard(place, order)}/payment-service-tokens`
  return { route, body, key: order }
}

async function storeCard(place: Place, order: string): Promise<string> {
  const body = { ...STORED_CARD, external_identifier: order }
  return (await repeat(place, { route: '/payment-methods', body, key: `${order} card` })).id
}

/** The ids of the merchant account at the token service. */
async function haveRequestorIds(place: Place): Promise<void> {
  const body = { visa_network_tokens_requestor_id: 'requestor', visa_network_tokens_app_id: 'app' }
  await repeat(place, { method: 'PUT', route: '/merchant-accounts/default', body, key: 'requestor ids' })
}
