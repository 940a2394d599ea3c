import { expect, test } from 'vitest'
import type { Answer, Connector, ListedOperation } from '#connectors/contract/connector.ts'
import {
  type Authorized,
  authorizeOrder,
  captureOrder,
  incrementOrder,
  refundOrder,
  testLink,
  voidOrder,
} from '#connectors/contract/samples.ts'
import { createStandIn, TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import { stripeConnectors } from './connectors.ts'

const DAY_MS = 24 * 3_600_000
const [card, ideal] = stripeConnectors as unknown as readonly [Required<Connector>, Required<Connector>]

function open() {
  let aheadMs = 0
  const now = () => new Date(Date.now() + aheadMs)
  const standIn = createStandIn({ now })
  const fields = { secret_key: TEST_KEY, flexible_captures: 'true' }
  const link = testLink({ fetch: standIn.fetch, fields, now })
  const list = async (from: Date, connector = card) => {
    const found: ListedOperation[] = []
    let after: string | null = null
    do {
      const page = await connector.activity({ from, until: now(), after }, link)
      if (page.outcome !== 'listed') throw new Error(page.message)
      found.push(...page.operations)
      after = page.next
    } while (after !== null)
    return found
  }
  const authorize = async (): Promise<Authorized> => {
    const order = authorizeOrder()
    return { order, reference: done(await card.authorize(order, link)) }
  }
  return { link, list, authorize, now, wait: (ms: number) => (aheadMs += ms) }
}

function done(answer: Answer | { outcome: string }): string {
  if (answer.outcome !== 'approved' || !('reference' in answer)) throw new Error(answer.outcome)
  return answer.reference ?? ''
}

const shown = ({ operation, attemptId, amount, total, isFinal }: ListedOperation) => ({
  operation,
  attemptId,
  amount,
  ...(total !== undefined && { total }),
  isFinal,
})

test('lists captures, increments, releases and refunds with the ids of their attempts', async () => {
  const { link, list, authorize, now } = open()
  const paid = await authorize()
  const more = incrementOrder(paid)
  const parts = [
    captureOrder(paid, { amount: 500, isFinal: false }),
    captureOrder(paid, { amount: 300, isFinal: true }),
  ]
  done(await card.increment(more, link))
  for (const part of parts) done(await card.capture(part, link))
  const back = refundOrder(paid, { amount: 200 })
  done(await card.refund(back, link))
  const held = await authorize()
  const release = voidOrder(held)
  done(await card.void(release, link))

  const found = await list(new Date(now().getTime() - DAY_MS))

  const id = ({ attemptId }: { attemptId: string }) => attemptId
  const captures = parts.toSorted((one, other) => (one.attemptId < other.attemptId ? -1 : 1))
  expect(found.filter(({ authorization }) => authorization === paid.reference).map(shown)).toEqual([
    { operation: 'authorize', attemptId: id(paid.order), amount: 1399, isFinal: false },
    { operation: 'increment', attemptId: id(more), amount: null, total: 1399, isFinal: false },
    // Our own ids are in the order of time; those of this test are not.
    { operation: 'capture', attemptId: captures[0]?.attemptId, amount: 500, isFinal: false },
    { operation: 'capture', attemptId: captures[1]?.attemptId, amount: 300, isFinal: true },
    { operation: 'refund', attemptId: id(back), amount: 200, isFinal: false },
  ])
  expect(found.filter(({ authorization }) => authorization === held.reference).map(shown)).toEqual([
    { operation: 'authorize', attemptId: id(held.order), amount: 1299, isFinal: false },
    { operation: 'void', attemptId: id(release), amount: 1299, isFinal: false },
  ])
  expect(found[0]?.card).toEqual({ scheme: 'visa', last4: '1111' })
})

test('finds by events what was done to older payments', async () => {
  const { link, list, authorize, now, wait } = open()
  const [paid, held] = [await authorize(), await authorize()]
  wait(DAY_MS)
  const from = new Date(now().getTime() - 1_000)
  const part = captureOrder(paid)
  const release = voidOrder(held)
  done(await card.capture(part, link))
  done(await card.void(release, link))

  const found = await list(from)

  expect(new Set(found.map(({ attemptId }) => attemptId))).toEqual(
    new Set([part.attemptId, release.attemptId]),
  )
  expect(found).toHaveLength(2)
})

test('lists no payment of another method', async () => {
  const { list, authorize, now } = open()
  await authorize()

  expect(await list(new Date(now().getTime() - DAY_MS), ideal)).toEqual([])
})

test('tells no more than Stripe keeps', async () => {
  const { link, now } = open()
  const from = new Date(now().getTime() - 31 * DAY_MS)

  const answer = await card.activity({ from, until: now(), after: null }, link)

  expect(answer).toEqual({ outcome: 'unreachable', message: expect.stringContaining('30 days') })
})
