import type { Resource } from '#resources/resource.ts'
import { merchantAccountRoutes } from './routes.ts'
import { serveLogos, themeRoutes } from './theme/routes.ts'
import { threeDSConfigurationRoutes } from './three-ds-configurations/routes.ts'

export const merchantAccountResource: Resource = {
  operations: (needs) => [
    ...merchantAccountRoutes(needs),
    ...threeDSConfigurationRoutes(),
    ...themeRoutes(needs),
  ],
  servePages: (app, { contextOf }) => serveLogos(app, contextOf('Buyer')),
}
