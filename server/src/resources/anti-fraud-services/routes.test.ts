import { afterAll, beforeAll, expect, test } from 'vitest'
import { complaintsOf } from '#testing/gift-cards.ts'
import { startTestService, type TestService } from '#testing/harness.ts'

const REQUEST = {
  display_name: 'Fraud checks',
  anti_fraud_service_definition_id: 'test-anti-fraud',
  fields: [{ key: 'account', value: 'shop' }],
}

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('reviews can be turned on and off, and their results have an address', async () => {
  const wrong = await service.send('POST /anti-fraud-services', { ...REQUEST, reviews_enabled: 1 })
  const { statusCode, ...response } = await service.send('POST /anti-fraud-services', REQUEST)
  expect(statusCode, response.body).toBe(201)
  const made = response.json()
  const update = (body: object) => service.send(`PUT /anti-fraud-services/${made.id}`, body)
  const on = await update({ reviews_enabled: true })
  const kept = await update({ display_name: 'Renamed', reviews_enabled: null })

  const key = service.secrets.mac('anti-fraud-service-notifications', made.id).toString('base64url')
  expect(complaintsOf(wrong)).toEqual([['/reviews_enabled', expect.any(String)]])
  expect(made).toEqual({
    type: 'anti-fraud-service',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    merchant_account_id: 'default',
    anti_fraud_service_definition_id: 'test-anti-fraud',
    display_name: 'Fraud checks',
    active: true,
    reviews_enabled: false,
    silent: false,
    webhook_url: `http://127.0.0.1:3000/anti-fraud-services/${made.id}/notifications/${key}`,
    fields: REQUEST.fields,
    secret_fields: [],
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect([on, kept].map((changed) => changed.json().reviews_enabled)).toEqual([true, true])
})
