import type { Resource } from '#resources/resource.ts'
import { serveApprovals } from './page.ts'

/** The pages on which buyers approve payments. They belong to no operation of the API. */
export const approvalResource: Resource = {
  operations: () => [],
  servePages: (app, { engine, contextOf, browserLimit }) =>
    serveApprovals(app, { engine, context: contextOf('Buyer'), limit: browserLimit }),
}
