import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStandIn, STAND_IN_ACCOUNT } from '#sandbox/stand-ins/sift/stand-in.ts'
import { browse } from '#testing/browse.ts'
import { hasBrowser } from '#testing/browser.ts'
import { openHostedPage } from '#testing/hosted-page.ts'
import { CARD } from '#testing/till.ts'
import { type Cashier, openCashier } from '../testing/cashier.ts'
import { formIn, openFor, payIn, SHOP, until } from '../testing/drop-in.ts'
import { visitShop } from '../testing/shop.ts'

declare const window: {
  switchyardAntiFraud: { f: string }
  checkout: (options: object) => unknown
  parent: { document: { title: string } }
}

/** The script of an anti-fraud service in a real browser, and the payment for which the service finds what it has learnt. */
const standIn = createStandIn({ now: () => new Date() })
let listening: Awaited<ReturnType<typeof standIn.listen>>
let cashier: Cashier

describe.skipIf(!hasBrowser)('the script of an anti-fraud service', () => {
  beforeAll(async () => {
    listening = await standIn.listen(0)
    cashier = await openCashier()
    const fields = { ...STAND_IN_ACCOUNT, stand_in_url: listening.origin }
    const made = await cashier.service.send('POST /anti-fraud-services', {
      display_name: 'Sift',
      anti_fraud_service_definition_id: 'sift-anti-fraud',
      fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
    })
    expect(made.statusCode, made.body).toBe(201)
  })
  afterAll(async () => {
    await cashier.close()
    await listening.close()
  })

  /** The values under which browsers have sent something. */
  const seen = () => standIn.seen.flatMap(([name, value]) => (name === '_setSessionId' ? [value] : []))
  const judged = () => [...standIn.orders.values()].map((order) => order['$session_id'])

  test('runs beside our page in a frame that cannot reach it, and the order names its value', async () => {
    const { path } = await openHostedPage(cashier.service)

    await browse(cashier.browser, {}, async (page) => {
      await page.goto(`${cashier.origin}${path}`)
      await expect.poll(() => seen().length).toBe(1)
      const frame = page.frames().find((one) => one.url().includes('/f.html'))
      const reach = () =>
        frame?.evaluate(() => {
          try {
            return window.parent.document.title
          } catch (error) {
            return (error as Error).name
          }
        })
      expect(await reach()).toBe('SecurityError')
      await page.getByLabel('Card number', { exact: true }).pressSequentially(CARD.number)
      await page.getByLabel('Expiry date').pressSequentially('1240')
      await page.getByLabel('Security code').pressSequentially('737')
      await page.locator('button.pay').click()
      await page.locator('.notice h1').filter({ hasText: 'Paid' }).waitFor()
    })

    expect(judged()).toEqual(seen())
    expect(JSON.stringify(standIn.seen)).not.toContain('4111')
  })

  test('runs in a page of the shop, whose value the form in it sends', async () => {
    const before = seen().length

    await visitShop(cashier.browser, { html: SHOP }, async (page) => {
      const { url } = await openFor(cashier, page)
      await page.addScriptTag({ url: `${cashier.origin}/f.js` })
      await page.addScriptTag({
        type: 'module',
        content: `import { checkout } from '${cashier.origin}/embed.js'; window.checkout = checkout`,
      })
      const value = await page.evaluate(() => window.switchyardAntiFraud.f)
      await expect.poll(() => page.evaluate(() => typeof window.checkout)).toBe('function')
      await page.evaluate(
        ({ url, antiFraudFingerprint }) => {
          const shop = window as unknown as { told: object[]; form: EventTarget }
          shop.told = []
          shop.form = window.checkout({ url, place: '#place', antiFraudFingerprint }) as EventTarget
          for (const name of ['ready', 'paid'])
            shop.form.addEventListener(name, () => void shop.told.push({ name }))
        },
        { url, antiFraudFingerprint: value },
      )
      await until(page, 'ready')
      await payIn(page)
      await until(page, 'paid')
      await formIn(page).getByText('Visa •••• 1111').waitFor()

      // Once for the page of the shop: our own page loads nothing more.
      expect(seen().slice(before)).toEqual([value])
      expect(judged().at(-1)).toBe(value)
    })
  })
})
