import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Answer, Connector } from '#connectors/contract/connector.ts'
import type { RefundOrder } from '#connectors/contract/orders.ts'
import { registryOf } from '#processing/service-accounts/registry.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
let serviceId: string
const orders: RefundOrder[] = []
/** Answers instead of the processor, if it is set. */
let instead: (() => Promise<Answer>) | undefined
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  const { connectors } = service.providers
  const mock = connectors.find('mock-card') as Connector & Required<Pick<Connector, 'refund'>>
  const watched: Connector = {
    ...mock,
    refund: (order, link) => {
      orders.push(order)
      return instead ? instead() : mock.refund(order, link)
    },
  }
  const others = connectors.list.filter((connector) => connector !== mock)
  Object.assign(service.providers, { connectors: registryOf([watched, ...others]) })
  serviceId = (await till.addService({ extended: 'true' })).id
})
beforeEach(() => {
  orders.length = 0
  instead = undefined
})
afterAll(() => service.close())

const capture = async (id: string, amount: number) => {
  const response = await till.act(id, 'capture', { amount, final: false })
  expect(response.statusCode, response.body).toBe(200)
  const { items } = (await service.send(`GET /transactions/${id}/captures`)).json()
  return items[0].xid as string
}
const payInParts = async (...amounts: number[]) => {
  const { id } = await till.pay({ payment_service_id: serviceId })
  const references = []
  for (const amount of amounts) references.push(await capture(id, amount))
  return { id, references }
}
const refund = async (id: string, amount?: number) => {
  const response = await till.act(id, 'refunds', amount === undefined ? {} : { amount })
  expect(response.statusCode, response.body).toBe(201)
  return orders.at(-1)?.captureReference
}

test('a refund names the oldest capture from which enough is left', async () => {
  const { id, references } = await payInParts(300, 500)
  const [first, second] = references

  expect(await refund(id, 200)).toBe(first)
  expect(await refund(id, 200)).toBe(second)
  expect(await refund(id, 100)).toBe(first)
  expect(await refund(id, 300)).toBe(second)
})

test('a refund of more than any capture has left names none', async () => {
  const { id, references } = await payInParts(300, 500)

  expect(await refund(id, 700)).toBeNull()
  expect(await refund(id, 100)).toBe(references[1])
})

test('a refused refund takes nothing from its capture', async () => {
  const { id, references } = await payInParts(300, 500)
  instead = async () => ({
    outcome: 'declined',
    code: 'issuer_decline',
    isRetriable: false,
    reference: null,
    facts: {},
  })
  expect(await refund(id, 300)).toBe(references[0])
  instead = undefined

  expect(await refund(id, 300)).toBe(references[0])
})

test('a refund whose answer is lost counts, and refunds at once share no rest', async () => {
  const { id, references } = await payInParts(300, 500)
  instead = async () => ({ outcome: 'unknown', reason: 'the line broke' })

  await Promise.all([refund(id, 300), refund(id, 300)])

  expect(new Set(orders.map(({ captureReference }) => captureReference))).toEqual(new Set(references))
})

test('a payment that was captured in one step is its own capture', async () => {
  const paid = await till.pay({ intent: 'capture' })

  expect(await refund(paid.id)).toBe(paid.payment_service_transaction_id)
})
