import { describe, expect, test } from 'vitest'
import type { Connector } from '#connectors/contract/connector.ts'
import { lineTo } from './provider.ts'

const LINE = { fetch: async () => new Response(), timeoutMs: 10_000, environment: 'sandbox' } as const

const askingFor = (authorize?: number) =>
  ({ manifest: { patience: authorize === undefined ? {} : { authorize } } }) as Connector

describe('A connector', () => {
  test.each([
    ['gets the time that it asks for', 30_000, 30_000],
    ['may ask for less than others get', 3_000, 3_000],
    ['gets at most a minute', 3_600_000, 60_000],
    ['gets at least a second', 0, 1_000],
    ['gets the time that all have if it does not ask', undefined, 10_000],
    ['gets the time that all have if what it asks for is no number', Number.NaN, 10_000],
  ])('%s', (_does, asked, expected) => {
    const { timeoutMs } = lineTo(LINE, askingFor(asked), 'authorize')

    expect(timeoutMs).toBe(expected)
  })

  test('gets its time for the operations that it names, and for no others', () => {
    expect(lineTo(LINE, askingFor(30_000), 'capture').timeoutMs).toBe(10_000)
  })
})
