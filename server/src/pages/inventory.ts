import type { FastifyInstance } from 'fastify'
import type { BuiltPages } from './built-pages.ts'
import { GOOGLE_SCRIPT } from './google-pay.ts'
import type { Manifest } from './manifest.ts'

/** A script of the payment pages, as PCI DSS 6.4.3 wants it listed: what it is, why it is there, how it is held. */
export type InventoryEntry = {
  readonly file: string
  /** Null: it is not ours, and changes without notice. */
  readonly integrity: string | null
  readonly reason: string
  /** The pages that may run it. None: pages of shops load it. */
  readonly pages: readonly string[]
}

export const INVENTORY = '/pay/scripts.json'

/** In frames on hosts of their own, which reach no page that types cards. */
const ELSEWHERE: readonly InventoryEntry[] = [
  {
    file: GOOGLE_SCRIPT,
    integrity: null,
    reason: 'Google’s own button, where operator and merchant want it: in a frame on the host of WALLET_URL.',
    pages: ['google-pay/button.html'],
  },
]

/** The dashboard is no page on which cards are typed. It may not even be on the host of those. */
export function isForBuyers(name: string): boolean {
  return !name.startsWith('dashboard/')
}

export function inventoryOf({ files, pages }: Manifest): InventoryEntry[] {
  const ours = Object.entries(files).flatMap(([name, { integrity, reason }]) => {
    if (reason === null || !isForBuyers(name)) return []
    const users = Object.entries(pages).filter(([, { scripts }]) => scripts.includes(name))
    return [{ file: `/${name}`, integrity, reason, pages: users.map(([page]) => page) }]
  })
  return [...ours, ...ELSEWHERE]
}

/** Public: an assessor, or a shop, may compare what a browser received with what we say it receives. */
export function serveInventory(app: FastifyInstance, { manifest }: BuiltPages): void {
  const scripts = inventoryOf(manifest)
  app.get(INVENTORY, async (_request, reply) =>
    reply.header('access-control-allow-origin', '*').send({ build: manifest.source, scripts }),
  )
}
