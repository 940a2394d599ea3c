import { describe, expect, test } from 'vitest'
import type { AccountManifest, Manifest } from '#connectors/contract/manifest.ts'
import { SIMULATORS } from '#connectors/simulators/options.ts'
import { sandbox } from '#sandbox/open.ts'
import names from '#testing/interface-names.json' with { type: 'json' }
import { connectionOptions, payoutOptions, registriesFor } from './connectors.ts'
import type { Described } from './service-accounts/registry.ts'

test('offers simulators to sandboxes only', () => {
  const trying = registriesFor('sandbox', sandbox)
  // Even if production were given them.
  const production = registriesFor('production', sandbox)

  expect(trying.connectors.find('mock-card')?.manifest.isSimulator).toBe(true)
  expect(production.connectors.find('mock-card')).toBeUndefined()
  for (const { list } of Object.values(production)) {
    expect(list.filter(({ manifest }: Described) => manifest.isSimulator)).toEqual([])
  }
})

test('knows the simulators in production by their ids and options alone', () => {
  const offered = Object.values(sandbox.simulators)
    .flat()
    .map(
      ({ manifest: { id, options, payoutOptions } }: { manifest: Partial<Manifest> & AccountManifest }) => ({
        id,
        ...(options && { options }),
        ...(payoutOptions && { payoutOptions }),
      }),
    )

  expect(offered).toEqual(SIMULATORS)
})

test('offers addresses of stand-ins to sandboxes only', () => {
  const addressesIn = (environment: 'sandbox' | 'production') =>
    registriesFor(environment, sandbox).connectors.list.flatMap(({ manifest }) =>
      manifest.fields.filter(({ isSandboxOnly }) => isSandboxOnly).map(({ key }) => `${manifest.id} ${key}`),
    )

  expect(addressesIn('sandbox')).toContain('adyen-card stand_in_url')
  expect(addressesIn('production')).toEqual([])
})

test.each(Object.entries(registriesFor('sandbox', sandbox)))(
  'every connector in %s has its own id, and fields with different keys',
  (_kind, { list }: { readonly list: readonly Described[] }) => {
    expect(list).not.toEqual([])
    expect(new Set(list.map(({ manifest }) => manifest.id)).size).toBe(list.length)
    for (const { manifest } of list) {
      const { fields, reportingFields = [] } = manifest as typeof manifest & {
        readonly reportingFields?: typeof manifest.fields
      }
      const keys = [...fields, ...reportingFields].map(({ key }) => key)
      expect(new Set(keys).size, manifest.id).toBe(keys.length)
    }
  },
)

describe('names are those of the interface that we keep to', () => {
  const known = (lines: readonly string[]) => new Set(lines.join(' ').split(' '))
  const { list } = registriesFor('production').connectors

  /** Methods without a name there, by what makes them worth one of ours. */
  const OWN_METHODS = {
    'the buyers of a country expect it': ['bizum', 'mbway', 'mobilepay', 'twint'],
    'only Mollie has it':
      'alma bancomatpay banktransfer belfius billie in3 kbc mybank paysafecard riverty satispay'.split(' '),
    'a debit of a country, of which the interface has one name for all':
      'autogiro becsnz betalingsservice pad'.split(' '),
  }
  /** Connections of our providers that we do not offer. */
  const LEFT_OUT = {
    'needs a script of Adyen': ['adyen-cashapp', 'adyen-cashappafterpay'],
    'closed by those who ran it': ['adyen-giropay', 'adyen-sofort'],
    'says no method: each of Stripe’s has a connection of its own': ['stripe-onelink', 'stripe-stripe'],
    'PayPal’s own page offers it to buyers with an account': ['paypal-paypalpaylater'],
    'CyberSource is connected for cards': ['cybersource-anti-fraud', 'cybersource-ideal', 'cybersource-kcp'],
  }

  test('a payment service is the provider and the method', () => {
    const [methods, own] = [known(names.methods), Object.values(OWN_METHODS).flat()]
    const used = new Set(list.map(({ manifest }) => manifest.method))

    expect(list.filter(({ manifest: { id, method } }) => !id.endsWith(`-${method}`))).toEqual([])
    expect(new Set([...used].filter((method) => !methods.has(method)))).toEqual(new Set(own))
  })

  test('a connection of one of our providers is offered, or left out for a reason', () => {
    const providers = new Set(list.map(({ manifest: { id } }) => id.slice(0, id.indexOf('-'))))
    const ids = new Set(list.map(({ manifest }) => manifest.id))
    const missing = [...known(names.connections)].filter(
      (name) => providers.has(name.slice(0, name.indexOf('-'))) && !ids.has(name),
    )

    expect(new Set(missing)).toEqual(new Set(Object.values(LEFT_OUT).flat()))
  })
})

test('collects the options of connectors of every kind', () => {
  expect(new Set(connectionOptions().keys())).toEqual(
    new Set([
      'adyen-ach',
      'adyen-afterpay',
      'adyen-alipay',
      'adyen-card',
      'adyen-gcash',
      'adyen-ideal',
      'adyen-konbini',
      'adyen-paybybank',
      'adyen-paypay',
      'adyen-sepa',
      'adyen-seveneleven',
      'adyen-swish',
      'adyen-vipps',
      'mock-card',
      'mock-gift-card',
      'paypal-paypal',
      'stripe-card',
      'stripe-klarna',
    ]),
  )
  expect([...payoutOptions().keys()]).toEqual(['mock-card'])
})
