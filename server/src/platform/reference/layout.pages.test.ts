import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityProblems, browse, problemsInBothSchemes } from '#testing/browse.ts'
import { hasBrowser, launchBrowser } from '#testing/browser.ts'
import { startTestService, type TestService } from '#testing/harness.ts'

let service: TestService
let browser: Browser
let origin: string
beforeAll(async () => {
  if (!hasBrowser) return
  service = await startTestService()
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await service?.close()
})

const PAGES = [
  '/docs',
  '/docs/all',
  '/docs/api/errors',
  '/docs/api/payouts',
  '/docs/objects/PaymentMethod',
  '/docs/operations/create_transaction',
  '/docs/guide/transactions',
  '/docs/errors',
  '/docs/connectors/methods',
  '/docs/search?q=refund',
]

describe.runIf(hasBrowser)('a reader', () => {
  test.each(PAGES)('can use %s whatever their abilities, in both themes', async (path) => {
    await browse(browser, {}, async (page) => {
      await page.goto(`${origin}${path}`)

      expect(await problemsInBothSchemes(page)).toEqual([])
    })
  })

  test.each([...PAGES, '/docs/objects', '/docs/api/transactions', '/docs/connectors/adyen-codes'])(
    'needs not scroll %s sideways on any screen',
    async (path) => {
      await browse(browser, {}, async (page) => {
        await page.goto(`${origin}${path}`)
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        for (const width of [320, 768, 1280]) {
          await page.setViewportSize({ width, height: 800 })

          const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
          expect(beyond, `at ${width} pixels`).toBeLessThanOrEqual(0)
        }
      })
    },
  )

  test.each(['create_transaction', 'create_flow_dry_run', 'add_report'])(
    'reads %s on a short page',
    async (id) => {
      await browse(browser, { viewport: { width: 1280, height: 800 } }, async (page) => {
        await page.goto(`${origin}/docs/operations/${id}`)

        expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(12_000)
      })
    },
  )

  test('searches with the keyboard', async () => {
    await browse(browser, {}, async (page) => {
      await page.goto(`${origin}/docs/guide/requests`)
      await page.keyboard.press('/')
      await page.keyboard.type('refund transaction')
      const options = page.getByRole('option')
      const titles = [
        'Refund transactionPOST /transactions/{transaction_id}/refunds',
        'Refund transaction in fullPOST /transactions/{transaction_id}/refunds/all',
      ]
      // The page searches while one types: first it shows what fits the first words.
      await expect.poll(async () => (await options.allTextContents()).slice(0, 2)).toEqual(titles)
      const selected = page.locator('[role=option][aria-selected=true]')

      expect(await accessibilityProblems(page)).toEqual([])
      expect(await selected.textContent()).toBe(titles[0])
      await page.keyboard.press('ArrowDown')
      expect(await selected.textContent()).toBe(titles[1])
      expect(await page.locator('#search').getAttribute('aria-activedescendant')).toBe('found-1')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${origin}/docs/operations/create_full_transaction_refund`)

      await page.keyboard.press('/')
      await page.keyboard.type('buyer')
      await options.first().waitFor()
      await page.keyboard.press('Escape')
      expect(await options.count()).toBe(0)
    })
  })

  test('chooses a language once, and copies what is shown', async () => {
    await browse(browser, { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await page.goto(`${origin}/docs/operations/add_buyer`)
      const example = page.locator('#add_buyer .tabs')
      await example.getByRole('radio', { name: 'Python' }).check()
      await example.getByRole('button').click()
      await example.getByText('Copied').waitFor()

      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        await example.locator('.python pre').textContent(),
      )
      await page.goto(`${origin}/docs/operations/get_refund`)
      expect(await page.locator('#get_refund .python').isVisible()).toBe(true)
      expect(await page.locator('#get_refund .shell').isVisible()).toBe(false)
    })
  })

  test('filters the ways to pay by country, currency, provider and what works, and shares the address', async () => {
    await browse(browser, {}, async (page) => {
      await page.goto(`${origin}/docs/connectors/methods`)
      const shown = () => page.locator('[data-filters] tbody tr:not([hidden])')
      const names = async () => (await shown().locator('td:nth-child(3)').allTextContents()).toSorted()
      const all = await shown().count()
      await page.getByLabel('Countries').selectOption({ label: 'Portugal (PT)' })
      const inPortugal = await names()
      await page.getByLabel('Currencies').selectOption({ label: 'Euro (EUR)' })
      await page.getByLabel('Provider').selectOption('Mollie')
      const throughMollie = await names()

      expect(all).toBeGreaterThan(100)
      expect(inPortugal).toEqual(
        expect.arrayContaining(['adyen-card', 'adyen-multibanco', 'stripe-multibanco']),
      )
      expect(inPortugal).not.toContain('stripe-pix')
      expect(throughMollie).toEqual(expect.arrayContaining(['mollie-mbway', 'mollie-multibanco']))
      expect(throughMollie.every((name) => name.startsWith('mollie-'))).toBe(true)
      await page.getByLabel('Captured later').check()
      expect(await names()).toEqual(['mollie-klarna'])
      expect(await page.locator('.filters output').textContent()).toBe(`1 of ${all}`)
      expect(await problemsInBothSchemes(page)).toEqual([])

      const address = page.url()
      await page.goto('about:blank')
      await page.goto(address)
      expect(await names()).toEqual(['mollie-klarna'])
      await page.getByRole('button', { name: 'Clear' }).click()
      await expect.poll(() => shown().count()).toBe(all)
      expect(page.url()).toBe(`${origin}/docs/connectors/methods`)
      // Of a country that no row names, what is taken everywhere is left, and what is taken everywhere else.
      await page.getByLabel('Countries').selectOption('other')
      expect(await names()).toContain('stripe-card')
      expect(await names()).not.toContain('adyen-ideal')
      await page.getByLabel('Payouts').check()
      expect(await names()).toEqual(['checkout-card', 'worldpay-card'])
    })
  })

  test('sees their place in the side list', async () => {
    await browse(browser, {}, async (page) => {
      await page.goto(`${origin}/docs/operations/void_transaction`)
      const current = page.locator('#menu [aria-current]')

      expect(await current.count()).toBe(1)
      expect(await current.getAttribute('aria-current')).toBe('page')
      expect(await current.textContent()).toBe('postVoid transaction')
      await page.goto(`${origin}/docs/guide/transactions#when-the-outcome-is-unknown`)
      await page
        .locator('.contents a[aria-current=location]', { hasText: 'When the outcome is unknown' })
        .waitFor()
    })
  })

  test('reaches content, search and menu by the keyboard, and sees where the focus is', async () => {
    await browse(browser, { viewport: { width: 390, height: 800 } }, async (page) => {
      await page.goto(`${origin}/docs/api/refunds`)
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('Skip to the content')
      await page.keyboard.press('Enter')
      expect(await page.evaluate('document.activeElement.id')).toBe('content')

      await page.getByRole('button', { name: 'Menu' }).focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('Overview')
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
      await page.keyboard.press('Escape')
      expect(await page.locator('#menu').isVisible()).toBe(false)
    })
  })
})

