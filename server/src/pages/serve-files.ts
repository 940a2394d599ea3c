import type { FastifyInstance } from 'fastify'
import type { BuiltPages } from './built-pages.ts'
import { sendContent } from './send-content.ts'

/** The name of a file changes with its content. */
const FOREVER = 'public, max-age=31536000, immutable'
/** Shops load these by a name that never changes. An upgrade reaches them within this time. */
const LOADER = 'public, max-age=600'

/** Serves the scripts, styles and fonts of all pages. There are no others: a missing file is a 404, never a page. */
export function serveFiles(app: FastifyInstance, { manifest, files }: BuiltPages): void {
  for (const [name, content] of files) {
    app.get(`/${name}`, async (request, reply) =>
      sendContent(request, reply.headers({ 'cache-control': FOREVER, ...OPEN }), content),
    )
  }
  for (const [address, name] of Object.entries(manifest.loaders)) {
    const content = files.get(name)
    if (!content) throw new Error(`the manifest of the pages lists no file ${name}`)
    app.get(`/${address}`, async (request, reply) =>
      sendContent(request, reply.headers({ 'cache-control': LOADER, ...OPEN }), content),
    )
  }
}

/** The files are public, and other origins load them with `integrity`, which needs both. */
const OPEN = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
