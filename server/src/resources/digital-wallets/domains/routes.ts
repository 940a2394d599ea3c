import type { FastifyInstance } from 'fastify'
import { toDomainName } from '#domain/domain-name.ts'
import { type Context, inTransaction, type Scope } from '#platform/database/db.ts'
import { errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import { Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { domainComplaints } from '../check-request.ts'
import { inOneSpelling, toAudited } from '../create.ts'
import { DOMAINS_MAX, DomainName } from '../schemas.ts'
import * as wallets from '../store.ts'
import { claimDomains, giveUpDomains } from './claim.ts'

const RegisterDomain = Strict(
  { domain_name: DomainName },
  { title: 'RegisterDigitalWalletDomain', examples: [{ domain_name: 'pay.example.com' }] },
)

/** Any text: a name that is no domain is not registered, and needs no complaint. */
const UnregisterDomain = Strict(
  { domain_name: Type.String({ maxLength: 255 }) },
  { title: 'UnregisterDigitalWalletDomain', examples: [{ domain_name: 'shop.example.com' }] },
)

const RegisteredDomain = Strict(
  {},
  {
    title: 'RegisteredDigitalWalletDomain',
    description: 'Empty: the wallet lists its domains.',
    examples: [{}],
  },
)
type RegisteredDomain = Static<typeof RegisteredDomain>

const PATH = '/.well-known/apple-developer-merchantid-domain-association'

const NO_FILE =
  'no wallet has a file for this host: set extra_configuration.domain_associations of the Apple Pay wallet'

const operation = operationsOf({
  tag: 'Digital wallets: domains',
  scope: 'digital-wallets.write',
  concerns: 'merchant-account',
})

export const digitalWalletDomainRoutes: readonly Operation[] = [
  operation({
    id: 'register_digital_wallet_domain',
    route: 'POST /digital-wallets/:digital_wallet_id/domains',
    summary: 'Register digital wallet domain',
    description:
      'The host of a page that shows the button of Apple Pay. Sessions are opened for registered domains only. Registering a domain again changes nothing. If the wallet has Apple’s file for the domain, and another wallet answers for it, the answer is 409.',
    body: RegisterDomain,
    check: ({ body }) => domainComplaints('/domain_name', body.domain_name),
    errors: ['duplicate_record'],
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
    summary: 'Remove digital wallet domain',
    description: 'A domain that is not registered is no error.',
    body: UnregisterDomain,
    responses: { 204: null },
    handler: (call) =>
      unregisterDomain(scopeOf(call), {
        walletId: call.params.digital_wallet_id,
        domain: call.body.domain_name,
      }),
  }),
]

/**
 * Apple's file that proves a domain, where Apple looks for it. Each domain that leads to this server has its
 * own, from the wallet that it is registered for.
 */
export function serveDomainAssociations(app: FastifyInstance, context: Context): void {
  for (const url of [PATH, `${PATH}.txt`]) {
    app.get(url, async ({ hostname }, reply) => {
      const domain = toDomainName(hostname)
      const content = domain === undefined ? undefined : await wallets.findAssociation(context, domain)
      if (content === undefined) throw errors.noSuchPath(NO_FILE)
      return reply.type('text/plain; charset=utf-8').send(content)
    })
  }
}

/** A domain that is not registered is as good as removed. */
function unregisterDomain(scope: Scope, { walletId, domain }: Aim): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const wallet = orNotFound(await wallets.lock(tx, walletId))
    const [name] = inOneSpelling([domain])
    const after = wallet.domain_names.filter((registered) => registered !== name)
    if (after.length === wallet.domain_names.length) return
    await giveUpDomains(tx, await wallets.update(tx, wallet, { domain_names: after }))
    await auditLogs.record(tx, 'updated', toAudited(wallet))
  })
}

type Aim = { readonly walletId: string; readonly domain: string }

/** Registering a domain again changes nothing. */
function registerDomain(
  scope: Scope,
  once: Once,
  { walletId, domain }: Aim,
): Promise<Finished<RegisteredDomain>> {
  return inFinalTransaction(scope, once, async (tx) => {
    const wallet = orNotFound(await wallets.lock(tx, walletId))
    const { provider, domain_names: before } = wallet
    if (provider !== 'apple') throw refusalFor(provider)
    const after = inOneSpelling([...before, domain])
    if (after.length > DOMAINS_MAX)
      throw errors.invalid(
        inBody(
          '/domain_name',
          'value_error.list.max_items',
          `the wallet has ${DOMAINS_MAX} domains, the most allowed`,
        ),
      )
    if (after.length > before.length) {
      await claimDomains(tx, await wallets.update(tx, wallet, { domain_names: after }), '/domain_name')
      await auditLogs.record(tx, 'updated', toAudited(wallet))
    }
    return {}
  })
}

function refusalFor(provider: string): Error {
  return errors.refused(
    `Domains are registered for Apple Pay only, and this wallet is of the provider ${provider}. Its pages need no registration.`,
  )
}
