import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { errors } from './errors.ts'

/** Serves the SVG files of a folder, read once. A request only ever selects a name from that list. */
export function serveIcons(app: FastifyInstance, prefix: string, folder: string): void {
  const icons = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.svg'))
      .map((name) => [name, readFileSync(join(folder, name))]),
  )
  app.get<{ Params: { name: string } }>(`${prefix}/:name`, async (request, reply) => {
    const icon = icons.get(request.params.name)
    if (!icon) throw errors.notFound()
    return reply
      .header('content-type', 'image/svg+xml')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .header('cache-control', 'public, max-age=86400')
      .header('access-control-allow-origin', '*')
      .send(icon)
  })
}
