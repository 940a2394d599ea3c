import { describe } from 'vitest'
import type { Connector } from '#connectors/contract/connector.ts'
import { authorizeOrder, refundOrder } from '#connectors/contract/samples.ts'
import { type Bench, describeConnector } from '#connectors/contract/suite.ts'
import { reportLink } from '#processing/report-link.ts'
import { mollieConnectors } from './connectors.ts'
import { METHODS, type MethodRow } from './methods.ts'
import { messageAbout, openShop, orderBy } from './testing/shop.ts'

async function openBench(connector: Connector): Promise<Bench> {
  const shop = openShop()
  const row = METHODS.find(({ method }) => method === connector.manifest.method) as MethodRow
  const asked = orderBy(row)
  return {
    link: shop.link,
    effectsOf: shop.effectsOf,
    approved: asked,
    pending: asked,
    ...(connector.trial?.movesMoney && { movesMoney: connector.trial.movesMoney }),
    finish: async (operation, reference) => {
      if (operation !== 'authorize') await shop.control('finish')
      if (operation !== 'authorize') return undefined
      await shop.control(`payments/${reference}/approve`)
      return { by: 'return', returned: {} }
    },
    buyer: { asked, decide: shop.decide },
    reports: {
      link: reportLink(
        { fetch: shop.link.fetch, timeoutMs: 10_000, environment: 'sandbox' },
        shop.link.fields,
      ),
      publish: async () => {
        const order = authorizeOrder({ ...asked, intent: 'capture' })
        const answer = await connector.authorize?.(order, shop.link)
        const reference = answer && 'reference' in answer ? String(answer.reference) : ''
        await shop.control(`payments/${reference}/approve`)
        await connector.refund?.(refundOrder({ order, reference }, { amount: 300 }), shop.link)
        await shop.control('finish')
        await shop.control('settlements')
      },
    },
    notify: async () => {
      const order = authorizeOrder(asked)
      const answer = await connector.authorize?.(order, shop.link)
      const reference = answer && 'reference' in answer ? String(answer.reference) : ''
      await shop.control(`payments/${reference}/approve`)
      const { attemptId } = order
      // Messages are not signed. One about a payment that this service did not make counts as made up.
      const unsigned = messageAbout('id=tr_ofSomebodyElse')
      return { about: 'authorization', reference, attemptId, message: shop.message(), unsigned }
    },
  }
}

for (const connector of mollieConnectors) {
  describe(connector.manifest.id, () => describeConnector(connector, () => openBench(connector)))
}
