import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { directionOf } from '#domain/locale.ts'
import type { PageFacts, Trouble } from '#domain/pay-page.ts'
import type { BuiltPages } from '#pages/built-pages.ts'
import { type PageRules, sendBuiltPage } from '#pages/send-page.ts'
import { EXAMPLE_PATH } from '#pages/verify.ts'
import { type ApiError, errors } from '#platform/http/errors.ts'
import { answerErrorsAsPages } from '#platform/http/http-errors.ts'
import {
  PREVIEW_PATH,
  type PreviewAddress,
  readPreview,
} from '#resources/merchant-accounts/theme/preview-url.ts'
import type { Resource } from '#resources/resource.ts'
import { WORDS } from '#words/words.ts'
import type { Bill } from './bill.ts'
import { factsOf, troubleFacts } from './facts.ts'
import { exampleFacts, previewFacts } from './preview.ts'
import { type Asked, claimedBy, findOrRefuse, type Needs, PATH, servePageActs } from './serve.ts'
import { showState } from './show-state.ts'

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** The page on which a buyer pays. Whatever is wrong with its address, the browser gets a page that says so. */
function servePayPage(app: FastifyInstance, needs: Needs & { readonly builtPages: BuiltPages }): void {
  const { engine, context, builtPages } = needs
  app.register((pages, _options, ready) => {
    answerErrorsAsPages(pages, (reply, error) => showError(builtPages, reply, error))
    // The link was cut short.
    pages.get('/pay/*', () => Promise.reject(errors.notFound()))
    pages.get(PATH, async (request: Asked, reply) => {
      const bill = await findOrRefuse(needs, request)
      const state = await showState(context, bill, claimedBy(request))
      const acceptLanguage = request.headers['accept-language']
      const { embed } = request.query
      const facts = await factsOf(context, engine, bill, { state, acceptLanguage, embed })
      return send(
        builtPages,
        { request, reply },
        { ...facts, sends_receipts: needs.mailer !== null },
        rulesOf(bill, facts),
      )
    })
    // For checks of the page as buyers get it, which have no key.
    pages.get(EXAMPLE_PATH, async (request, reply) => {
      const facts = exampleFacts(context.clock(), request.headers['accept-language'])
      return send(builtPages, { request, reply }, facts, NO_ORDER)
    })
    pages.get(PREVIEW_PATH, async (request: AskedPreview, reply) => {
      const { colorScheme, facts } = await findPreview(needs, request)
      return send(builtPages, { request, reply }, facts, { ...NO_ORDER, colorScheme })
    })
    ready()
  })
}

type AskedPreview = FastifyRequest<{ Params: PreviewAddress }>

/** A wrong address is a guess, and counts against its sender. */
async function findPreview({ engine, context, limit }: Needs, { params, ip, headers }: AskedPreview) {
  const preview = readPreview(engine.secrets, params, context.clock())
  const facts = preview && (await previewFacts(context, engine, preview, headers['accept-language']))
  if (facts) return { colorScheme: preview.colorScheme, facts }
  await limit.countGuess(ip)
  throw errors.notFound()
}

const NO_ORDER: PageRules = { frameAncestors: [] }

function send(built: BuiltPages, exchange: Exchange, facts: PageFacts, rules: PageRules): FastifyReply {
  const { locale } = facts
  const { noScript, pay, provider, contact } = WORDS[locale]
  const { order } = facts
  return sendBuiltPage(built, exchange, 'pay/index.html', {
    ...rules,
    parts: [
      ...(rules.parts ?? []),
      ...(order?.asks.length ? ['contact'] : []),
      ...(order?.wallets.length ? ['wallet-buttons'] : []),
    ],
    data: {
      ...facts,
      words: { ...pay, print: provider.print },
      ...(order?.asks.length && { contact_words: contact }),
    },
    language: { code: locale, isRightToLeft: directionOf(locale) === 'rtl', noScript },
  })
}

/** Pictures of the merchant may be elsewhere. Google Pay needs its manifests, and nothing else. */
function rulesOf({ page }: Bill, { order, embed }: PageFacts): PageRules {
  const pictures = [page.bannerUrl, page.faviconUrl].flatMap((url) => (url ? new URL(url).origin : []))
  const google = order?.wallets.find(({ method }) => method === 'googlepay')
  return {
    frameAncestors: page.allowedOrigins,
    parts: embed !== null && page.tellsTransaction ? ['package'] : [],
    iconUrl: page.faviconUrl,
    opensWindows: Boolean(google?.button),
    policy: {
      // The page for an approval, which shows that of the bank.
      'frame-src': ["'self'", ...(google?.button ? [new URL(google.button.url).origin] : [])].join(' '),
      'img-src': ["'self'", ...new Set(pictures)].join(' '),
      ...(google && { 'connect-src': "'self' https://google.com https://pay.google.com" }),
    },
  }
}

function showError(built: BuiltPages, reply: FastifyReply, { status }: ApiError): FastifyReply {
  const { request } = reply
  const facts = troubleFacts(troubleOf(status), request.headers['accept-language'])
  return send(built, { request, reply }, facts, { ...NO_ORDER, status })
}

function troubleOf(status: number): Trouble {
  if (status === 429) return 'too_many'
  return status >= 500 ? 'broken' : 'unknown'
}

export const payPageResource: Resource = {
  operations: () => [],
  servePages: (app, { engine, builtPages, contextOf, browserLimit, mailer }) => {
    const needs = { engine, context: contextOf('Buyer'), limit: browserLimit, builtPages, mailer }
    servePayPage(app, needs)
    servePageActs(app, needs)
  },
}
