import { afterAll, beforeAll, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { addTellerService, approvedAs, Teller, tell } from '#testing/teller.ts'
import { openTill } from '#testing/till.ts'

let teller: Teller
let service: TestService
beforeAll(async () => {
  teller = new Teller()
  service = await startTestService({ connectors: teller.connectors })
})
afterAll(() => service.close())

const register = (id: string) => service.send(`POST /payment-services/${id}/notifications`)

test('tells the provider the address of the service, and keeps the secret that it gives', async () => {
  const cards = await addTellerService(service, 'teller-card', { fields: {} })
  const urls: string[] = []
  teller.register = async (url) => {
    urls.push(url)
    return { outcome: 'registered', fields: { webhook_key: 'whsec-of-the-provider', unheard_of: 'x' } }
  }
  const told = [{ about: 'capture', reference: 'none', answer: approvedAs('none') }] as const
  const before = await tell(service, cards, told, { key: 'whsec-of-the-provider' })

  const answer = await register(cards.id)
  const again = await register(cards.id)

  expect([before.statusCode, answer.statusCode, again.statusCode]).toEqual([400, 200, 200])
  expect(urls).toEqual([cards.webhook_url, cards.webhook_url])
  expect(answer.json()).toMatchObject({ id: cards.id, webhook_url: cards.webhook_url })
  expect(answer.body).not.toContain('whsec-of-the-provider')
  expect((await tell(service, cards, told, { key: 'whsec-of-the-provider' })).statusCode).toBe(204)
  expect(await openTill(service).audited(cards.id)).toEqual([
    'created by Test key',
    'updated by Test key',
    'updated by Test key',
  ])
})

test.each([
  [
    'rejects the address',
    async () => ({ outcome: 'rejected', message: 'not with key-of-the-teller' }) as const,
    400,
  ],
  ['cannot be reached', async () => ({ outcome: 'unreachable', message: 'no route' }) as const, 504],
  ['answers nonsense', async () => Promise.reject(new Error('nonsense with key-of-the-teller')), 502],
])('says that the provider %s, repeats no secret, and changes nothing', async (_what, answer, status) => {
  const cards = await addTellerService(service, 'teller-card')
  teller.register = answer

  const response = await register(cards.id)

  expect(response.statusCode, response.body).toBe(status)
  expect(response.body).not.toContain('key-of-the-teller')
  expect(await openTill(service).audited(cards.id)).toEqual(['created by Test key'])
})

test('refuses where the connector cannot, and where there is no service', async () => {
  const simulated = await openTill(service).addService({})

  const [unable, missing] = [await register(simulated.id), await register(MISSING)]

  expect(unable.statusCode).toBe(400)
  expect(unable.json().message).toContain('Enter the webhook_url in the provider’s own settings')
  expect(missing.statusCode).toBe(404)
})
