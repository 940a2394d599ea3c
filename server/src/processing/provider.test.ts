import { expect, test, vi } from 'vitest'
import type { Link } from '../../../connectors/contract/connector.ts'
import { antiFraudConnectorsOf } from './anti-fraud-connectors.ts'
import { connectorsOf } from './connectors.ts'
import { giftCardConnectorsOf } from './gift-card-connectors.ts'
import { askProvider, type Providers } from './provider.ts'

const WITH = { fields: { api_key: 'secret' }, options: { mode: 'test' } }
const APPROVED = { outcome: 'approved', reference: 'r1', facts: {} } as const

function providers(change: Partial<Providers> = {}): Providers {
  const none = {
    connectors: connectorsOf([]),
    giftCards: giftCardConnectorsOf([]),
    antiFraud: antiFraudConnectorsOf([]),
  }
  return { ...none, fetch: async () => new Response('ok'), timeoutMs: 200, ...change }
}

test('hands the order and the link to the connector, and its answer back', async () => {
  const ask = vi.fn(async (_order: { amount: number }, _link: Link) => APPROVED)

  const answer = await askProvider(providers(), ask, { amount: 1299 }, WITH)

  expect(answer).toBe(APPROVED)
  expect(ask).toHaveBeenCalledWith({ amount: 1299 }, { ...WITH, fetch: expect.any(Function) })
})

test.each([
  ['rejects', () => Promise.reject(new Error('sent 4111111111111111 with secret'))],
  [
    'throws before there is a promise',
    () => {
      throw new URIError('sent 4111111111111111 with secret')
    },
  ],
])('a connector that %s leaves the outcome unknown, and its words are not repeated', async (_how, ask) => {
  const answer = await askProvider(providers(), ask, {}, WITH)

  expect(answer).toEqual({ outcome: 'unknown', reason: 'the provider’s answer could not be read' })
})

test('a connector that takes too long leaves the outcome unknown, and is not waited for', async () => {
  const start = performance.now()

  const answer = await askProvider(providers({ timeoutMs: 50 }), () => new Promise(() => {}), {}, WITH)

  expect(answer).toEqual({ outcome: 'unknown', reason: 'the provider did not answer in time' })
  expect(performance.now() - start).toBeLessThan(1_000)
})

test('what a connector says after the deadline is nobody’s trouble', async () => {
  const late = Promise.withResolvers<never>()

  const answer = await askProvider(providers({ timeoutMs: 20 }), () => late.promise, {}, WITH)
  late.reject(new Error('too late'))
  await new Promise((resolve) => setTimeout(resolve, 20))

  expect(answer).toMatchObject({ outcome: 'unknown' })
})

test('requests end with the deadline, and follow no redirect', async () => {
  const fetch = vi.fn(
    (_url: string, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      }),
  )
  const ask = async (_order: object, link: Link) => {
    await link.fetch('https://provider.example.com/charge', { method: 'POST', redirect: 'follow' })
    return APPROVED
  }

  const answer = await askProvider(providers({ fetch, timeoutMs: 50 }), ask, {}, WITH)

  expect(answer).toMatchObject({ outcome: 'unknown' })
  expect(fetch).toHaveBeenCalledWith('https://provider.example.com/charge', {
    method: 'POST',
    redirect: 'error',
    signal: expect.any(AbortSignal),
  })
  expect(fetch.mock.calls[0]?.[1]?.signal?.aborted).toBe(true)
})
