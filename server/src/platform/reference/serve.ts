import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingFor } from '../http/compress.ts'
import type { Operation } from '../http/operation.ts'
import { ICON_SVG, POLICY } from './layout.ts'
import { type ApiFacts, describeApi } from './openapi.ts'
import {
  renderErrors,
  renderGuide,
  renderHome,
  renderIndex,
  renderMissing,
  renderObject,
  renderObjects,
  renderOperation,
  renderResource,
  renderResults,
} from './pages.ts'
import { QUERY_LENGTH_MAX, searchIn } from './search.ts'
import { planSite, readPictures, type Site, type SiteFacts } from './site.ts'

/** The description of the API, for programs and for people. Each page is made at its first request. */
export function serveReference(
  app: FastifyInstance,
  operations: readonly Operation[],
  facts: ApiFacts & SiteFacts,
): void {
  const document = once(() => describeApi(operations, facts))
  const site = once(() => planSite(document(), operations, facts))
  const pages = once(() => pagesOf(site()))
  const search = once(() => searchIn(site()))
  const sendDocument = servedText(() => JSON.stringify(document()))

  app.get('/openapi.json', async (request, reply) =>
    sendDocument(
      request,
      cached(reply)
        .header('content-type', 'application/json; charset=utf-8')
        .header('access-control-allow-origin', '*'),
    ),
  )

  app.get<{ Querystring: { q?: unknown } }>('/docs/search', async (request, reply) => {
    const query = String(request.query.q ?? '').slice(0, QUERY_LENGTH_MAX)
    const found = search()(query)
    // The script of our own pages asks for this; a browser that goes to the address asks for a page.
    if (request.headers.accept?.startsWith('application/json')) {
      return cached(reply).header('vary', 'accept').send(found)
    }
    return asPage(reply)
      .header('vary', 'accept')
      .send(renderResults(site(), query, found))
  })

  const sendPage = async (path: string, ...[request, reply]: Parameters<SendText>) => {
    const send = pages().get(path)
    if (send) return send(request, asPage(reply))
    const without = path.replace(/\/+$/, '')
    if (pages().has(without)) return reply.redirect(without, 308)
    return asPage(reply).code(404).header('cache-control', 'no-store').send(renderMissing(site()))
  }
  const pictures = once(() => readPictures(facts.root ?? ''))
  app.get<{ Params: { name: string } }>('/docs/images/:name', async ({ params }, reply) => {
    const picture = pictures().get(`/docs/images/${params.name}`)
    if (!picture)
      return asPage(reply).code(404).header('cache-control', 'no-store').send(renderMissing(site()))
    return cached(reply)
      .header('content-type', params.name.endsWith('.svg') ? 'image/svg+xml' : 'image/webp')
      .header('content-security-policy', "default-src 'none'")
      .send(picture)
  })
  app.get('/docs', (request, reply) => sendPage('/docs', request, reply))
  app.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308))
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) =>
    sendPage(`/docs/${request.params['*']}`, request, reply),
  )
  // The public drop-in package opens its frame there.
  app.get('/', async ({ query, url }, reply) =>
    reply.redirect(Object.hasOwn(query as object, 'channel') ? `/drop-in.html${url.slice(1)}` : '/docs', 302),
  )
  // Browsers request it on their own, also on pages that name no icon.
  app.get('/favicon.ico', async (_request, reply) =>
    reply
      .header('content-type', 'image/svg+xml')
      .header('cache-control', 'public, max-age=86400')
      .header('content-security-policy', "default-src 'none'")
      .send(ICON_SVG),
  )
}

/** Every page by its address. */
function pagesOf(site: Site): Map<string, SendText> {
  const resources = site.groups.flatMap(({ pages }) => pages)
  const makers: [string, () => string][] = [
    ['/docs', () => renderHome(site)],
    ['/docs/all', () => renderIndex(site)],
    ['/docs/objects', () => renderObjects(site)],
    ['/docs/api/errors', () => renderErrors(site)],
    ...resources.map((page): [string, () => string] => [page.href, () => renderResource(site, page)]),
    ...resources.flatMap((page) =>
      page.parts.flatMap(({ operations }) =>
        operations.map((entry): [string, () => string] => [
          `/docs/operations/${entry.operation.operationId}`,
          () => renderOperation(site, page, entry),
        ]),
      ),
    ),
    ...Object.keys(site.document.components.schemas).map((name): [string, () => string] => [
      `/docs/objects/${name}`,
      () => renderObject(site, name),
    ]),
    ...site.guides.map((guide): [string, () => string] => [guide.href, () => renderGuide(site, guide)]),
  ]
  return new Map(makers.map(([href, make]) => [href, servedText(make)]))
}

function asPage(reply: FastifyReply): FastifyReply {
  return cached(reply)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
}

function cached(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'public, max-age=300')
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** A few percent less is not worth seconds of work. */
const BROTLI_QUALITY = 6

const ENCODERS = {
  br: (plain: Buffer) =>
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (plain: Buffer) => promisify(gzip)(plain),
  identity: async (plain: Buffer) => plain,
} as const satisfies Record<Encoding, (plain: Buffer) => Promise<Buffer>>

type SendText = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

type Sent = { readonly body: Buffer; readonly tag: string }

/**
 * Sends a constant text. It is made at the first request, and kept only as it is sent: there are many pages, and most readers take
 * them compressed.
 */
function servedText(make: () => string): SendText {
  const kept = new Map<Encoding, Promise<Sent>>()
  return async (request, reply) => {
    const encoding = encodingFor(request.headers['accept-encoding'])
    const sent = kept.get(encoding) ?? encoded(make(), encoding)
    kept.set(encoding, sent)
    const { body, tag } = await sent
    reply.header('vary', 'accept-encoding').header('etag', tag)
    if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send()
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.send(body)
  }
}

/** The tag is weak: it names the text, whatever its encoding. */
async function encoded(text: string, encoding: Encoding): Promise<Sent> {
  const plain = Buffer.from(text)
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { body: await ENCODERS[encoding](plain), tag }
}

function isKnown(header: string | undefined, tag: string): boolean {
  const known = header?.split(',').map((part) => part.trim()) ?? []
  return known.includes(tag) || known.includes('*')
}
