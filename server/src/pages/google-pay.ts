import type { FastifyInstance } from 'fastify'
import { GOOGLE_CHANNEL } from '#domain/google-button.ts'
import { errors } from '#platform/http/errors.ts'
import type { BuiltPages } from './built-pages.ts'
import { isOrigin } from './fields.ts'
import { sendBuiltPage } from './send-page.ts'

/** Google changes it without notice, so it has no digest. */
export const GOOGLE_SCRIPT = 'https://pay.google.com/gp/p/js/pay.js'

const FRAME = '/google-pay/button.html'
/** What is on the host of the frame, and nothing else: no page that types cards, no API, no session. */
const ON_ITS_HOST = /^[/](google-pay|health)[/]/

type Needs = {
  readonly walletUrl?: string | null
  /** Where the pages of buyers are. */
  readonly buyerUrl: string
  readonly environment: string
}

/** Serves the frame with Google's button, on its host alone. Only pages of buyers, and the shops that show those, may hold it. */
export function serveGooglePay(app: FastifyInstance, built: BuiltPages, needs: Needs): void {
  const { walletUrl, buyerUrl, environment } = needs
  if (!walletUrl) return
  const { host } = new URL(walletUrl)
  app.addHook('onRequest', async (request) => {
    const [path = ''] = request.url.split('?')
    const isThere = request.host === host
    if (isThere ? !ON_ITS_HOST.test(path) : path === FRAME) throw errors.notFound()
  })
  app.get(FRAME, async (request, reply) => {
    const { shop } = request.query as { readonly shop?: unknown }
    const origin = new URL(buyerUrl).origin
    const isInShop = typeof shop === 'string' && isOrigin(shop, walletUrl)
    return sendBuiltPage(built, { request, reply }, 'google-pay/button.html', {
      frameAncestors: isInShop ? [origin, shop] : [origin],
      foreignScripts: ['https://pay.google.com'],
      policy: {
        'style-src': "'self' 'unsafe-inline'",
        'img-src': "'self' https://pay.google.com https://www.gstatic.com",
        'connect-src':
          'https://pay.google.com https://google.com https://www.google.com https://play.google.com',
        'frame-src': 'https://pay.google.com',
        'form-action': 'https://pay.google.com',
      },
      data: {
        origin,
        channel: GOOGLE_CHANNEL,
        script: GOOGLE_SCRIPT,
        environment: environment === 'production' ? 'PRODUCTION' : 'TEST',
      },
    })
  })
}

export function googleFrameUrl(walletUrl: string): string {
  return `${walletUrl}${FRAME}`
}
