import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '#testing/browser.ts'
import { startReceiver } from '#testing/receiver.ts'
import { CARD } from '#testing/till.ts'
import { type Desk, looksRight, openDesk } from '../../testing/dashboard.ts'

let desk: Desk
/** Their ids, by the name of the buyer. */
const paid: Record<string, string> = {}

const HOSTILE = `"><img src=x onerror="document.title='taken'"><script>document.title='taken'</script>\${7*7}=1+1`

const rows = (page: Page) => page.locator('tbody tr:not(.skeleton)')
const references = (page: Page) => page.locator('tbody tr:not(.skeleton) td .mono').allTextContents()
const shows = (page: Page, expected: readonly string[]) =>
  expect.poll(() => references(page)).toEqual([...expected])

describe.skipIf(!hasBrowser)('payments in the dashboard', () => {
  beforeAll(async () => {
    desk = await openDesk()
    await desk.service.send('POST /merchant-accounts', { id: 'harbour', display_name: 'Harbour Goods' })
    const make = async (name: string, body: object) => {
      const { id } = await desk.till.pay({ external_identifier: `order-${name}`, ...body })
      paid[name] = id
    }
    await make('ada', { buyer: { display_name: 'Ada Park' }, intent: 'capture', amount: 2598 })
    await make('omar', { buyer: { display_name: 'Omar Haddad' }, amount: 1000, currency: 'EUR' })
    await make('declined', { amount: 200_011 })
    await make('refunded', { intent: 'capture', amount: 5000 })
    await desk.till.act(paid['refunded'] ?? '', 'refunds', { amount: 1500, reason: 'Damaged' })
  })
  afterAll(() => desk.close())

  test('are listed, newest first, with a reason where one was declined', async () => {
    await desk.visit('/transactions', async (page) => {
      await shows(page, ['order-refunded', 'order-declined', 'order-omar', 'order-ada'])
      expect(await rows(page).nth(1).textContent()).toContain('Declined')
      expect(await rows(page).nth(1).textContent()).toContain('insufficient funds')
      expect(await rows(page).nth(0).textContent()).toContain('Part refunded')
      expect(await rows(page).nth(2).textContent()).toContain('€10.00')
    })
  })

  test('are narrowed by chips, which stay in the address and survive a reload', async () => {
    await desk.visit('/transactions', async (page) => {
      await page.getByRole('button', { name: 'Status' }).click()
      await page.getByLabel('Captured').check()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Created' }).click()
      await page.getByLabel('Last 24 hours').click()
      await page.getByRole('button', { name: 'Amount', exact: true }).click()
      await page.getByLabel('From').fill('20')
      await page.getByLabel('To', { exact: true }).fill('30.00')
      await page.getByLabel('Currency').fill('usd')
      await page.getByRole('button', { name: 'Apply' }).click()
      await shows(page, ['order-ada'])

      await page.reload()

      await shows(page, ['order-ada'])
      const address = new URL(page.url()).searchParams
      expect(Object.fromEntries(address)).toEqual({
        status: 'capture_succeeded',
        created_at: '24h',
        amount: '20..30.00',
        currency: 'USD',
      })
      await page.getByRole('button', { name: 'Remove the filter Amount' }).click()
      await shows(page, ['order-refunded', 'order-ada'])
      await page.getByRole('button', { name: 'Clear' }).click()
      await expect.poll(() => new URL(page.url()).search).toBe('')
    })
  })

  test('are narrowed by a filter that is not usual, and by a view', async () => {
    await desk.visit('/transactions', async (page) => {
      await page.getByRole('button', { name: 'More filters' }).click()
      await page.getByLabel('Find a filter').fill('last four')
      await page.getByRole('button', { name: 'Last four digits', exact: true }).click()
      await page.getByLabel('Last four digits').fill(CARD.number.slice(-4))
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect.poll(() => page.url()).toContain('payment_method_label=1111')

      await page.getByRole('link', { name: 'Declined' }).click()
      await shows(page, ['order-declined'])
      expect(page.url()).not.toContain('payment_method_label')

      const list = page.url()
      await rows(page).first().getByRole('link').click()
      await page.locator('.crumb', { hasText: 'Transactions' }).click()
      await expect.poll(() => page.url()).toBe(list)
    })
  })

  test('say when no payment fits, and when there is none', async () => {
    await desk.visit('/transactions?search=order-nowhere', async (page) => {
      await page.getByText('No results for these filters').waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await shows(page, ['order-refunded', 'order-declined', 'order-omar', 'order-ada'])
    })
    await desk.visit('/transactions?account=harbour', (page) => page.getByText('No payments yet').waitFor())
  })

  test('are saved as CSV, in the columns that are shown', async () => {
    await desk.visit('/transactions?status=authorization_succeeded', async (page) => {
      await shows(page, ['order-omar'])
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByLabel('Service').uncheck()
      await page.getByLabel('Created').uncheck()
      await page.getByLabel('Currency').check()
      await page.keyboard.press('Escape')
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'CSV' }).click()

      expect(readFileSync(await (await download).path(), 'utf8')).toBe(
        'Amount,Currency,Status,Paid with,Buyer,Reference\r\n' +
          '10.00,EUR,Authorized,Visa •••• 1111,Omar Haddad,order-omar\r\n',
      )
    })
  })

  test('are read page by page, there and back, by the address', async () => {
    const account = 'harbour'
    const service = { display_name: 'Cards', payment_service_definition_id: 'mock-card' }
    await desk.service.send(
      'POST /payment-services',
      {
        ...service,
        fields: [{ key: 'merchant_id', value: 'shop' }],
        accepted_currencies: ['USD'],
        accepted_countries: ['US'],
      },
      { account },
    )
    for (let number = 1; number <= 51; number += 1) {
      await desk.till.pay({ external_identifier: `harbour-${number}` }, { account })
    }
    await desk.visit('/transactions?account=harbour', async (page) => {
      await expect.poll(() => rows(page).count()).toBe(50)
      await page.getByRole('button', { name: 'Older' }).click()
      await shows(page, ['harbour-1'])
      expect(page.url()).toContain('cursor=')
      await page.reload()
      await shows(page, ['harbour-1'])
      await page.getByRole('button', { name: 'Newer' }).click()
      await expect.poll(() => rows(page).count()).toBe(50)
    })
  })

  test('ask for a shorter period when a search is too broad', async () => {
    await desk.visit(
      '/transactions',
      async (page) => {
        const details = [
          {
            location: 'query',
            pointer: '/created_at_gte',
            type: 'value_error.missing',
            message: 'query too broad',
          },
        ]
        const json = { type: 'error', code: 'bad_request', status: 400, message: 'Request failed', details }
        await page.route('**/transactions?*search=slow*', (route) =>
          route.fulfill({ status: 400, json, headers: { 'x-request-id': 'slow-request' } }),
        )
        await page.getByLabel('Id, reference').fill('slow')
        await page.getByRole('heading', { name: 'Choose a shorter period' }).waitFor()
        await page.getByRole('button', { name: 'Copy slow-request' }).waitFor()
        await page.getByLabel('Id, reference').fill('order-ada')
        await shows(page, ['order-ada'])
      },
      { errors: [/400/] },
    )
  })

  test('are told as a story, with amounts, answers of providers and webhooks', async () => {
    const receiver = await startReceiver()
    await desk.service.send('POST /webhook-subscriptions', { url: receiver.url })
    const { id } = await desk.till.pay({
      buyer: { display_name: 'Ines Berg' },
      intent: 'capture',
      amount: 4000,
    })
    await desk.till.act(id, 'refunds', { amount: 1000, reason: 'Too small' })
    await desk.visit(`/transactions/${id}`, async (page) => {
      const story = page.locator('.timeline')
      for (const text of [
        'Payment requested',
        'Authorization approved by Simulator',
        'Refund of $10.00 requested by Test key',
        'Too small',
        'Refund approved by Simulator',
        'Webhook transaction.captured on its way',
      ])
        await story.getByText(text, { exact: true }).first().waitFor()
      expect(await page.locator('.track').textContent()).toBe(
        'Requested$40.00Authorized$40.00Captured$40.00Refunded$10.00',
      )
      const widths = await page.locator('.track i').evaluateAll((bars) => bars.map((bar) => bar.style.width))
      expect(widths).toEqual(['100%', '100%', '100%', '25%'])

      await page.getByRole('tab', { name: 'Provider exchanges' }).click()
      await page.locator('.exchange summary', { hasText: 'authorize' }).first().click()
      await page.getByText('200', { exact: true }).first().waitFor()
      expect(await page.content()).not.toContain(CARD.number)

      await page.getByRole('tab', { name: 'JSON' }).click()
      await page.reload()
      await page.locator('.json-tree').getByText('"transaction"').waitFor()

      await page.getByRole('tab', { name: 'Timeline' }).click()
      await story.getByRole('link', { name: 'Webhook transaction.captured' }).click()
      await page.getByRole('heading', { level: 1, name: 'transaction.captured' }).waitFor()
    })
    await receiver.close()
  })

  test('say by which rule one went to its service', async () => {
    const { send } = desk.service
    const rules = '/flows/card-transaction/actions/route-transaction/rules'
    const [{ id: service }] = (await send('GET /payment-services')).json().items
    const outcome = {
      type: 'card-routing',
      version: 2,
      result: [{ payment_service_id: service, instrument: 'pan' }],
    }
    const rare = { name: 'currency', operator: 'is_one_of', value: ['EUR'] }
    const made = [
      await send(`POST ${rules}`, { description: 'Euros <b>first</b>', conditions: [rare], outcome }),
      await send(`POST ${rules}`, { description: 'All others', conditions: [], outcome }),
    ].map((response) => response.json().id)
    const { id } = await desk.till.pay({})
    for (const rule of made) await send(`DELETE ${rules}/${rule}`)

    await looksRight(desk, `/transactions/${id}?tab=decision`, async (page) => {
      await page.getByText('The rule “All others” sent the payment to Simulator.').waitFor()
      const passed = 'The rule “Euros <b>first</b>” was passed over: it wants that the currency is EUR.'
      await page.getByText(passed).waitFor()
      await page.getByText('Simulator was asked.').waitFor()
    })
  })

  test('say why one was declined', async () => {
    await desk.visit(`/transactions/${paid['declined']}`, async (page) => {
      await page.getByText('Declined: insufficient funds').waitFor()
      await page.getByText('The buyer can pay later or use another card.').waitFor()
      await page.getByText('Simulator answered 200011 · insufficient_funds').waitFor()
    })
  })

  test('say which services were skipped, and why', async () => {
    const account = 'harbour'
    const { id } = await desk.till.pay({ currency: 'EUR' }, { account })
    await desk.visit(`/transactions/${id}?account=${account}`, async (page) => {
      const story = page.locator('.timeline')
      await story.getByText('Cards was skipped', { exact: true }).waitFor()
      await story.getByText('it does not accept the currency').waitFor()
    })
  })

  test('have amounts written one way everywhere', async () => {
    const { id } = await desk.till.pay({ currency: 'AUD', amount: 12_950 })
    await desk.visit(`/transactions/${id}`, async (page) => {
      await page.getByRole('heading', { level: 1, name: 'A$129.50', exact: true }).waitFor()
    })
    await desk.visit('/transactions', (page) => rows(page).getByText('A$129.50', { exact: true }).waitFor())
  })

  test('have dates and amounts as the browser writes them, in English words', async () => {
    const german = { locale: 'de-DE', timezoneId: 'Europe/Berlin' }
    await desk.visit(
      `/transactions/${paid['ada']}`,
      async (page) => {
        await page.getByRole('heading', { level: 1, name: '25,98 $' }).waitFor()
        const day = await page.locator('.timeline time small').first().textContent()
        expect(day).toMatch(/^\d\d\.\d\d\.\d{4}$/)
        await page.getByText('Authorization approved by Simulator').waitFor()
        await page.getByRole('button', { name: 'Refund', exact: true }).click()
        expect(await page.getByLabel('Amount').inputValue()).toBe('25,98')
      },
      german,
    )
  })

  test('say in words why a refund failed, and what to do', async () => {
    const { id } = await desk.till.pay({ intent: 'capture', amount: 600_000 })
    await desk.visit(`/transactions/${id}`, async (page) => {
      await page.getByRole('button', { name: 'Refund', exact: true }).click()
      await page.getByLabel('Amount').fill('5200.02')
      await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click()
      await page.getByText('The buyer’s bank refused the refund').waitFor()
    })
    const [refund] = (await desk.service.send(`GET /transactions/${id}/refunds`)).json().items
    await desk.visit(`/refunds/${refund.id}`, async (page) => {
      await page.getByText('Declined: issuer decline').waitFor()
      await page.getByText('pay the buyer back another way').waitFor()
    })
  })

  test('of another account are not found', async () => {
    await desk.visit(
      `/transactions/${paid['ada']}?account=harbour`,
      async (page) => {
        await page.getByRole('heading', { name: 'Not found' }).waitFor()
        expect(await page.content()).not.toContain('order-ada')
      },
      { errors: [/404/] },
    )
  })

  test('show hostile text as text', async () => {
    const text = HOSTILE.slice(0, 150)
    const { id } = await desk.till.pay({
      external_identifier: text,
      metadata: { [text.slice(0, 20)]: text },
      statement_descriptor: { name: 'FASHION STORE' },
      cart_items: [{ name: text, quantity: 1, unit_amount: 1000 }],
      buyer: {
        display_name: text,
        external_identifier: text,
        billing_details: { first_name: text, last_name: text },
      },
      intent: 'capture',
    })
    await desk.till.act(id, 'refunds', { amount: 1, reason: text })
    await desk.visit(`/transactions/${id}`, async (page) => {
      await page.locator('.timeline').getByText(text).first().waitFor()
      expect(await page.locator('.facts').getByText(text).count()).toBeGreaterThan(2)
      await page.getByRole('button', { name: 'Refund', exact: true }).click()
      expect(await page.getByRole('dialog').getByRole('heading').textContent()).toContain(text)
      expect(await page.title()).not.toBe('taken')
      expect(await page.locator('img[src=x]').count()).toBe(0)
    })
    await desk.visit('/transactions', async (page) => {
      await page.locator('tbody').getByText(text).last().waitFor()
      expect(await page.title()).not.toBe('taken')
    })
    await looksRight(desk, `/transactions/${id}`, (page) =>
      page.locator('.timeline').getByText(text).first().waitFor(),
    )
  })

  test('are right for everybody: the list, its filters, and one of them', async () => {
    await looksRight(desk, '/transactions?status=capture_succeeded', (page) => rows(page).first().waitFor())
    await looksRight(desk, '/transactions', async (page) => {
      await page.getByRole('button', { name: 'Created' }).click()
      await page.getByLabel('Last 24 hours').waitFor()
    })
    await looksRight(desk, `/transactions/${paid['refunded']}?tab=exchanges`, (page) =>
      page.locator('.exchange').first().waitFor(),
    )
  })
})
