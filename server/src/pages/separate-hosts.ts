import type { FastifyInstance } from 'fastify'
import { errors } from '#platform/http/errors.ts'
import { isForBrowsers } from '#platform/http/http.ts'
import { methodOf, type Operation, pathOf } from '#platform/http/operation.ts'

/** The pages of buyers and all that these load. */
const PAGES =
  /^[/]((pay|approvals|payment-method-approvals|gift-cards[/]issued|fields|drop-in)[/]|(controller|input|drop-in)[.]html$|(fields|embed)[.](js|d[.]ts)$|f[.](js|html)$)/
/** Also served beside the pages: icons, proofs of domains, and health for load balancers. */
const BESIDE = /^[/]((assets|[.]well-known|health)[/]|favicon[.]ico$)/

/**
 * Puts the pages of buyers on a host of their own: browsers then keep them apart from everything else that we serve. On
 * that host there is nothing else but the operations for browsers. On other hosts, pages lead there.
 */
export function separateHosts(
  app: FastifyInstance,
  checkoutUrl: string,
  operations: readonly Operation[],
): void {
  const { host } = new URL(checkoutUrl)
  const open = new Set(
    operations.filter(isForBrowsers).flatMap((operation) => {
      const path = pathOf(operation)
      return [`${methodOf(operation)} ${path}`, `OPTIONS ${path}`]
    }),
  )
  app.addHook('onRequest', async (request, reply) => {
    const [path = '', query] = request.url.split('?')
    const isPage = PAGES.test(path) || (path === '/' && /(^|&)channel=/.test(query ?? ''))
    if (request.host !== host) {
      return isPage ? reply.redirect(`${checkoutUrl}${request.url}`, 308) : undefined
    }
    const isOpen = open.has(`${request.method} ${request.routeOptions.url}`)
    if (!isOpen && !isPage && !BESIDE.test(path)) throw errors.notFound()
  })
}
