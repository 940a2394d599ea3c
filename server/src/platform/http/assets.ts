import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { errors } from './errors.ts'

type FindIcon = (name: string) => Buffer | string | undefined

/** Serves SVG images by name. Any page may show them. */
export function serveIcons(app: FastifyInstance, prefix: string, find: FindIcon): void {
  app.get<{ Params: { name: string } }>(`${prefix}/:name`, async (request, reply) => {
    const icon = find(request.params.name)
    if (icon === undefined) throw errors.notFound()
    return reply
      .header('content-type', 'image/svg+xml')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .header('cache-control', 'public, max-age=86400')
      .header('access-control-allow-origin', '*')
      .send(icon)
  })
}

/** The SVG files of a folder, read once. A request can only select a name from that list. */
export function iconsIn(folder: string): FindIcon {
  const icons = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.svg'))
      .map((name) => [name, readFileSync(join(folder, name))]),
  )
  return (name) => icons.get(name)
}
