import type { FastifyInstance } from 'fastify'
import type { Context } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as themes from './store.ts'

type Address = { readonly merchant_account_id: string; readonly digest: string }

/** Serves the logos of themes. The address changes with the picture, so browsers may keep it. */
export function serveLogos(app: FastifyInstance, context: Context): void {
  app.get<{ Params: Address }>('/assets/logos/:merchant_account_id/:digest', async ({ params }, reply) => {
    const { merchant_account_id: merchantAccountId, digest } = params
    const logo = await themes.findLogo({ ...context, merchantAccountId }, digest)
    if (!logo) throw errors.notFound()
    return reply
      .header('content-type', logo.mediaType)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(logo.bytes)
  })
}
