import type { FastifyInstance } from 'fastify'
import { errors } from '#platform/http/errors.ts'
import type { BuiltPages } from './built-pages.ts'
import { sendBuiltPage } from './send-page.ts'

/** The script of the page reads the address and shows what belongs there. */
const PAGE = 'dashboard/index.html'

/** Serves the dashboard at `/dashboard` and at every address below. It may be in no frame. */
export function serveDashboard(app: FastifyInstance, built: BuiltPages): void {
  for (const address of ['/dashboard', '/dashboard/', '/dashboard/*']) {
    app.get(address, async (request, reply) => {
      // A script of an earlier build is gone. Sent in its place, the page would be run as a script.
      if (/[.]\w+$/.test(request.url.split('?', 1)[0] ?? '')) throw errors.notFound()
      return sendBuiltPage(built, { request, reply }, PAGE, { frameAncestors: [] })
    })
  }
}
