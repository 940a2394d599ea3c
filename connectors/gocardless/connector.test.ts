import { describe } from 'vitest'
import type { Connector } from '#connectors/contract/connector.ts'
import { authorizeOrder, refundOrder } from '#connectors/contract/samples.ts'
import { type Bench, describeConnector } from '#connectors/contract/suite.ts'
import { reportLink } from '#processing/report-link.ts'
import { goCardlessConnectors } from './connectors.ts'
import { METHODS, type MethodRow } from './methods.ts'
import { openShop, orderBy } from './testing/shop.ts'

async function openBench(connector: Connector): Promise<Bench> {
  const shop = openShop()
  const asked = orderBy(METHODS.find(({ method }) => method === connector.manifest.method) as MethodRow)
  const { movesMoney } = connector.trial ?? {}
  /** A payment that the buyer has permitted and the bank has paid. */
  const paid = async () => {
    const order = authorizeOrder(asked)
    const answer = await connector.authorize?.(order, shop.link)
    const request = answer && 'reference' in answer ? String(answer.reference) : ''
    await shop.control(`requests/${request}/approve`)
    const { attemptId, transactionId, amount, currency, intent } = order
    const completion = {
      attemptId,
      transactionId,
      amount,
      currency,
      intent,
      reference: request,
      returned: {},
    }
    const made = await connector.complete?.(completion, shop.link)
    await shop.message()
    await shop.control('finish')
    return { order, reference: made && 'reference' in made ? String(made.reference) : '' }
  }
  return {
    link: shop.link,
    effectsOf: shop.effectsOf,
    approved: asked,
    pending: asked,
    ...(asked.instrument && { tokenized: { instrument: asked.instrument } }),
    ...(movesMoney && { movesMoney }),
    finish: async (operation, reference) => {
      if (reference.startsWith('BRQ')) {
        await shop.control(`requests/${reference}/approve`)
        return operation === 'tokenize' ? undefined : { by: 'return', returned: {} }
      }
      await shop.control('finish')
      return undefined
    },
    buyer: {
      asked,
      decide: (answer, decision) => shop.decide(answer, decision === 'approve' ? 'approve' : 'cancel'),
    },
    reports: {
      link: reportLink(
        { fetch: shop.link.fetch, timeoutMs: 10_000, environment: 'sandbox' },
        shop.link.fields,
      ),
      publish: async () => {
        const sale = await paid()
        await connector.refund?.(refundOrder(sale, { amount: 300 }), shop.link)
        await shop.control('finish')
        await shop.control('payouts')
        return undefined
      },
    },
    notify: async () => {
      const { order, reference } = await paid()
      return {
        about: 'authorization',
        reference,
        attemptId: order.attemptId,
        message: await shop.message(),
        sign: shop.sign,
      }
    },
  }
}

for (const connector of goCardlessConnectors) {
  describe(connector.manifest.id, () => describeConnector(connector, () => openBench(connector)))
}
