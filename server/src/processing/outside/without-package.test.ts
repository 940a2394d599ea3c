import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Connector } from '#connectors/contract/connector.ts'
import { NO_CAPABILITIES } from '#connectors/contract/manifest.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, order, type Till } from '#testing/till.ts'
import { checkServices } from '../../cli/doctor-machine.ts'
import { registryOf } from '../service-accounts/registry.ts'

const acme: Connector = {
  manifest: {
    id: 'acme-card',
    displayName: 'Acme',
    method: 'card',
    mode: 'card',
    instruments: ['card'],
    fields: [],
    reportingFields: [],
    currencies: 'all',
    countries: 'all',
    capabilities: NO_CAPABILITIES,
    recovery: { by: 'lookup' },
    isSimulator: false,
  },
  authorize: async () => ({ outcome: 'unknown', reason: 'lost' }),
  capture: async () => ({ outcome: 'approved', reference: 'captured', facts: {} }),
  sync: async () => ({ outcome: 'approved', reference: 'found', facts: {} }),
  readNotification: async () => ({ outcome: 'read', notifications: [] }),
}

let service: TestService
let till: Till
let acmeService: { readonly id: string; readonly webhook_url: string }
/** A payment at the service whose outcome is not known yet. */
let open: string
const registries = { with: registryOf<Connector>([]), without: registryOf<Connector>([]) }
const offer = (which: keyof typeof registries) =>
  Object.assign(service.providers, { connectors: registries[which] })
const later = async () => {
  service.moveClock(10 * 60_000)
  await service.resolveDue()
}

beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  const { list } = service.providers.connectors
  registries.without = registryOf(list)
  registries.with = registryOf([...list, acme])
  offer('with')
  const made = await service.send('POST /payment-services', {
    display_name: 'Acme',
    payment_service_definition_id: 'acme-card',
    fields: [],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
    position: 1,
  })
  acmeService = made.json()
  open = (await till.pay({ payment_service_id: acmeService.id })).id
  offer('without')
})
afterAll(() => service.close())

test('payments skip a service whose connector is gone, or say that none can take them', async () => {
  const named = await order(service, { payment_service_id: acmeService.id })
  const other = await till.pay()

  expect(named.json()).toMatchObject({ status: 'authorization_failed', payment_service: null })
  expect(other.status).toBe('authorization_succeeded')
  expect(other.payment_service.id).not.toBe(acmeService.id)
  const { items } = (await service.send(`GET /transactions/${named.json().id}/events`)).json()
  const skipped = items.find(
    ({ context }: { context: { payment_service_id?: string } }) =>
      context.payment_service_id === acmeService.id,
  )
  expect(skipped).toMatchObject({
    name: 'payment-service-skipped',
    context: { payment_service_definition_id: 'acme-card', reason: 'definition_not_available' },
  })
})

test('payments of the service stay as they are, and what is asked of them is refused clearly', async () => {
  await later()

  expect((await till.get(open)).status).toBe('processing')
  const synced = await till.act(open, 'sync')
  expect(synced.statusCode, synced.body).toBe(400)
  expect(synced.json().message).toBe(
    'This installation has no connector acme-card any more. Ask its operator.',
  )
})

test('its provider is asked to send notifications again', async () => {
  const notify = () => service.send(`POST ${new URL(acmeService.webhook_url).pathname}`, {}, { token: null })
  const refused = await notify()
  offer('with')
  const taken = await notify()
  offer('without')

  expect([refused.statusCode, taken.statusCode]).toEqual([503, 204])
})

test('the doctor names the services', async () => {
  const finding = await checkServices(service.context, service.providers)

  expect(finding).toMatchObject({
    status: 'problem',
    text: 'payments skip services whose connector is not here: 1 of acme-card',
    remedy: expect.stringContaining('CONNECTORS'),
  })
})

test('once the connector is back, what was open is resolved', async () => {
  offer('with')
  await later()

  expect((await till.get(open)).status).toBe('authorization_succeeded')
  expect(await checkServices(service.context, service.providers)).toMatchObject({ status: 'ok' })
})
