import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMailer } from '#platform/mail/mailer.ts'
import { browse, problemsInBothSchemes } from '#testing/browse.ts'
import { hasBrowser } from '#testing/browser.ts'
import { openHostedPage } from '#testing/hosted-page.ts'
import { openPostOffice, type Post } from '#testing/smtp-server.ts'
import { CARD } from '#testing/till.ts'
import { type Cashier, openCashier } from '../testing/cashier.ts'

let cashier: Cashier
let office: Post

describe.skipIf(!hasBrowser)('a receipt by e-mail', () => {
  beforeAll(async () => {
    office = await openPostOffice()
    cashier = await openCashier({ mailer: openMailer({ url: office.url, from: 'pay@shop.example' }) })
  })
  afterAll(async () => {
    await cashier.close()
    await office.close()
  })

  test.each(['en', 'ar'])('is asked for with an address, which is checked, in %s', async (locale) => {
    const { path } = await openHostedPage(
      cashier.service,
      {},
      { locale, return_url: 'https://shop.example.com/thanks' },
    )
    await browse(cashier.browser, { errors: [/400/] }, async (page) => {
      await page.goto(`${cashier.origin}${path}`)
      await page.locator('[name=number]').fill(CARD.number)
      await page.locator('[name=expiry]').fill('12/40')
      await page.locator('[name=code]').fill('737')
      await page.locator('button.pay').click()
      await page.locator('.notice.good .second').last().click()
      const address = page.locator('input[name=email]')
      await address.fill('mara')
      await page.keyboard.press('Enter')
      await page.locator('.mail .wrong').waitFor()
      expect(await problemsInBothSchemes(page)).toEqual([])
      await address.fill('mara@example.com')
      await page.keyboard.press('Enter')
      await page.getByText('mara@example.com').waitFor()
      expect(await address.count()).toBe(0)
      expect(page.url()).toContain(path)
    })
    const rows = await cashier.service.database.db.selectFrom('mails').select('topic').execute()
    expect(rows.length).toBeGreaterThan(0)
  })
})
