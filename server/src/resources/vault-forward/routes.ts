import { type Operation, operation, RelayAnswer, RelayBody, scopeOf } from '#platform/http/operation.ts'
import type { Vault } from '#vault'
import { authenticationRoutes } from './authentications/routes.ts'
import { endpointRoutes } from './endpoints/routes.ts'
import { type ForwardNeeds, forward } from './forward.ts'
import { HEADERS, PREFIX } from './read-request.ts'

type Needs = ForwardNeeds & { readonly vault: Vault }

export function vaultForwardRoutes({ engine, outgoing, environment, vault }: Needs): Operation[] {
  return [
    operation({
      id: 'forward_vault',
      route: 'POST /vault-forward',
      tag: 'Vault forward',
      scope: 'vault-forward.write',
      concerns: 'merchant-account',
      summary: 'Forward card data',
      description:
        'Passes the body on to another server, with card data in its places: `{{ CARD_NUMBER_1 }}` becomes the number of the first ' +
        'card. The answer is that of the other server: status, headers and body, with `***` for card numbers. If none came, the ' +
        'answer is 200 with an empty body. `X-Vault-Forward-Outcome` tells: `answered`, `timed_out`, `unreachable`, ' +
        '`address_refused`, `answer_broken`, or `unknown` for a repeated request whose first try was cut off.',
      relay: {
        prefix: PREFIX,
        headers: HEADERS,
      },
      body: RelayBody({ number: '{{ CARD_NUMBER_1 }}', expires: '{{ CARD_EXPIRATION_DATE_1 }}' }),
      responses: { 200: RelayAnswer({ booking: 'B-1' }) },
      handler: (call) => forward(scopeOf(call), call.once, { engine, outgoing, environment }, call.body),
    }),
    ...endpointRoutes,
    ...authenticationRoutes({ vault }),
  ]
}
