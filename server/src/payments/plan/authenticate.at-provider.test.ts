import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connector, ThreeDSecureReport } from '#connectors/contract/connector.ts'
import { registryOf } from '#processing/service-accounts/registry.ts'
import { featuresOf } from '#resources/payment-service-definitions/show.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openReplayer } from '#testing/test-replayer.ts'
import { openTill, type Till } from '#testing/till.ts'

const CARD = {
  method: 'card',
  number: '4111111111102011',
  expiration_date: '12/40',
  security_code: '123',
  redirect_url: 'https://shop.example.com/back',
}
/** Our own server would not ask its buyer. */
const PLAIN = { ...CARD, number: '4111111111111111' }
const BROUGHT = {
  cavv: 'AJkBAycVKQAAAAJZQFF3dAAAAAA=',
  eci: '05',
  version: '2.2.0',
  directory_response: 'Y',
  authentication_response: 'Y',
  directory_transaction_id: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
}

const PROFILE = {
  merchant_acquirer_bin: '516327',
  merchant_acquirer_id: '123456789012345',
  merchant_name: 'Shop',
  merchant_country_code: '528',
  merchant_category_code: '5651',
  merchant_url: 'https://shop.example.com',
}

const provider = openReplayer('test-acquirer')
const { manifest } = provider.connector
const connector: Connector = {
  ...provider.connector,
  manifest: {
    ...manifest,
    isSimulator: false,
    capabilities: { ...manifest.capabilities, threeDSecureByProvider: true },
  },
}

let service: TestService
let till: Till
let wanted: string
let unwanted: string
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  const { connectors } = service.providers
  Object.assign(service.providers, { connectors: registryOf([...connectors.list, connector]) })
  const add = async (three_d_secure_enabled: boolean) => {
    const made = await service.send('POST /payment-services', {
      display_name: 'Acquirer',
      payment_service_definition_id: 'test-acquirer',
      fields: [],
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
      three_d_secure_enabled,
    })
    expect(made.statusCode, made.body).toBe(201)
    return made.json().id
  }
  wanted = await add(true)
  unwanted = await add(false)
})
beforeEach(() => {
  provider.sent.length = 0
  provider.meanwhile = async () => undefined
})
afterAll(() => service.close())

const asked = () => provider.sent.map(({ order }) => (order as { threeDSecure: unknown }).threeDSecure).at(-1)
const pay = (body: object = {}) => till.pay({ payment_method: CARD, payment_service_id: wanted, ...body })

describe('a provider that authenticates buyers', () => {
  test('is told to, and our own server is not asked', async () => {
    const { status, three_d_secure } = await pay()

    expect(status).toBe('authorization_succeeded')
    expect(asked()).toBe('provider')
    expect(three_d_secure).toBeNull()
  })

  test.each([
    ['the merchant does not want it', () => ({ payment_service_id: unwanted })],
    ['the buyer is not there', () => ({ payment_source: 'moto' })],
    ['the buyer could not come back', () => ({ payment_method: { ...PLAIN, redirect_url: null } })],
  ])('is not told to if %s', async (_why, body) => {
    await pay({ payment_method: PLAIN, ...body() })

    expect(provider.sent).toHaveLength(1)
    expect(asked()).toBeNull()
  })

  test('gets the result that the caller brings instead', async () => {
    await pay({ three_d_secure_data: BROUGHT })

    expect(asked()).toMatchObject({ cavv: BROUGHT.cavv, version: '2.2.0' })
  })

  test.each<[string, ThreeDSecureReport, object]>([
    [
      'all of it',
      {
        status: 'complete',
        method: 'challenge',
        version: '2.2.0',
        eci: '05',
        directoryTransactionId: BROUGHT.directory_transaction_id,
        directoryResponse: 'C',
        authenticationResponse: 'Y',
      },
      {
        version: '2.2.0',
        status: 'complete',
        method: 'challenge',
        error_data: null,
        amount: 1000,
        response_data: {
          version: '2.2.0',
          eci: '05',
          directory_transaction_id: BROUGHT.directory_transaction_id,
          directory_response: 'C',
          authentication_response: 'Y',
          cavv: null,
          transaction_reason: null,
          cardholder_info: null,
        },
      },
    ],
    [
      'values of another form',
      { status: 'complete', method: null, version: 'newest', eci: 'five' },
      {
        version: null,
        status: 'complete',
        method: null,
        error_data: null,
        amount: 1000,
        response_data: null,
      },
    ],
  ])('tells the outcome, and the payment shows it: %s', async (_what, threeDSecure, shown) => {
    provider.meanwhile = async () => ({ outcome: 'approved', reference: 'r-1', facts: { threeDSecure } })

    const { id } = await pay()

    expect((await till.get(id)).three_d_secure).toEqual(shown)
  })

  test('is offered as such, as the sandbox’s own is', () => {
    const without = { ...connector, manifest: { ...manifest, isSimulator: false } }

    expect(featuresOf(connector).three_d_secure_hosted).toBe(true)
    expect(featuresOf(without).three_d_secure_hosted).toBe(false)
    expect(featuresOf(provider.connector).three_d_secure_hosted).toBe(true)
  })
})

describe('an account with a 3-D Secure service', () => {
  async function payWith(answers: string, body: object = {}) {
    const made = await service.send('POST /three-ds-services', {
      display_name: 'Own server',
      three_ds_service_definition_id: 'plain-three-ds',
      fields: [{ key: 'account', value: answers }],
    })
    expect(made.statusCode, made.body).toBe(201)
    const payment = await pay(body)
    await service.send(`DELETE /three-ds-services/${made.json().id}`)
    return payment
  }

  test('has its server asked, and the provider gets the proof', async () => {
    const payment = await payWith('frictionless')

    expect(payment).toMatchObject({
      status: 'authorization_succeeded',
      three_d_secure: { status: 'complete', method: 'frictionless' },
    })
    expect(asked()).toMatchObject({ cavv: expect.any(String), eci: '05', directoryResponse: 'Y' })
  })

  test('lets the provider authenticate if its server is away', async () => {
    expect((await payWith('broken')).status).toBe('authorization_succeeded')
    expect(asked()).toBe('provider')
  })

  test('lets the provider authenticate if its server has no proof, and passes on no value of it', async () => {
    const payment = await payWith('unproven')

    expect(payment).toMatchObject({
      status: 'authorization_succeeded',
      three_d_secure: { status: 'complete', response_data: null },
    })
    expect(asked()).toBe('provider')
  })

  test('whose server has no proof lets the provider authenticate after a soft decline', async () => {
    const change = (merchant_profile: object | null) =>
      service.send(`PUT /payment-services/${unwanted}`, { merchant_profile })
    await change({ visa: PROFILE })
    const soft = { outcome: 'declined', code: 'requires_buyer_authentication', isRetriable: false } as const
    provider.meanwhile = async () =>
      provider.sent.length === 1 ? { ...soft, reference: null, facts: {} } : undefined

    const { status } = await payWith('unproven', { payment_service_id: unwanted })
    await change(null)

    expect(status).toBe('authorization_succeeded')
    expect(provider.sent.map(({ order }) => (order as { threeDSecure: unknown }).threeDSecure)).toEqual([
      null,
      'provider',
    ])
  })
})
