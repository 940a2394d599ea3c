import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '#testing/browser.ts'
import { type Desk, openDesk } from '../../testing/dashboard.ts'

const PHONE = { width: 390, height: 844 }

let desk: Desk

/** How much of a table a person has to pull into view. */
async function hiddenWidth(page: Page): Promise<number> {
  const table = page.locator('main table').last()
  const [inner, outer] = [await table.boundingBox(), await table.locator('..').boundingBox()]
  return Math.max(0, Math.round((inner?.width ?? 0) - (outer?.width ?? 0)))
}

describe.skipIf(!hasBrowser)('numbers and names on a phone', () => {
  beforeAll(async () => {
    desk = await openDesk()
    await desk.till.pay({ amount: 4_200 })
    await desk.till.pay({ amount: 99_999_999 })
    await desk.till.pay({ amount: 200_011 })
  })
  afterAll(() => desk.close())

  test('keep a large amount on one line', async () => {
    await desk.visit('', async (page) => {
      await page.setViewportSize(PHONE)
      const amount = page.locator('.tile strong', { hasText: '$1,000,041.99' })
      await amount.waitFor()
      expect((await amount.boundingBox())?.height).toBeLessThan(45)
    })
  })

  test('name buyer, card and reference of a payment', async () => {
    const buyer = { display_name: 'Ada Park' }
    await desk.till.pay({ amount: 700, buyer, external_identifier: 'order-700' })
    await desk.visit('/transactions', async (page) => {
      await page.setViewportSize(PHONE)
      await page.getByText('Ada Park · Visa •••• 1111 · order-700').waitFor()
      expect(await hiddenWidth(page)).toBe(0)
    })
  })

  test('show the last column of a breakdown', async () => {
    await desk.visit('/insights?metric=approval&period=7d&by=payment_method_scheme', async (page) => {
      await page.setViewportSize(PHONE)
      await page.locator('main table').getByText('Visa').waitFor()
      expect(await hiddenWidth(page)).toBe(0)
    })
  })

  test('break names of files into few lines', async () => {
    await desk.visit('/settings/pages', async (page) => {
      await page.setViewportSize(PHONE)
      await page.locator('td .breaks').first().waitFor()
      const heights = await Promise.all(
        (await page.locator('td .breaks').all()).map(async (name) => (await name.boundingBox())?.height ?? 0),
      )
      expect(Math.max(...heights)).toBeLessThan(45)
      expect(await hiddenWidth(page)).toBe(0)
    })
  })
})
