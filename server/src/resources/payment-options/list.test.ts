import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connector } from '#connectors/contract/connector.ts'
import type { Manifest } from '#connectors/contract/manifest.ts'
import type { Scope } from '#platform/database/db.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import { registryOf } from '#processing/service-accounts/registry.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { listPaymentOptions } from './list.ts'

const CARDS = { definition: 'test-card', fields: [{ key: 'merchant_id', value: 'shop' }] }
const IDEAL = { definition: 'test-redirect', fields: [{ key: 'account', value: 'shop' }] }

let service: TestService
let scope: Scope
beforeAll(async () => {
  service = await startTestService()
  scope = { ...service.context, merchantAccountId: 'default' }
})
afterAll(() => service.close())
beforeEach(async () => {
  await service.context.db.deleteFrom('payment_services').execute()
})

const unused = async (): Promise<never> => {
  throw new Error('no provider is asked')
}

/** The connectors of the test service, with the functions that a test needs. */
function ableTo(abilities: Partial<Connector>, manifest: Partial<Manifest> = {}) {
  const list = service.providers.connectors.list.map((connector) => ({
    ...connector,
    authorize: unused,
    capture: unused,
    ...abilities,
    manifest: { ...connector.manifest, ...manifest },
  }))
  return registryOf<Connector>(list)
}

async function add({ definition, fields }: typeof CARDS, rest: object = {}): Promise<string> {
  const response = await service.send('POST /payment-services', {
    display_name: definition,
    payment_service_definition_id: definition,
    fields,
    accepted_currencies: ['EUR'],
    accepted_countries: ['DE', 'NL'],
    ...rest,
  })
  expect(response.statusCode, response.body).toBe(201)
  return response.json().id
}

const list = async (request: object = {}, connectors = ableTo({})) => {
  const needs = { connectors, publicUrl: 'https://pay.example.com' }
  const { answer } = await listPaymentOptions(scope, UNKEYED, needs, { locale: 'en', ...request })
  return answer.items
}
const methods = async (request: object = {}, connectors = ableTo({})) =>
  (await list(request, connectors)).map(({ method }) => method)

test('a method is described with all that a page needs', async () => {
  await add(CARDS)
  await add(IDEAL)

  const options = await list()

  expect(options).toEqual([
    {
      type: 'payment-option',
      method: 'card',
      mode: 'card',
      label: 'Card',
      icon_url: 'https://pay.example.com/assets/payment-methods/card.svg',
      can_store_payment_method: true,
      can_delay_capture: true,
      context: null,
    },
    {
      type: 'payment-option',
      method: 'ideal',
      mode: 'redirect',
      label: 'iDEAL',
      icon_url: 'https://pay.example.com/assets/payment-methods/ideal.svg',
      can_store_payment_method: false,
      can_delay_capture: true,
      context: {
        approval_ui: null,
        required_fields: null,
        redirect_requires_popup: false,
        requires_tokenized_redirect_popup: false,
      },
    },
  ])
})

test('a bank account can be stored, whichever provider debits it', async () => {
  await add({ definition: 'test-bank', fields: [{ key: 'account', value: 'shop' }] })

  expect(await list()).toMatchObject([{ mode: 'bank', can_store_payment_method: true }])
})

test('a method that its provider keeps can be stored if the service is switched on for it', async () => {
  const id = await add(IDEAL)
  const tokenizing = ableTo({ tokenize: unused })
  const stores = async () => (await list({}, tokenizing)).map(({ can_store_payment_method: can }) => can)
  const turn = (payment_method_tokenization_enabled: boolean) =>
    service.context.db
      .updateTable('payment_services')
      .set({ payment_method_tokenization_enabled })
      .where('id', '=', id)
      .execute()

  await turn(true)
  const on = await stores()
  await turn(false)

  expect(on).toEqual([true])
  expect(await stores()).toEqual([false])
})

test('a method without a name gets its connector’s', async () => {
  await add(CARDS)

  const [option] = await list({}, ableTo({}, { method: 'toString' }))

  expect(option).toMatchObject({ method: 'toString', label: 'Test card', icon_url: null })
})

test('methods come once each, in the order of their first service', async () => {
  await add(CARDS, { position: 2 })
  await add(IDEAL, { position: 1 })
  await add(CARDS, { position: 0, accepted_currencies: ['USD'] })

  expect(await methods()).toEqual(['card', 'ideal'])
  expect(await methods({ currency: 'EUR' })).toEqual(['ideal', 'card'])
})

describe('a method is left out', () => {
  test('when no service takes the currency or the country', async () => {
    await add(CARDS, { accepted_currencies: ['EUR'], accepted_countries: ['DE'] })
    await add(CARDS, { accepted_currencies: ['GBP'], accepted_countries: ['GB'] })

    expect(await methods({ currency: 'EUR', country: 'DE' })).toEqual(['card'])
    expect(await methods({ currency: 'EUR', country: null })).toEqual(['card'])
    expect(await methods({ country: 'GB' })).toEqual(['card'])
    expect(await methods({ currency: 'EUR', country: 'GB' })).toEqual([])
    expect(await methods({ currency: 'USD' })).toEqual([])
    expect(await methods({ country: 'FR' })).toEqual([])
  })

  test('when its services are inactive or deleted', async () => {
    await add(CARDS, { active: false })
    const id = await add(IDEAL)
    expect(await methods()).toEqual(['ideal'])

    await service.send(`DELETE /payment-services/${id}`)

    expect(await methods()).toEqual([])
  })

  test('when its connector was removed, or cannot authorize', async () => {
    await add(CARDS)

    expect(await methods({}, registryOf([]))).toEqual([])
    expect(await methods({}, service.providers.connectors)).toEqual([])
  })

  test('for an amount of zero, when it cannot be authorized', async () => {
    await add(CARDS)
    const capabilities = service.providers.connectors.find('test-card')?.manifest.capabilities
    if (!capabilities) throw new Error('there is no test-card')

    expect(await methods({ amount: 0 })).toEqual([])
    expect(await methods({ amount: 1 })).toEqual(['card'])
    expect(await methods({ amount: null })).toEqual(['card'])
    const able = ableTo({}, { capabilities: { ...capabilities, zeroAuthorization: true } })
    expect(await methods({ amount: 0 }, able)).toEqual(['card'])
  })

  test('when only another merchant account has it', async () => {
    await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
    await add(CARDS)

    const needs = { connectors: ableTo({}), publicUrl: 'https://pay.example.com' }
    const place = { ...scope, merchantAccountId: 'other' }
    const other = await listPaymentOptions(place, UNKEYED, needs, { locale: 'en' })

    expect(other.answer).toEqual({ items: [] })
  })
})

test('capture can be delayed only if every service supports it', async () => {
  await add(CARDS)
  await add({ ...CARDS, definition: 'mock-card' })
  const connectors = registryOf(
    ableTo({}).list.map(({ capture, ...rest }) =>
      rest.manifest.id === 'mock-card' ? rest : { ...rest, capture },
    ) as Connector[],
  )

  const [all] = await list()
  const [some] = await list({}, connectors)

  expect(all?.can_delay_capture).toBe(true)
  expect(some?.can_delay_capture).toBe(false)
})
