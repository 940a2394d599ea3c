import type { Resource } from '#resources/resource.ts'
import { digitalWalletDomainRoutes, serveDomainAssociations } from './domains/routes.ts'
import { digitalWalletKeyRoutes } from './keys/routes.ts'
import { digitalWalletRoutes } from './routes.ts'
import { digitalWalletSessionRoutes } from './session/routes.ts'

export const digitalWalletResource: Resource = {
  operations: (needs) => [
    ...digitalWalletRoutes(needs),
    ...digitalWalletDomainRoutes(),
    ...digitalWalletKeyRoutes(needs),
    ...digitalWalletSessionRoutes(needs),
  ],
  servePages: (app, { contextOf }) => serveDomainAssociations(app, contextOf('Apple')),
}
