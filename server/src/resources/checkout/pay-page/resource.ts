import type { Resource } from '#resources/resource.ts'
import { servePayPage } from './open-page.ts'
import { servePageActs } from './serve.ts'

export const payPageResource: Resource = {
  operations: () => [],
  servePages: (app, { engine, builtPages, contextOf, browserLimit }) => {
    const needs = { engine, context: contextOf('Buyer'), limit: browserLimit, builtPages }
    servePayPage(app, needs)
    servePageActs(app, needs)
  },
}