describe.runIf(hasBrowser)('a reader without scripts', () => {
  test('searches, chooses a language and opens the menu', async () => {
    await browse(
      browser,
      { javaScriptEnabled: false, viewport: { width: 390, height: 800 } },
      async (page) => {
        await page.goto(`${origin}/docs`)
        await page.locator('#search').fill('create buyer')
        await page.locator('#search').press('Enter')
        await page.waitForURL(`${origin}/docs/search?q=create+buyer`)
        await page.getByRole('link', { name: 'Create buyer' }).first().click()
        await page.waitForURL(`${origin}/docs/operations/add_buyer`)

        const example = page.locator('#add_buyer .tabs')
        expect(await example.locator('.shell').isVisible()).toBe(true)
        await example.getByRole('radio', { name: 'TypeScript' }).check()
        expect(await example.locator('.typescript').isVisible()).toBe(true)
        expect(await example.locator('.shell').isVisible()).toBe(false)
        expect(await example.getByRole('button').count()).toBe(0)

        await page.getByRole('button', { name: 'Menu' }).click()
        await page.locator('#menu a[href="/docs/api/payouts"]').click()
        await page.waitForURL(`${origin}/docs/api/payouts`)
      },
    )
  })

  test('has all ways to pay, and no filter that would do nothing', async () => {
    await browse(browser, { javaScriptEnabled: false }, async (page) => {
      await page.goto(`${origin}/docs/connectors/methods`)

      expect(await page.locator('[data-filters] tbody tr:visible').count()).toBeGreaterThan(100)
      expect(await page.locator('.filters').count()).toBe(0)
      expect(await page.getByText('Generated by').count()).toBe(0)
    })
  })

  test('finds an operation by its old link', async () => {
    await browse(browser, { javaScriptEnabled: false }, async (page) => {
      await page.goto(`${origin}/docs/api/buyers#add_buyer`)

      await page.locator('li:target a').click()
      await page.waitForURL(`${origin}/docs/operations/add_buyer`)
    })
  })
})

async function focused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.textContent')
}
