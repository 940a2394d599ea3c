import { expect, test } from 'vitest'
import type { Connector } from '#connectors/contract/connector.ts'
import type { Capabilities } from '#connectors/contract/manifest.ts'
import { registryOf } from '#processing/service-accounts/registry.ts'
import { mockCard } from '#sandbox/connectors/mock-card/connector.ts'
import { chooseServices, reasonToSkip } from './candidates.ts'

const { authorize: _none, ...unable } = mockCard
const plain: Connector = connectorWith('plain', {
  capabilities: {
    ...mockCard.manifest.capabilities,
    zeroAuthorization: false,
    partialAuthorization: false,
  },
})
const { capture: _capture, ...atOnce } = mockCard
const { void: _void, ...holding } = mockCard
const CONNECTORS = registryOf([
  mockCard,
  plain,
  connectorWith('tokens', { instruments: ['network-token'] }),
  { ...unable, manifest: { ...mockCard.manifest, id: 'unable' } },
  { ...atOnce, manifest: { ...mockCard.manifest, id: 'at-once' } },
  { ...atOnce, manifest: connectorWith('never', can({ directCapture: false })).manifest },
  { ...holding, manifest: { ...mockCard.manifest, id: 'holding' } },
  connectorWith('in-two-steps', can({ directCapture: false })),
  connectorWith('insecure', can({ threeDSecurePassThrough: false })),
])

function connectorWith(id: string, change: Partial<Connector['manifest']>): Connector {
  return { ...mockCard, manifest: { ...mockCard.manifest, id, ...change } }
}

function can(change: Partial<Capabilities>): Partial<Connector['manifest']> {
  return { capabilities: { ...mockCard.manifest.capabilities, ...change } }
}

const service = (id: string, change: object = {}) => ({
  id,
  payment_service_definition_id: 'mock-card',
  accepted_currencies: ['EUR', 'USD'],
  accepted_countries: ['DE', 'US'],
  ...change,
})
const NEED = {
  amount: 1299,
  currency: 'USD',
  country: 'US',
  instrument: 'card',
  offered: null,
  intent: 'authorize',
  needsThreeDSecure: false,
  isSplit: false,
  isPartialAllowed: false,
  paymentServiceId: null,
} as const

test.each([
  ['says so', () => 'only its own', 'only its own'],
  ['fails', () => fail(), expect.any(String)],
  ['is empty', () => null, undefined],
])('a token of a wallet, and a connector that %s', (_what, obstacleTo, message) => {
  const connectors = registryOf([{ ...mockCard, obstacleTo }])
  const offered = { kind: 'wallet', wallet: 'applepay', token: null } as const
  const need = { ...NEED, instrument: 'wallet', offered } as const

  const expected = message && { reason: 'instrument_not_supported', message }
  expect(reasonToSkip(service('a'), connectors, need)).toEqual(expected)
  expect(reasonToSkip(service('a'), connectors, NEED)).toBe(undefined)
})

function fail(): never {
  throw new Error('a mistake')
}

const PROVEN = { needsThreeDSecure: true }
const SPLIT = { intent: 'capture', isSplit: true }

const chosen = (services: ReturnType<typeof service>[], need: object = {}) =>
  chooseServices(services, CONNECTORS, { ...NEED, ...need }).map(({ service: { id } }) => id)

test('keeps the order of the services', () => {
  expect(chosen([service('b'), service('a'), service('c')])).toEqual(['b', 'a', 'c'])
})

test('returns the service with its connector', () => {
  const [candidate] = chooseServices([service('a')], CONNECTORS, NEED)

  expect(candidate?.connector.manifest).toBe(mockCard.manifest)
})

test.each([
  ['a currency it does not accept', {}, { currency: 'GBP' }],
  ['a country it does not accept', {}, { country: 'FR' }],
  ['an instrument its connector does not take', { payment_service_definition_id: 'tokens' }, {}],
  ['a connector that is gone', { payment_service_definition_id: 'closed-down' }, {}],
  ['a connector that cannot authorize', { payment_service_definition_id: 'unable' }, {}],
  ['an amount of zero, where that is not taken', { payment_service_definition_id: 'plain' }, { amount: 0 }],
  ['a part, where there are none', { payment_service_definition_id: 'plain' }, { isPartialAllowed: true }],
  ['the merchant’s choice of another', {}, { paymentServiceId: 'another' }],
  ['a capture that it cannot make', { payment_service_definition_id: 'never' }, { intent: 'capture' }],
  ['proof of the buyer that it cannot pass on', { payment_service_definition_id: 'insecure' }, PROVEN],
  ['gift cards, before which it would take its part', { payment_service_definition_id: 'at-once' }, SPLIT],
  ['gift cards, if it cannot void', { payment_service_definition_id: 'holding' }, SPLIT],
])('leaves a service out for %s', (_why, change, need) => {
  expect(chosen([service('a', change)], need)).toEqual([])
})

test.each([
  ['captures at once', 'at-once', { intent: 'capture' }],
  ['captures in two steps', 'in-two-steps', { intent: 'capture' }],
  ['only authorizes, for an authorization', 'never', {}],
  ['captures in two steps, beside gift cards', 'in-two-steps', SPLIT],
  ['captures at once, beside gift cards that only authorize', 'at-once', { ...SPLIT, intent: 'authorize' }],
  ['passes on proof of the buyer', 'mock-card', PROVEN],
])('takes a service that %s', (_what, payment_service_definition_id, need) => {
  expect(chosen([service('a', { payment_service_definition_id })], need)).toEqual(['a'])
})

test('accepts a payment of an unknown country', () => {
  expect(chosen([service('a')], { country: null })).toEqual(['a'])
})

test('takes zero and parts if the connector does', () => {
  expect(chosen([service('a')], { amount: 0, isPartialAllowed: true })).toEqual(['a'])
})

test('takes only the merchant’s choice, and only if it fits', () => {
  const services = [service('a'), service('b')]

  expect(chosen(services, { paymentServiceId: 'b' })).toEqual(['b'])
  expect(chosen(services, { paymentServiceId: 'b', currency: 'GBP' })).toEqual([])
})
