import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityProblems } from '#testing/browse.ts'
import { hasBrowser } from '#testing/browser.ts'
import { holdProcessorLine } from '#testing/processor-line.ts'
import { signIn } from '#testing/sign-in.ts'
import { type Desk, openDesk } from '../../testing/dashboard.ts'

let desk: Desk

const ADA = { buyer: { display_name: 'Ada Park', billing_details: { first_name: 'Ada', last_name: 'Park' } } }
const SUSPECT = {
  buyer: { display_name: 'Ada Park', billing_details: { email_address: 'review@shop.example' } },
  intent: 'capture',
}

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const answer = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name, exact: true }).last().click()
const isClosed = (page: Page) => expect.poll(() => dialog(page).count()).toBe(0)

/** Lets the service do what the browser asked for. The browser does not hear of it. */
async function passOn(route: Route): Promise<void> {
  const request = route.request()
  await desk.service.app.inject({
    method: 'POST',
    url: new URL(request.url()).pathname,
    headers: await request.allHeaders(),
    payload: request.postData() ?? '',
  })
}

describe.skipIf(!hasBrowser)('what people do with a payment', () => {
  beforeAll(async () => {
    desk = await openDesk()
    await desk.service.send('POST /anti-fraud-services', {
      display_name: 'Watchful',
      anti_fraud_service_definition_id: 'mock-anti-fraud',
      reviews_enabled: true,
      fields: [],
    })
  })
  afterAll(() => desk.close())

  const at = (id: string, work: (page: Page) => Promise<void>, options = {}) =>
    desk.visit(`/transactions/${id}`, work, options)
  const refundsOf = async (id: string) =>
    (await desk.service.send(`GET /transactions/${id}/refunds`)).json().items
  const captured = () => desk.till.pay({ ...ADA, intent: 'capture' })

  test('captures a part, and keeps the rest', async () => {
    const { id } = await desk.till.pay(ADA)
    await at(id, async (page) => {
      await press(page, 'Capture')
      expect(await dialog(page).getByRole('heading').textContent()).toBe('Capture up to $10.00 from Ada Park')
      await page.getByLabel('Amount').fill('4.00')
      await page.getByLabel('Keep the remainder').check()
      await answer(page, 'Capture')
      await isClosed(page)
      await page.getByText('$6.00 can still be captured').waitFor()
    })

    expect(await desk.till.get(id)).toMatchObject({ captured_amount: 400, capturable_amount: 600 })
  })

  test('releases what a capture has left', async () => {
    const { id } = await desk.till.pay(ADA)
    await desk.till.act(id, 'capture', { amount: 400, final: false })
    await at(id, async (page) => {
      await press(page, 'More actions')
      await press(page, 'Release remainder')
      expect(await dialog(page).getByRole('heading').textContent()).toBe('Release $6.00 to Ada Park')
      await answer(page, 'Release')
      await isClosed(page)
    })

    expect(await desk.till.get(id)).toMatchObject({ status: 'capture_succeeded', capturable_amount: 0 })
  })

  test('captures all, and asks for an amount that can be read', async () => {
    const { id } = await desk.till.pay(ADA)
    await at(id, async (page) => {
      await press(page, 'Capture')
      await page.getByLabel('Amount').fill('4.001')
      await answer(page, 'Capture')
      await page.getByText('Type an amount in USD, such as 12.50.').waitFor()
      await page.getByLabel('Amount').fill('10')
      await answer(page, 'Capture')
      await isClosed(page)
    })

    expect(await desk.till.get(id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
  })

  test('refunds a part with a reason, under the name of the user', async () => {
    const { id } = await captured()
    await at(id, async (page) => {
      await press(page, 'Refund')
      expect(await dialog(page).getByRole('heading').textContent()).toBe('Refund up to $10.00 to Ada Park')
      expect(await accessibilityProblems(page)).toEqual([])
      await page.getByLabel('Amount').fill('2,50')
      await page.getByLabel('Reason').fill('One pair was damaged')
      await answer(page, 'Refund')
      await isClosed(page)
      await page.getByText('Refunded $2.50 to Ada Park').waitFor()
      expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0)
      await page.getByText('Refund of $2.50 requested by Mara Lind').waitFor()
      await page.getByText('Part refunded').first().waitFor()
    })

    expect(await refundsOf(id)).toMatchObject([
      { amount: 250, reason: 'One pair was damaged', status: 'succeeded', creator: { name: 'Mara Lind' } },
    ])
  })

  test('shows the reason of the server beside the field', async () => {
    const { id } = await captured()
    await at(
      id,
      async (page) => {
        await press(page, 'Refund')
        await page.getByLabel('Reason').fill('x'.repeat(2_000))
        await answer(page, 'Refund')
        await dialog(page)
          .locator('.field', { hasText: 'Reason' })
          .getByText(/at most|characters/)
          .waitFor()
        await page.getByLabel('Reason').fill('short')
        await answer(page, 'Refund')
        await isClosed(page)
      },
      { errors: [/400/] },
    )

    expect(await refundsOf(id)).toMatchObject([{ amount: 1000, reason: 'short' }])
  })

  test('voids an authorization', async () => {
    const { id } = await desk.till.pay(ADA)
    await at(id, async (page) => {
      await press(page, 'Void')
      expect(await dialog(page).getByRole('heading').textContent()).toBe('Void $10.00 of Ada Park')
      await answer(page, 'Void')
      await isClosed(page)
      await page.getByText('Voided').first().waitFor()
    })

    expect(await desk.till.get(id)).toMatchObject({ status: 'authorization_voided' })
  })

  test('asks the payment service again', async () => {
    const { id: payment_service_id } = await desk.till.addService({ extended: 'true' })
    const line = holdProcessorLine(desk.service)
    line.intercept(async () => {
      throw new Error('the connection was lost')
    })
    const { id } = await desk.till.pay({ ...ADA, payment_service_id })
    line.repair()
    await at(id, async (page) => {
      await press(page, 'Sync with the service')
      await answer(page, 'Sync')
      await isClosed(page)
      await page.getByText('Synced with the payment service').waitFor()
    })

    expect(await desk.till.history(id)).toContain('transaction-sync-event')
  })

  test.each([
    ['Accept', 'capture_succeeded'],
    ['Reject', 'authorization_voided'],
  ])('ends a review: %s', async (decision, status) => {
    const { id } = await desk.till.pay(SUSPECT)
    await at(id, async (page) => {
      await page.getByText('This payment needs a review').waitFor()
      await press(page, decision)
      expect(await dialog(page).getByRole('heading').textContent()).toBe(`${decision} $10.00 of Ada Park`)
      await answer(page, decision)
      await isClosed(page)
    })

    expect(await desk.till.get(id)).toMatchObject({ status, pending_review: false })
  })

  test('sends once, however often it is clicked', async () => {
    const { id } = await captured()
    await at(id, async (page) => {
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.url())
      })
      await press(page, 'Refund')
      await dialog(page).getByRole('button', { name: 'Refund', exact: true }).dblclick()
      await isClosed(page)

      expect(sent).toHaveLength(1)
    })

    expect(await refundsOf(id)).toHaveLength(1)
  })

  test('shows a lost answer as waiting, and asks again with the same key', async () => {
    const { id } = await captured()
    const keys: (string | undefined)[] = []
    await at(
      id,
      async (page) => {
        await page.route('**/refunds', async (route: Route) => {
          if (route.request().method() !== 'POST') return route.continue()
          keys.push(route.request().headers()['idempotency-key'])
          if (keys.length > 1) return route.continue()
          await passOn(route)
          return route.abort()
        })
        await press(page, 'Refund')
        await answer(page, 'Refund')
        await page.getByText('Waiting: we do not know yet whether this was done').waitFor()
        expect(await dialog(page).textContent()).not.toContain('failed')
        expect(await page.getByLabel('Amount').isDisabled()).toBe(true)
        await answer(page, 'Ask again')
        await isClosed(page)
      },
      { errors: [/ERR_FAILED/] },
    )

    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    expect(await refundsOf(id)).toHaveLength(1)
  })

  test('shows a 503 as waiting', async () => {
    const { id } = await captured()
    await at(
      id,
      async (page) => {
        let isFirst = true
        await page.route('**/refunds', (route: Route) => {
          if (route.request().method() !== 'POST' || !isFirst) return route.continue()
          isFirst = false
          const json = {
            type: 'error',
            code: 'service_unavailable',
            status: 503,
            message: 'Busy',
            details: [],
          }
          return route.fulfill({ status: 503, json, headers: { 'x-request-id': 'busy-request' } })
        })
        await press(page, 'Refund')
        await answer(page, 'Refund')
        await page.getByText('The server cannot answer right now').waitFor()
        await page.getByRole('button', { name: 'Copy busy-request' }).waitFor()
        await answer(page, 'Ask again')
        await isClosed(page)
      },
      { errors: [/503/] },
    )

    expect(await refundsOf(id)).toHaveLength(1)
  })

  test('shows a refund that the provider has not decided as waiting', async () => {
    const { id } = await captured()
    const line = holdProcessorLine(desk.service)
    line.intercept(async () => {
      throw new Error('the connection was lost')
    })
    await at(id, async (page) => {
      await press(page, 'Refund')
      await answer(page, 'Refund')
      await dialog(page).getByText('Waiting for the payment service').waitFor()
      await answer(page, 'Close')
      await page.getByText('waiting for the payment service').first().waitFor()
    })
    line.repair()

    expect(await refundsOf(id)).toMatchObject([{ status: 'processing' }])
  })

  test('says that a payment has changed while its dialog was open', async () => {
    const { id } = await captured()
    await at(id, async (page) => {
      await press(page, 'Refund')
      await desk.till.act(id, 'refunds', { amount: 700 })
      await answer(page, 'Refund')
      await page.getByText('This has changed since you opened it').waitFor()
      await page.getByText('Now: Part refunded, $10.00 authorized, $10.00 captured, $7.00 refunded').waitFor()
      expect(await refundsOf(id)).toHaveLength(1)
      await answer(page, 'Continue')
      await page.getByLabel('Amount').fill('3.00')
      await answer(page, 'Refund')
      await isClosed(page)
    })

    expect(await desk.till.get(id)).toMatchObject({ refunded_amount: 1000 })
  })

  test('is hidden from those who may only read', async () => {
    const { id } = await captured()
    const user = await signIn(desk.service, { roles: ['analyst'] })
    await at(
      id,
      async (page) => {
        await page.getByText('Payment requested').waitFor()
        expect(await page.getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0)
      },
      { user },
    )
  })
})
