import { afterAll, expect } from 'vitest'
import * as samples from '#connectors/contract/samples.ts'
import { describeConnector } from '#connectors/contract/suite.ts'
import { reportLink } from '#processing/report-link.ts'
import { checkoutConnectors } from './connectors.ts'
import { CARD_ORDER, card, openShop } from './testing/shop.ts'

const violations: (readonly string[])[] = []
afterAll(() => expect(violations.flat()).toEqual([]))

const MESSAGES: Readonly<Record<string, string>> = {
  capture: 'payment_captured',
  void: 'payment_voided',
  refund: 'payment_refunded',
  payout: 'payment_paid',
}

for (const connector of checkoutConnectors) {
  describeConnector(connector, async () => {
    const { link, standIn, control, decide, message, signed, effectsOf } = openShop()
    violations.push(standIn.violations)
    return {
      link,
      effectsOf,
      approved: CARD_ORDER,
      declined: { instrument: card('4544249167673670') },
      partly: async () => {
        await control('next', { response_code: '10010' })
        return {}
      },
      tokenized: { instrument: card() },
      buyer: {
        asked: { threeDSecure: 'provider' },
        decide: ({ approval }, decision) => decide(approval, decision),
      },
      reports: {
        link: reportLink({ fetch: standIn.fetch, timeoutMs: 10_000, environment: 'sandbox' }, link.fields),
        publish: async () => {
          const order = samples.authorizeOrder({ ...CARD_ORDER, intent: 'capture' })
          const paid = await connector.authorize?.(order, link)
          const reference = paid && 'reference' in paid ? (paid.reference ?? '') : ''
          await control('finish')
          await connector.refund?.(samples.refundOrder({ order, reference }, { amount: 300 }), link)
          await control('finish')
          await control(`payments/${reference}/dispute`, { amount: 200 })
          await control('settle')
          return undefined
        },
      },
      finish: async (operation) => {
        await control('finish')
        const type = MESSAGES[operation]
        return type ? { by: 'message', message: message(type) } : undefined
      },
      notify: async () => {
        const order = samples.authorizeOrder(CARD_ORDER)
        const paid = await connector.authorize?.(order, link)
        const reference = paid && 'reference' in paid ? (paid.reference ?? '') : ''
        const captured = samples.captureOrder({ order, reference })
        const answer = await connector.capture?.(captured, link)
        await control('finish')
        return {
          about: 'capture',
          attemptId: captured.attemptId,
          ...(answer && 'reference' in answer && { reference: answer.reference }),
          message: message('payment_captured'),
          sign: signed,
        }
      },
    }
  })
}
