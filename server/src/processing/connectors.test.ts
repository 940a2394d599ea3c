import { expect, test } from 'vitest'
import type { AccountManifest, Manifest } from '#connectors/contract/manifest.ts'
import { SIMULATORS } from '#connectors/simulators/options.ts'
import { sandbox } from '#sandbox/open.ts'
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
