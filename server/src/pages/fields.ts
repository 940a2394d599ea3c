import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '#platform/http/errors.ts'
import type { BuiltPages } from './built-pages.ts'
import { sendBuiltPage } from './send-page.ts'

/**
 * The frames of the public packages for browsers, by their addresses, and which parameter names the shop. `/` leads to the
 * last one, which makes the page of an order.
 */
export const FRAMES = {
  '/controller.html': { page: 'fields/controller.html', shop: 'parentOrigin' },
  '/input.html': { page: 'fields/input.html', shop: 'parentOrigin' },
  '/drop-in.html': { page: 'drop-in/index.html', shop: 'parentUrl' },
} as const

/** Each frame names the origin of its shop. Only pages of that origin may hold it, and only they hear from it. */
export function serveFields(app: FastifyInstance, built: BuiltPages, publicUrl: string): void {
  for (const [address, { page, shop }] of Object.entries(FRAMES)) {
    app.get(address, async (request, reply) =>
      sendBuiltPage(built, { request, reply }, page, { frameAncestors: [shopOf(request, shop, publicUrl)] }),
    )
  }
}

function shopOf({ query }: FastifyRequest, name: string, publicUrl: string): string {
  const given = (query as Readonly<Record<string, unknown>>)[name]
  if (typeof given === 'string' && isOrigin(given, publicUrl)) return given
  throw errors.invalid({
    location: 'query',
    pointer: `/${name}`,
    type: given === undefined ? 'value_error.missing' : 'value_error.url',
    message: 'name the origin of your page, such as https://shop.example.com, without a path',
  })
}

/** Plain host names only: in the policy, a star would be every host. Without TLS only where we have none either. */
export function isOrigin(text: string, publicUrl: string): boolean {
  if (!/^https?:[/][/][a-z0-9.-]+(:\d+)?$/.test(text) || URL.parse(text)?.origin !== text) return false
  return text.startsWith('https:') || publicUrl.startsWith('http:')
}
