import type { FastifyInstance } from 'fastify'
import type { BuiltPages } from './built-pages.ts'
import type { Manifest } from './manifest.ts'

/** A script of the payment pages, as PCI DSS 6.4.3 wants it listed: what it is, why it is there, how it is held. */
export type InventoryEntry = {
  readonly file: string
  readonly integrity: string
  readonly reason: string
  /** The pages that may run it. None: pages of shops load it. */
  readonly pages: readonly string[]
}

export const INVENTORY = '/pay/scripts.json'

/** The dashboard is no page on which cards are typed. It may not even be on the host of those. */
export function isForBuyers(name: string): boolean {
  return !name.startsWith('dashboard/')
}

export function inventoryOf({ files, pages }: Manifest): InventoryEntry[] {
  return Object.entries(files).flatMap(([name, { integrity, reason }]) => {
    if (reason === null || !isForBuyers(name)) return []
    const users = Object.entries(pages).filter(([, { scripts }]) => scripts.includes(name))
    return [{ file: `/${name}`, integrity, reason, pages: users.map(([page]) => page) }]
  })
}

/** Public: an assessor, or a shop, may compare what a browser received with what we say it receives. */
export function serveInventory(app: FastifyInstance, { manifest }: BuiltPages): void {
  const scripts = inventoryOf(manifest)
  app.get(INVENTORY, async (_request, reply) =>
    reply.header('access-control-allow-origin', '*').send({ build: manifest.source, scripts }),
  )
}
