import type { FastifyInstance } from 'fastify'
import { toDomainName } from '#domain/domain-name.ts'
import type { Context } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as wallets from '../store.ts'

const PATH = '/.well-known/apple-developer-merchantid-domain-association'

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

const NO_FILE =
  'no wallet has a file for this host: set extra_configuration.domain_associations of the Apple Pay wallet'
