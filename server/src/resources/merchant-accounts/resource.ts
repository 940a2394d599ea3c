import type { Resource } from '#resources/resource.ts'
import { merchantAccountRoutes } from './routes.ts'
import { threeDSConfigurationRoutes } from './three-ds-configurations/routes.ts'

export const merchantAccountResource: Resource = {
  operations: (needs) => [...merchantAccountRoutes(needs), ...threeDSConfigurationRoutes()],
}
