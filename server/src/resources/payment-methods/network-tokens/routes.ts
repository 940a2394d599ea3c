import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentMethods from '../store.ts'
import { changeNetworkToken } from './change.ts'
import { createNetworkToken } from './create.ts'
import { createCryptogram } from './create-cryptogram.ts'
import { deleteNetworkToken } from './delete.ts'
import { CreateCryptogram, CreateNetworkToken, Cryptogram, NetworkToken, NetworkTokens } from './schemas.ts'
import { showToken } from './show.ts'
import * as networkTokens from './store.ts'

const Path = Strict({ payment_method_id: Uuid() })
const TokenPath = Strict({ payment_method_id: Uuid(), network_token_id: Uuid() })
const TAG = 'Payment methods: network tokens'
/** What a replay shows once the secret is gone. */
const HIDDEN = '***'

type Needs = { readonly engine: Engine }

export function networkTokenRoutes({ engine }: Needs): Operation[] {
  return [...collectionRoutes(engine), ...changeRoutes(engine), ...itemRoutes(engine)]
}

function collectionRoutes(engine: Engine): Operation[] {
  return [
    operation({
      id: 'list_payment_method_network_tokens',
      route: 'GET /payment-methods/:payment_method_id/network-tokens',
      tag: TAG,
      summary: 'List network tokens',
      description:
        'The tokens of a card, newest first, with deleted ones. Each number that is shown is audited.',
      scope: 'payment-methods.read',
      concerns: 'merchant-account',
      params: Path,
      responses: { 200: NetworkTokens },
      handler: async (call) => {
        const scope = scopeOf(call)
        const { payment_method_id: id } = call.params
        if (!(await paymentMethods.find(scope, id))) throw errors.notFound()
        const items = []
        for (const token of await networkTokens.listOf(scope, id)) {
          items.push(await showToken(scope, engine.vault, token, call.caller))
        }
        return { items }
      },
    }),

    operation({
      id: 'create_payment_method_network_token',
      route: 'POST /payment-methods/:payment_method_id/network-tokens',
      tag: TAG,
      summary: 'Provision network token',
      description:
        'Asks the card’s scheme for a token that stands in for its number. The merchant account must have its ids for the scheme. A card has one token at a time.',
      scope: 'payment-methods.write',
      concerns: 'merchant-account',
      params: Path,
      body: CreateNetworkToken,
      shownOnce: { token: HIDDEN },
      responses: { 201: NetworkToken },
      handler: ({ once, params, body, ...call }) =>
        createNetworkToken(scopeOf(call), engine, {
          once,
          viewer: call.caller,
          paymentMethodId: params.payment_method_id,
          request: body,
        }),
    }),
  ]
}

function changeRoutes(engine: Engine): Operation[] {
  return [
    operation({
      id: 'suspend_payment_method_network_token',
      route: 'POST /payment-methods/:payment_method_id/network-tokens/:network_token_id/suspend',
      tag: TAG,
      summary: 'Suspend network token',
      description: 'It is not used until it is resumed. Payments are made with the number.',
      scope: 'payment-methods.write',
      concerns: 'merchant-account',
      params: TokenPath,
      shownOnce: { token: HIDDEN },
      responses: { 200: NetworkToken },
      handler: ({ once, params, ...call }) =>
        changeNetworkToken(scopeOf(call), engine, {
          once,
          viewer: call.caller,
          place: params,
          operation: 'suspend',
        }),
    }),

    operation({
      id: 'resume_payment_method_network_token',
      route: 'POST /payment-methods/:payment_method_id/network-tokens/:network_token_id/resume',
      tag: TAG,
      summary: 'Resume network token',
      description: 'A suspended token is active again.',
      scope: 'payment-methods.write',
      concerns: 'merchant-account',
      params: TokenPath,
      shownOnce: { token: HIDDEN },
      responses: { 200: NetworkToken },
      handler: ({ once, params, ...call }) =>
        changeNetworkToken(scopeOf(call), engine, {
          once,
          viewer: call.caller,
          place: params,
          operation: 'resume',
        }),
    }),
  ]
}

function itemRoutes(engine: Engine): Operation[] {
  return [
    operation({
      id: 'create_payment_method_network_token_cryptogram',
      route: 'POST /payment-methods/:payment_method_id/network-tokens/:network_token_id/cryptogram',
      tag: TAG,
      summary: 'Create network token cryptogram',
      description:
        'Proves one payment with the token that you make elsewhere. Payments through this API get their own. It is stored nowhere; an audit entry says who got it.',
      scope: 'payment-methods.write',
      concerns: 'merchant-account',
      params: TokenPath,
      body: CreateCryptogram,
      shownOnce: { cryptogram: HIDDEN },
      neverStored: true,
      responses: { 201: Cryptogram },
      handler: ({ once, params, body, ...call }) =>
        createCryptogram(scopeOf(call), engine, { once, place: params, request: body }),
    }),

    operation({
      id: 'delete_payment_method_network_token',
      route: 'DELETE /payment-methods/:payment_method_id/network-tokens/:network_token_id',
      tag: TAG,
      summary: 'Delete network token',
      description:
        'Its number leaves the vault at once, and the token service is asked to delete it, until it has.',
      scope: 'payment-methods.write',
      concerns: 'merchant-account',
      params: TokenPath,
      responses: { 204: null },
      handler: (call) => deleteNetworkToken(scopeOf(call), engine, call.params),
    }),
  ]
}
