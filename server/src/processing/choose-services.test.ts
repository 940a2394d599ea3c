import { expect, test } from 'vitest'
import type { Connector } from '../../../connectors/contract/connector.ts'
import { mockCard } from '../../../connectors/mock-card/connector.ts'
import { chooseServices } from './choose-services.ts'
import { connectorsOf } from './connectors.ts'

const { authorize: _none, ...unable } = mockCard
const plain: Connector = connectorWith('plain', {
  capabilities: {
    ...mockCard.manifest.capabilities,
    zeroAuthorization: false,
    partialAuthorization: false,
  },
})
const CONNECTORS = connectorsOf([
  mockCard,
  plain,
  connectorWith('tokens', { instruments: ['network-token'] }),
  { ...unable, manifest: { ...mockCard.manifest, id: 'unable' } },
])

function connectorWith(id: string, change: Partial<Connector['manifest']>): Connector {
  return { ...mockCard, manifest: { ...mockCard.manifest, id, ...change } }
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
  isPartialAllowed: false,
  paymentServiceId: null,
} as const

const chosen = (services: ReturnType<typeof service>[], need: object = {}) =>
  chooseServices(services, CONNECTORS, { ...NEED, ...need }).map(({ service: { id } }) => id)

test('keeps the order in which services come', () => {
  expect(chosen([service('b'), service('a'), service('c')])).toEqual(['b', 'a', 'c'])
})

test('hands the service out with the connector that speaks to its provider', () => {
  const [candidate] = chooseServices([service('a')], CONNECTORS, NEED)

  expect(candidate?.connector).toBe(mockCard)
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
])('leaves a service out for %s', (_why, change, need) => {
  expect(chosen([service('a', change)], need)).toEqual([])
})

test('lets a payment of an unknown country pass', () => {
  expect(chosen([service('a')], { country: null })).toEqual(['a'])
})

test('takes zero and parts where the connector does', () => {
  expect(chosen([service('a')], { amount: 0, isPartialAllowed: true })).toEqual(['a'])
})

test('takes the merchant’s choice alone, and only if it fits', () => {
  const services = [service('a'), service('b')]

  expect(chosen(services, { paymentServiceId: 'b' })).toEqual(['b'])
  expect(chosen(services, { paymentServiceId: 'b', currency: 'GBP' })).toEqual([])
})
