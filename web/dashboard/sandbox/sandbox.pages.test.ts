import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startJobs } from '#platform/process/jobs.ts'
import { sandbox } from '#sandbox/open.ts'
import { hasBrowser } from '#testing/browser.ts'
import { jobNeedsOf } from '#testing/sandbox-clock.ts'
import { signIn } from '#testing/sign-in.ts'
import { listJobs } from '../../../server/src/app.ts'
import { type Desk, looksRight, openDesk } from '../../testing/dashboard.ts'

const PANEL = '/developers/sandbox'
const DAY_MS = 86_400_000

let desk: Desk
let jobs: ReturnType<typeof startJobs>

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const dialog = (page: Page) => page.getByRole('dialog')
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

describe.skipIf(!hasBrowser)('the sandbox panel', () => {
  beforeAll(async () => {
    desk = await openDesk({ hasSandboxClock: true })
    // Before its first move, the clock waits for all processes. It has moved already.
    await desk.service.context.db.updateTable('sandbox_clock').set({ offset_ms: '1' }).execute()
    const needs = jobNeedsOf(desk.service)
    jobs = startJobs(
      listJobs(sandbox).filter(({ name }) => ['move-sandbox-clock', 'fill-sandbox'].includes(name)),
      needs,
      { ...needs, catchUp: desk.service.context.clock.catchUp },
    )
  })
  afterAll(async () => {
    await jobs.stop()
    await desk.close()
  })

  test('moves the clock, shows what fell due, and other pages follow it', async () => {
    const link = await desk.service.send('POST /payment-links', {
      amount: 1299,
      currency: 'USD',
      country: 'US',
    })
    const held = await desk.till.pay()
    await desk.visit(PANEL, async (page) => {
      await press(page, '+ a week')
      await inDialog(page, 'Move the clock')
      const due = section(page, 'What happened on the way')
      await due.getByText('transaction.voided').waitFor({ timeout: 60_000 })
      await section(page, 'Clock').getByText('7 days ahead of real time').waitFor()
      expect((await desk.till.get(held.id)).status).toBe('authorization_voided')

      await page.goto(`${desk.origin}/dashboard/transactions/${held.id}`)
      await page.getByText('Voided').first().waitFor()
      const { id } = await desk.till.pay()
      await page.goto(`${desk.origin}/dashboard/transactions/${id}`)
      await page.locator('.under').getByText('just now').waitFor()
    })
    expect(link.statusCode).toBe(201)
    const { now, real_time } = (await desk.service.send('GET /sandbox/clock')).json()
    expect(Date.parse(now) - Date.parse(real_time)).toBeGreaterThan(6 * DAY_MS)
  }, 120_000)

  test('declines the next payment, loses the next answer, and sends the notification late', async () => {
    await desk.visit(PANEL, async (page) => {
      const card = section(page, 'Next payment')
      await card.getByLabel('Reason', { exact: true }).selectOption('suspected fraud')
      await press(page, 'Set outcome')
      await card.getByText('Payment: suspected fraud').waitFor()
      await card.getByText('Lose the answer').click()
      await press(page, 'Set outcome')
      await card.getByText('Payment: lose the answer').waitFor()

      const declined = await desk.till.pay()
      const lost = await desk.till.pay({ intent: 'capture' })
      expect([declined.status, declined.error_code]).toEqual(['authorization_declined', 'suspected_fraud'])
      expect(lost.status).toBe('processing')

      await page.goto(`${desk.origin}/dashboard/transactions/${lost.id}`)
      await page.getByText('Waiting for the payment service').waitFor()
      await press(page, 'Send a notification')
      await inDialog(page, 'Send')
      await page.getByText('“authorization.succeeded” was accepted').waitFor()
      await dialog(page).getByText('Close').click()
      await page.locator('.under').getByText('Captured').waitFor()
    })
  })

  test('opens a chargeback, and has it reversed', async () => {
    const service = await desk.till.addService({ merchant_id: 'disputed', dispute_notifications: 'true' })
    const { id } = await desk.till.pay({ intent: 'capture', payment_service_id: service.id })
    await desk.visit(`/transactions/${id}`, async (page) => {
      await press(page, 'Open a chargeback')
      await dialog(page).getByLabel('Amount').fill('4.00')
      await dialog(page).getByLabel('Reason').selectOption('duplicate')
      await inDialog(page, 'Open chargeback')
      await page.getByText('$4.00 was charged back').waitFor()
      await press(page, 'Send a notification')
      await inDialog(page, 'Send')
      await page.getByText('“chargeback” was accepted').waitFor()
      await dialog(page).getByText('Close').click()
      await page.locator('.under').getByText('Disputed').waitFor()
      await press(page, 'Reverse the chargeback')
      await inDialog(page, 'Reverse')
      await page.getByText('$4.00 was returned').waitFor()
    })
    const { items } = (await desk.service.send(`GET /transactions/${id}/chargebacks`)).json()
    expect(items).toMatchObject([{ amount: -400 }])
  })

  test('fills the sandbox with history, and says how far it is', async () => {
    await desk.visit(PANEL, async (page) => {
      await press(page, 'Fill with sample data')
      await dialog(page).getByLabel('Days').fill('1')
      await dialog(page).getByLabel('Payments').fill('12')
      await inDialog(page, 'Fill')
      await page.getByText('The last fill is complete').waitFor({ timeout: 90_000 })
      await page.getByText(/^12 payments in 1 days/).waitFor()
    })
    const keys = (await desk.service.send('GET /api-key-pairs?limit=100')).json()
    expect(keys.items.map(({ display_name }: { display_name: string }) => display_name)).not.toContain(
      'Sandbox history',
    )
  }, 120_000)

  test('is not there in production, nor for those who may not', async () => {
    const analyst = await signIn(desk.service, { roles: ['analyst'] })
    const links = (page: Page) => page.getByRole('navigation').getByRole('link', { name: 'Sandbox' }).count()
    await desk.visit(
      '/transactions',
      async (page) => {
        await heading(page, 'Transactions')
        expect(await links(page)).toBe(0)
      },
      { user: analyst },
    )
    await desk.visit('/transactions', async (page) => {
      await heading(page, 'Transactions')
      expect(await links(page)).toBe(1)
      const { headers } = desk.user
      const me = await desk.service.send('GET /users/me', undefined, { token: null, headers })
      const json = { ...me.json(), environment: 'production' }
      await page.route('**/users/me', (route) => route.fulfill({ json }))
      await page.goto(`${desk.origin}/dashboard${PANEL}`)
      await page.getByRole('heading', { name: 'This is production' }).waitFor()
      expect(await links(page)).toBe(0)
    })
  })

  test('is right for everybody', { timeout: 60_000 }, async () => {
    const { id } = await desk.till.pay({ intent: 'capture' })
    for (const path of [
      `${PANEL}?from=2026-01-01T00:00:00.000Z&to=2100-01-01T00:00:00.000Z`,
      `/transactions/${id}`,
    ])
      await looksRight(desk, path, async (page) => {
        await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
        await page.getByRole('button', { name: 'Send a notification' }).waitFor()
      })
  })
})
