import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from '#platform/http/errors.ts'
import type { BuiltPages } from './built-pages.ts'
import { sendBuiltPage } from './send-page.ts'

/** The frames of a card form. Their addresses are those that the public browser client asks for. */
export const FRAMES = {
  '/controller.html': 'fields/controller.html',
  '/input.html': 'fields/input.html',
} as const

/** Each frame names the origin of its shop. Only pages of that origin may hold it, and only they hear from it. */
export function serveFields(app: FastifyInstance, built: BuiltPages, publicUrl: string): void {
  for (const [address, name] of Object.entries(FRAMES)) {
    app.get(address, async (request, reply) =>
      sendBuiltPage(built, { request, reply }, name, { frameAncestors: [parentOf(request, publicUrl)] }),
    )
  }
}

function parentOf({ query }: FastifyRequest, publicUrl: string): string {
  const { parentOrigin } = query as { readonly parentOrigin?: unknown }
  if (typeof parentOrigin === 'string' && isOrigin(parentOrigin, publicUrl)) return parentOrigin
  throw errors.invalid({
    location: 'query',
    pointer: '/parentOrigin',
    type: parentOrigin === undefined ? 'value_error.missing' : 'value_error.url',
    message: 'name the origin of your page, such as https://shop.example.com, without a path',
  })
}

/** Plain host names only: in the policy, a star would be every host. Without TLS only where we have none either. */
export function isOrigin(text: string, publicUrl: string): boolean {
  if (!/^https?:[/][/][a-z0-9.-]+(:\d+)?$/.test(text) || URL.parse(text)?.origin !== text) return false
  return text.startsWith('https:') || publicUrl.startsWith('http:')
}
