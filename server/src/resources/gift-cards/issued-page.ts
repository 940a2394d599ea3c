import type { FastifyInstance } from 'fastify'
import type { Providers } from '../../processing/provider.ts'

type Address = { readonly issuance_id: string; readonly key: string }

const PATH = '/gift-cards/issued/:issuance_id/:key'
const ISSUER_URL = 'https://gift-cards.switchyard.invalid/issued'

/** Where whoever bought a card of our own issuer gets to see it. The page, its key and its limits are the issuer's. */
export function serveIssuedCards(app: FastifyInstance, { fetch }: Pick<Providers, 'fetch'>): void {
  app.register((pages, _options, ready) => {
    pages.removeAllContentTypeParsers()
    // The form has no fields: that it was sent is all there is to know.
    pages.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, null))
    pages.route<{ Params: Address }>({
      method: ['GET', 'POST'],
      url: PATH,
      handler: async ({ params, method }, reply) => {
        const parts = [params.issuance_id, params.key].map(encodeURIComponent)
        const page = await fetch([ISSUER_URL, ...parts].join('/'), {
          method: method === 'POST' ? 'POST' : 'GET',
        })
        return reply
          .code(page.status)
          .headers(Object.fromEntries(page.headers))
          .send(await page.text())
      },
    })
    ready()
  })
}
