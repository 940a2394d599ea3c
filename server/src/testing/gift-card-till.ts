import { afterAll, afterEach, expect } from 'vitest'
import { giftCardDisagreements } from './gift-card-books.ts'
import { type GiftCardCounter, openGiftCardCounter } from './gift-card-counter.ts'
import { startTestService, type TestService } from './harness.ts'
import { holdProcessorLine, type ProcessorLine } from './processor-line.ts'
import { openTill, type Till } from './till.ts'

type GiftCardTill = {
  readonly service: TestService
  readonly counter: GiftCardCounter
  readonly till: Till
  readonly line: ProcessorLine
}

/**
 * A service for the tests of a file, with all that payments with cards and gift cards need. After each test the line to
 * the processor is repaired, and the books of gift cards must balance.
 */
export async function openGiftCardTill(): Promise<GiftCardTill> {
  const service = await startTestService()
  const { timeoutMs } = service.providers
  const line = holdProcessorLine(service)
  afterEach(async () => {
    line.repair()
    Object.assign(service.providers, { timeoutMs })
    expect(await giftCardDisagreements(service.database.pool)).toEqual([])
  })
  afterAll(() => service.close())
  return { service, line, counter: await openGiftCardCounter(service), till: openTill(service) }
}
