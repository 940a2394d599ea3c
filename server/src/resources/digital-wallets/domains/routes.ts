import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { domainComplaints } from '../check-request.ts'
import { registerDomain } from './register.ts'
import { RegisterDomain, RegisteredDomain, UnregisterDomain } from './schemas.ts'
import { unregisterDomain } from './unregister.ts'

const Path = Strict({ digital_wallet_id: Uuid() })
const TAG = 'Digital wallets: domains'

export function digitalWalletDomainRoutes(): Operation[] {
  return [
    operation({
      id: 'register_digital_wallet_domain',
      route: 'POST /digital-wallets/:digital_wallet_id/domains',
      tag: TAG,
      summary: 'Register digital wallet domain',
      description:
        'The host of a page that shows the button of Apple Pay. Sessions are opened for registered domains only. Registering a domain again changes nothing. If the wallet has Apple’s file for the domain, and another wallet answers for it, the answer is 409.',
      scope: 'digital-wallets.write',
      concerns: 'merchant-account',
      params: Path,
      body: RegisterDomain,
      check: ({ body }) => domainComplaints('/domain_name', body.domain_name),
      responses: { 200: RegisteredDomain },
      handler: (call) =>
        registerDomain(scopeOf(call), call.once, {
          walletId: call.params.digital_wallet_id,
          domain: call.body.domain_name,
        }),
    }),

    operation({
      id: 'unregister_digital_wallet_domain',
      route: 'DELETE /digital-wallets/:digital_wallet_id/domains',
      tag: TAG,
      summary: 'Remove digital wallet domain',
      description: 'A domain that is not registered is no error.',
      scope: 'digital-wallets.write',
      concerns: 'merchant-account',
      params: Path,
      body: UnregisterDomain,
      responses: { 204: null },
      handler: (call) =>
        unregisterDomain(scopeOf(call), {
          walletId: call.params.digital_wallet_id,
          domain: call.body.domain_name,
        }),
    }),
  ]
}
