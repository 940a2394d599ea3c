import type { FastifyInstance, FastifyReply } from 'fastify'
import { type ApiError, errors } from '#platform/errors.ts'
import { answerErrorsAsPages } from '#platform/http-errors.ts'
import { sendPage } from '#platform/page.ts'
import { html } from '#platform/reference/html.ts'
import type { Providers } from '#processing/provider.ts'

type Address = { readonly issuance_id: string; readonly key: string }

const PATH = '/gift-cards/issued/:issuance_id/:key'
const ISSUER_URL = 'https://gift-cards.switchyard.invalid/issued'

/**
 * The page on which the buyer of an issued card sees it. The issuer makes the page, its key and its limits.
 */
export function serveIssuedCards(app: FastifyInstance, { fetch }: Pick<Providers, 'fetch'>): void {
  app.register((pages, _options, ready) => {
    pages.removeAllContentTypeParsers()
    // The form has no fields: the request itself is the message.
    pages.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, null))
    answerErrorsAsPages(pages, showError)
    pages.route<{ Params: Address }>({
      method: ['GET', 'POST'],
      url: PATH,
      handler: async ({ params: { issuance_id: id, key }, method }, reply) => {
        // Refuses all else: `..` would lead to other pages of the issuer.
        if (!/^[0-9a-f-]{36}$/.test(id) || !/^[\w-]{1,100}$/.test(key)) throw errors.notFound()
        const page = await fetch(`${ISSUER_URL}/${id}/${key}`, {
          method: method === 'POST' ? 'POST' : 'GET',
        }).catch(({ cause }: Error) => {
          // The issuer runs in this process, so its errors are ours.
          throw cause
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

function showError(reply: FastifyReply, { status }: ApiError): FastifyReply {
  if (status < 500) return sendPage(reply, 'Not found', html`<p>The link may be incomplete.</p>`, status)
  return sendPage(reply, 'This did not work', html`<p>Open this page again in a moment.</p>`, status)
}
