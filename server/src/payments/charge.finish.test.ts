import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { disagreements } from '#testing/books.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { holdProcessorLine, type ProcessorLine } from '#testing/processor-line.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
let line: ProcessorLine
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  line = holdProcessorLine(service)
})
afterEach(async () => {
  line.repair()
  expect(await disagreements(service.database.pool)).toEqual([])
})
afterAll(() => service.close())

/** Changes a payment while its answer is on the way. */
const payAnd = async (meanwhile: (id: string) => Promise<unknown>, order: object = {}) => {
  let isFirst = true
  line.intercept(async (go) => {
    const answer = await go()
    if (!isFirst) return answer
    isFirst = false
    const { items } = (await service.send('GET /transactions?limit=1&status=processing')).json()
    await meanwhile(items[0].id)
    return answer
  })
  return till.pay(order)
}

test.each(['authorize', 'capture'])(
  'what a merchant corrects while the provider is asked to %s is kept',
  async (intent) => {
    const paid = await payAnd(
      async (id) => {
        const corrected = await service.send(`PUT /transactions/${id}`, {
          external_identifier: `order-${intent}`,
          metadata: { note: intent },
        })
        expect(corrected.statusCode, corrected.body).toBe(200)
      },
      { intent },
    )

    expect(paid).toMatchObject({ external_identifier: `order-${intent}`, metadata: { note: intent } })
    expect(paid.status).toBe(intent === 'capture' ? 'capture_succeeded' : 'authorization_succeeded')
    expect(await till.get(paid.id)).toEqual(paid)
  },
)

test('a notification that comes before the answer is told once', async () => {
  const paid = await payAnd((id) => service.send(`POST /transactions/${id}/sync`))

  expect(paid.status).toBe('authorization_succeeded')
  expect(await till.told(paid.id)).toEqual(['transaction.authorized'])
  const answers = (await till.history(paid.id)).filter((name) => name.endsWith('authorization-succeeded'))
  expect(answers).toHaveLength(1)
})
