import type { Resource } from '#resources/resource.ts'
import { digitalWalletKeyRoutes } from './keys/routes.ts'
import { digitalWalletRoutes } from './routes.ts'

export const digitalWalletResource: Resource = {
  operations: (needs) => [...digitalWalletRoutes(needs), ...digitalWalletKeyRoutes(needs)],
}
