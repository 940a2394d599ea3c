import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '#testing/browser.ts'
import { type Desk, looksRight, openDesk } from '../../testing/dashboard.ts'

let desk: Desk

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

describe.skipIf(!hasBrowser)('the frame of the dashboard', () => {
  beforeAll(async () => {
    desk = await openDesk()
    await desk.service.send('PUT /merchant-accounts/default', { display_name: 'Fjord & Pine' })
    await desk.service.send('POST /merchant-accounts', { id: 'harbour', display_name: 'Harbour Goods' })
  })
  afterAll(() => desk.close())

  test('names the merchant account, and the address follows a change of it', async () => {
    await desk.visit('/transactions', async (page) => {
      await page.getByRole('button', { name: 'Merchant account: Fjord & Pine' }).click()
      await page.getByRole('button', { name: 'Harbour Goods' }).click()

      await expect.poll(() => page.url()).toBe(`${desk.origin}/dashboard/transactions?account=harbour`)
      await page.reload()
      await page.getByRole('button', { name: 'Merchant account: Harbour Goods' }).waitFor()
    })
  })

  test('finds a payment by its reference and its last digits from anywhere', async () => {
    const { id } = await desk.till.pay({ external_identifier: 'order-7001' })
    const request = String((await desk.service.send('GET /buyers')).headers['x-request-id'])
    await desk.service.apiLog.flush()
    await desk.visit('/transactions', async (page) => {
      await heading(page, 'Transactions')
      for (const sought of ['order-7001', 'ER-7001', '1111', '10.00', '1111 10.00', id]) {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: 'Search' }).fill(sought)
        await page.getByRole('option', { name: /\$10[.]00 .*order-7001/ }).click()
        await expect.poll(() => page.url()).toBe(`${desk.origin}/dashboard/transactions/${id}`)
      }
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search' }).fill(request)
      await page.getByRole('option', { name: 'GET /buyers' }).waitFor()
      await page.getByRole('combobox', { name: 'Search' }).fill('rules')
      await page.getByRole('option', { name: 'Routing' }).waitFor()
      await page.getByRole('combobox', { name: 'Search' }).fill('nothing like it')
      await page.getByText('Nothing found. Try an order number').waitFor()
      await page.getByRole('combobox', { name: 'Search' }).fill('declined')
      await page.getByRole('option', { name: 'Declined transactions' }).click()
      await expect.poll(() => page.url()).toContain('status=authorization_declined')
    })
  })

  test('keeps the theme that a person chose', async () => {
    await desk.visit('/transactions', async (page) => {
      await page.getByRole('button', { name: 'Theme' }).click()
      await page.getByRole('button', { name: 'Dark' }).click()
      await page.reload()

      await heading(page, 'Transactions')
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    })
  })

  test('has its navigation in a drawer on a phone', async () => {
    const viewport = { width: 390, height: 800 }
    await desk.visit(
      '/transactions',
      async (page) => {
        await page.getByRole('button', { name: 'Open the navigation' }).click()
        await page
          .getByRole('dialog', { name: 'Navigation' })
          .getByRole('link', { name: 'Transactions' })
          .click()
        await page.getByRole('button', { name: 'Close the navigation' }).click()

        expect(await page.getByRole('dialog').count()).toBe(0)
      },
      { viewport },
    )
  })

  test('scrolls the navigation to the area that is shown, and names the zone of all times', async () => {
    const viewport = { width: 1280, height: 500 }
    await desk.visit(
      '/settings/audit',
      async (page) => {
        await heading(page, 'Audit log')
        const bottom = () =>
          page
            .getByRole('link', { name: 'Audit log' })
            .evaluate((link) => link.getBoundingClientRect().bottom)
        await expect.poll(bottom).toBeLessThanOrEqual(viewport.height)
        await page.getByRole('button', { name: /^You:/ }).click()
        await page.getByText(/^Times are in /).waitFor()
      },
      { viewport },
    )
  })

  test('shows sign-in to a person without a session', async () => {
    await desk.visit('/transactions', (page) => heading(page, 'Sign in'), { user: null, errors: [/401/] })
  })

  test('says that there is no page at an address, and keeps its navigation', async () => {
    await desk.visit('/nowhere', async (page) => {
      await heading(page, 'Not found')
      expect(await page.getByRole('link', { name: 'Transactions' }).isVisible()).toBe(true)
    })
  })

  test('is right for everybody', async () => {
    await looksRight(desk, '/nowhere', (page) => heading(page, 'Not found'))
  })
})
