import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('a definition lists its fields and features', async () => {
  const response = await service.send('GET /anti-fraud-service-definitions/test-anti-fraud')

  expect(response.json()).toEqual({
    type: 'anti-fraud-service-definition',
    id: 'test-anti-fraud',
    display_name: 'Test anti-fraud',
    fields: [
      expect.objectContaining({ key: 'account', required: true, secret: false, format: 'text' }),
      expect.objectContaining({ key: 'api_key', required: false, secret: true, format: 'text' }),
      expect.objectContaining({ key: 'live', required: false, secret: false, format: 'boolean' }),
    ],
    supported_features: { reviews: true },
  })
})

test('definitions are listed from a to z, page by page', async () => {
  const all = (await service.send('GET /anti-fraud-service-definitions')).json()
  const first = (await service.send('GET /anti-fraud-service-definitions?limit=1')).json()
  const next = await service.send(`GET /anti-fraud-service-definitions?limit=1&cursor=${first.next_cursor}`)

  const ids = all.items.map(({ id }: { id: string }) => id)
  expect(ids).toContain('test-anti-fraud')
  expect(ids).toContain('plain-anti-fraud')
  expect(ids).toEqual(ids.toSorted())
  expect([first.items[0].id, next.json().items[0].id]).toEqual(ids.slice(0, 2))
})

test('a cursor of the payment service definitions does not fit', async () => {
  const { next_cursor } = (await service.send('GET /payment-service-definitions?limit=1')).json()

  const response = await service.send(`GET /anti-fraud-service-definitions?cursor=${next_cursor}`)

  expect(response.statusCode).toBe(400)
})

test('an unknown definition is not found', async () => {
  expect((await service.send('GET /anti-fraud-service-definitions/mock-card')).statusCode).toBe(404)
})
