import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '#testing/browser.ts'
import { type Desk, openDesk } from '../../testing/dashboard.ts'

const DECLINED = 200_011

let desk: Desk

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()

/** Opens the only payment of the list to which a link of home leads. */
async function openOnly(page: Page, link: string): Promise<void> {
  await follow(page, link)
  await heading(page, 'Transactions')
  await expect.poll(() => page.locator('tbody tr:not(.skeleton)').count()).toBe(1)
  await page.locator('.row-link').click()
}

describe.skipIf(!hasBrowser)('home, for a newcomer to a sandbox with payments', () => {
  beforeAll(async () => {
    desk = await openDesk()
    await desk.till.pay({ amount: DECLINED })
    await desk.till.pay({ amount: 4_200, intent: 'capture' })
  })
  afterAll(() => desk.close())

  test('leads to a declined payment and its reason, and to a refund', async () => {
    await desk.visit('', async (page) => {
      await page.getByRole('heading', { name: 'Next steps' }).waitFor()
      await openOnly(page, 'Declined payments')
      await page.getByText('There is not enough money on the card or account.').first().waitFor()

      await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click()
      await openOnly(page, 'Captured payments')
      await page.getByRole('button', { name: 'Refund', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Refund', exact: true }).click()
      await page.getByText('Refund approved by').first().waitFor()
    })
  })
})
