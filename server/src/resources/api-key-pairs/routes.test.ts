import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../testing/harness.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('lists the key that signs the request', async () => {
  const response = await service.send('GET /api-key-pairs')

  expect(response.statusCode, response.body).toBe(200)
  expect(response.json().items).toMatchObject([{ id: service.admin.id, roles: [{ slug: 'administrator' }] }])
})
