import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '#testing/browser.ts'
import { type Monitor, openMonitor } from '#testing/monitor.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { openReports } from '#testing/reports.ts'
import { type SignedInUser, signIn } from '#testing/sign-in.ts'
import { type Desk, looksRight, openDesk } from '../testing/dashboard.ts'

const HOSTILE = '<img src=x onerror=alert(1)> "Ada" & =1+1'
const DECLINED = 200_011
/** The simulator leaves a payment of this amount undecided. */
const UNDECIDED = 600_002
const MINUTE_MS = 60_000
const MASTERCARD = {
  method: 'card',
  number: '5555555555554444',
  expiration_date: '12/40',
  security_code: '737',
}

let desk: Desk
let monitor: Monitor
let reports: ReturnType<typeof openReports>
/** Whose home has something: others see less. */
let analyst: SignedInUser

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const dialog = (page: Page) => page.getByRole('dialog')
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).click()
const tile = (page: Page, name: string) => page.locator('.tile', { hasText: name })
const slider = (page: Page) => page.getByRole('slider').first()
const rowsOf = (page: Page) => page.locator('tbody tr:not(.skeleton)')

async function read(route: string) {
  const response = await desk.service.send(route)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

async function savedText(page: Page, begin: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), begin()])
  return readFileSync(await download.path(), 'utf8')
}

/** A day of the tests does not end during them. The user signs in after the clock was moved, because sessions end. */
async function openToday(): Promise<Desk> {
  const opened = await openDesk()
  const now = opened.service.context.clock()
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
  const left = midnight.getTime() - now.getTime()
  if (left < 30 * MINUTE_MS) opened.service.moveClock(left + MINUTE_MS)
  const user = await signIn(opened.service)
  return { ...opened, user, visit: (path, work, options) => opened.visit(path, work, { user, ...options }) }
}

describe.skipIf(!hasBrowser)('home, insights, reports and monitors', () => {
  beforeAll(async () => {
    desk = await openToday()
    monitor = openMonitor(desk.service)
    reports = openReports(desk.service)
    await desk.service.send('POST /merchant-accounts', { id: 'quiet', display_name: 'Quiet' })
    const service = await desk.till.addService({ merchant_id: 'both' })
    const payment_service_id = service.id
    await desk.till.pay({ amount: 1_000, payment_service_id })
    await desk.till.pay({ amount: 2_550, payment_service_id })
    await desk.till.pay({ amount: 3_000, payment_service_id, payment_method: MASTERCARD })
    await desk.till.pay({ amount: 700, currency: 'EUR', payment_service_id })
    await desk.till.pay({ amount: DECLINED, payment_service_id })
    analyst = await signIn(desk.service, { roles: ['analyst'] })
  })
  afterAll(() => desk.close())

  test('a newcomer finds what to do first, and that nothing is wrong', async () => {
    await desk.visit('?account=quiet', async (page) => {
      await heading(page, 'Home')
      expect(page.url()).toBe(`${desk.origin}/dashboard/home?account=quiet`)
      await page.getByRole('heading', { name: 'All clear' }).waitFor()
      await page.getByText('bin/switchyard sandbox fill').waitFor()
      await follow(page, 'New payment link')
      await heading(page, 'New payment link')
      expect(page.url()).toContain('account=quiet')
    })
  })

  test('home tells today apart by currency, and adds nothing up across them', async () => {
    await desk.visit('', async (page) => {
      await tile(page, 'Approved payments').getByText('4', { exact: true }).waitFor()
      await tile(page, 'Approval rate').getByText('80.0 %').waitFor()
      await tile(page, 'Volume, USD').getByText('$65.50').waitFor()
      await tile(page, 'Volume, EUR').getByText('€7.00').waitFor()
      expect(await page.locator('.tile').count()).toBe(4)
      expect(await slider(page).getAttribute('aria-valuetext')).toMatch(/Today .*, Last \w+day/)
      await press(page, 'Dismiss')
      expect(await page.getByRole('heading', { name: 'Next steps' }).count()).toBe(0)
    })
  })

  test('home counts what waits, and leads to exactly that', async () => {
    const waiting = await desk.till.pay({ amount: UNDECIDED, external_identifier: 'order-waits' })
    desk.service.moveClock(6 * MINUTE_MS)
    await desk.till.pay({ amount: UNDECIDED, external_identifier: 'order-is-new' })
    const files = await ReportDesk.open(desk.service)
    files.publish({ name: 'day-one', lines: [{ reference: 'unheard-of', amount: 500 }] })
    await files.ingest()

    await desk.visit('', async (page) => {
      const stuck = page.getByRole('link', { name: /A payment has been processing for long/ })
      await stuck.getByText('1', { exact: true }).waitFor()
      await stuck.click()
      await heading(page, 'Transactions')
      await page.getByText('order-waits').last().waitFor()
      expect(await rowsOf(page).count()).toBe(1)
      expect(page.url()).toContain('status=processing')

      await page.goBack()
      await follow(page, /ettlement lines? match(es)? no payment/)
      await heading(page, 'day-one.csv')
      await page.getByText('No payment with this reference').waitFor()
      expect(page.url()).toContain('matched=false')
    })
    expect((await desk.till.get(waiting.id)).status).toBe('processing')
  })

  test('insights lead from a number to the payments behind it', async () => {
    await desk.visit('/insights?by=payment_method_scheme&period=today', async (page) => {
      await heading(page, 'Insights')
      await page.locator('.figure').getByText('5', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Only Visa' }).click()
      await page.getByRole('button', { name: 'Card scheme Visa' }).waitFor()
      await page.locator('.figure').getByText('4', { exact: true }).waitFor()
      await follow(page, 'Approval rate')
      await page.locator('.figure').getByText('75.0 %').waitFor()
      const choices = page.getByLabel('By', { exact: true }).getByRole('option')
      expect(await choices.allTextContents()).not.toContain('Decline reason')
      await follow(page, 'Volume')
      await page.getByRole('button', { name: 'Approved Yes' }).waitFor()
      await page.locator('.figure').getByText('$35.50').waitFor()
      expect(await choices.allTextContents()).not.toContain('Currency')
      await page.getByRole('button', { name: 'Remove the filter Approved' }).click()
      await follow(page, /^Payments$/)
      await page.getByLabel('By', { exact: true }).selectOption('authorized')
      await page.getByRole('row', { name: /^No/ }).getByRole('link').click()
      await heading(page, 'Transactions')
      await page.getByText('$2,000.11').waitFor()
      expect(await rowsOf(page).count()).toBe(1)
      const { searchParams } = new URL(page.url())
      expect(searchParams.getAll('payment_method_scheme')).toEqual(['visa'])
      expect(searchParams.getAll('status')).toEqual(['authorization_declined', 'authorization_failed'])
    })
  })

  test('insights count a volume in one currency, and save what is shown', async () => {
    await desk.visit('/insights?metric=volume&by=payment_method_scheme&authorized=true', async (page) => {
      await page.locator('.figure').getByText('$65.50').waitFor()
      const csv = await savedText(page, () => press(page, 'Download the breakdown as CSV'))
      expect(csv.split('\r\n').slice(0, 3)).toEqual([
        'Card scheme,Volume,Before',
        'Visa,35.50,',
        'Mastercard,30.00,',
      ])
      await page.getByLabel('Currency').selectOption('EUR')
      await page.locator('.figure').getByText('€7.00').waitFor()
      await page.getByLabel('Compare with previous period').uncheck()
      await page.getByRole('columnheader', { name: 'Before' }).waitFor({ state: 'detached' })
      await page.reload()
      await page.locator('.figure').getByText('€7.00').waitFor()
      const series = await savedText(page, () => press(page, 'Download the numbers over time as CSV'))
      expect(series).toMatch(/^Time,Volume in EUR\r\n/)
      expect(series).toMatch(/,7[.]00\r\n$/)
    })
  })

  test('a chart is read by keyboard, and as a table', async () => {
    await desk.visit('/insights?period=7d', async (page) => {
      await slider(page).press('ArrowLeft')
      await page.locator('.tip').getByText('5', { exact: true }).waitFor()
      await slider(page).press('Home')
      await expect.poll(() => slider(page).getAttribute('aria-valuetext')).toMatch(/: Payments 0, Before 0$/)
      await page.getByText('The numbers as a table').click()
      const cells = page.getByRole('region', { name: 'Payments by day' }).getByRole('row').last()
      await cells.getByText('5', { exact: true }).waitFor()
      await page.getByLabel('Period', { exact: true }).selectOption('30d')
      await page.getByLabel('Step').selectOption('week')
      await slider(page).press('End')
      await page
        .locator('.tip')
        .getByText(/Week of/)
        .first()
        .waitFor()
      // New values, as a later answer brings them, leave the reader where they are.
      await page.getByLabel('Step').selectOption('day')
      await slider(page).press('ArrowLeft')
      await slider(page).press('ArrowLeft')
      const day = await page.locator('.tip b').textContent()
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect.poll(() => page.locator('.tip b').allTextContents()).toEqual([day])
    })
  })

  test('insights say what to do about a period that cannot be counted', async () => {
    await desk.visit(
      '/insights?period=2020-01-01..2026-01-01',
      async (page) => {
        await page.getByRole('heading', { name: 'Choose a shorter period' }).first().waitFor()
        await page.getByLabel('From').fill('')
        await page.getByRole('heading', { name: 'Choose dates' }).waitFor()
        await press(page, 'Show the last 7 days')
        await page.locator('.figure').getByText('5', { exact: true }).waitFor()
      },
      { errors: [/400/] },
    )
  })

  test('a chart is saved, opened again, and deleted', async () => {
    await desk.visit('/insights?metric=approval&period=30d&method=card', async (page) => {
      await press(page, 'Saved charts')
      await press(page, 'Save this chart')
      const name = dialog(page).getByLabel('Chart name')
      expect(await name.inputValue()).toBe('Approval rate, last 30 days')
      await name.fill(HOSTILE)
      await inDialog(page, 'Save')
      await page.getByText(`${HOSTILE} is saved`).waitFor()
      await page.goto(`${desk.origin}/dashboard/insights?metric=authentication&country=US`)
      await press(page, 'Saved charts')
      await press(page, HOSTILE)
      await expect
        .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
        .toEqual({ metric: 'approval', period: '30d', method: 'card' })
      await press(page, 'Saved charts')
      await press(page, `Delete ${HOSTILE}`)
      await inDialog(page, 'Delete')
      await page.getByText(`${HOSTILE} was deleted`).waitFor()
    })
    expect(await read('GET /metrics-explorer/authorization/presets')).toEqual([])
  })

  test('a report is made, written and downloaded', async () => {
    await desk.visit('/reports', async (page) => {
      await page.getByRole('link', { name: 'New report' }).first().click()
      await page.getByLabel('Name', { exact: true }).fill(HOSTILE)
      await page.getByLabel('Currencies').fill('eur')
      for (const column of ['External identifier', 'Amount', 'Currency'])
        await page.getByRole('group', { name: 'Columns' }).getByLabel(column, { exact: true }).check()
      await press(page, 'Create report')
      await heading(page, HOSTILE)
      await page.getByText('Waiting', { exact: true }).waitFor()
      await reports.write()
      expect(await savedText(page, () => press(page, 'Download'))).toBe(
        'external_identifier,amount,currency\r\n,700,EUR\r\n',
      )

      await press(page, 'Share a link to the file')
      await inDialog(page, 'Create link')
      const link = await dialog(page).locator('code').textContent()
      expect((await reports.download(link ?? '')).statusCode).toBe(200)
    })
  })

  test('a report of last month is made once', async () => {
    await desk.visit('/reports/new', async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('The month before')
      await page.getByLabel('Period').selectOption('Last month')
      await press(page, 'Create report')
      await heading(page, 'The month before')
    })
    const [made] = (await read('GET /reports?name=month')).items
    const at = new Date(made.created_at)
    expect(made.spec.params.filters.created_at).toEqual({
      start: new Date(at.getFullYear(), at.getMonth() - 1, 1).toISOString(),
      end: new Date(new Date(at.getFullYear(), at.getMonth(), 1).getTime() - 1).toISOString(),
    })
  })

  test('a report by schedule is made, paused, resumed and renamed', async () => {
    await desk.visit('/reports/new', async (page) => {
      await press(page, 'Create report')
      await page.getByText('Fill this in.').waitFor()
      await page.getByLabel('Name', { exact: true }).fill('Settled')
      await page.getByLabel('Report type').selectOption('detailed_settlement')
      await page.getByLabel('Frequency').selectOption('weekly')
      await press(page, 'Create report')
      await heading(page, 'Settled')
      await press(page, 'Pause')
      await inDialog(page, 'Pause')
      await page.getByText('Paused', { exact: true }).waitFor()
      await press(page, 'Edit')
      await dialog(page).getByLabel('Name').fill('Settled each week')
      await inDialog(page, 'Save')
      await heading(page, 'Settled each week')
      await press(page, 'Resume')
      await inDialog(page, 'Resume')
      await page.getByText('Running', { exact: true }).waitFor()
    })
    const { items } = await read('GET /reports?name=settled')
    expect(items).toMatchObject([
      {
        name: 'Settled each week',
        schedule: 'weekly',
        schedule_enabled: true,
        spec: {
          model: 'detailed_settlement',
          params: { filters: { ingested_at: { start: 'week_start', end: 'week_end' } } },
        },
      },
    ])
  })

  test('a monitor is made, opens an incident that home tells of, and is deleted', async () => {
    await desk.visit('/monitoring/new', async (page) => {
      await page.getByLabel('Name').fill(HOSTILE)
      await page.getByLabel('Measured over').selectOption('PT60M/now')
      await page.getByLabel('Alert below, in percent').fill('190')
      await press(page, 'Create monitor')
      await page.getByText('Type a number from 0 to 100.').waitFor()
      await page.getByLabel('Alert below, in percent').fill('92.5')
      await page.getByLabel('Open an incident after this many alerts').fill('1')
      await page.getByRole('group', { name: 'Card schemes' }).getByLabel('Visa').check()
      await press(page, 'Create monitor')
      await heading(page, HOSTILE)
      await page.getByText('No data yet').waitFor()
      await monitor.sample()
      await page.reload()
      await page.getByText('An incident is open').waitFor()

      await follow(page, 'Home')
      await follow(page, /A monitor has an open incident/)
      await page.getByText('The approval rate was below 92.5 % for a minute. It was 75.0 %.').waitFor()
      await press(page, 'Write notes')
      await dialog(page).getByLabel('Notes').fill(`The processor: ${HOSTILE}`)
      await inDialog(page, 'Save')
      await page.getByText(`The processor: ${HOSTILE}`).waitFor()

      await follow(page, 'Open monitor')
      await press(page, 'Edit')
      await dialog(page).getByLabel('Alert below, in percent').fill('60')
      await inDialog(page, 'Save')
      await page.getByText('below 60.0 %').waitFor()
      const { items } = await read('GET /monitoring/incidents')
      expect(items).toMatchObject([{ display_name: HOSTILE, notes: `The processor: ${HOSTILE}` }])

      await press(page, 'Delete')
      await inDialog(page, 'Delete')
      await heading(page, 'Monitors')
      await page.getByText('No monitors yet').waitFor()
    })
  })

  test('people see what their roles allow', async () => {
    await desk.visit(
      '/monitoring',
      async (page) => {
        await page.getByText('No monitors yet').waitFor()
        expect(await page.getByRole('link', { name: 'New monitor' }).count()).toBe(0)
        expect(await page.getByRole('link', { name: 'Reports' }).count()).toBe(0)
        await page.getByRole('link', { name: 'Insights' }).waitFor()
      },
      { user: analyst },
    )
    const manager = await signIn(desk.service, { roles: ['user-manager'] })
    await desk.visit('', (page) => page.getByText('Nothing to show for your roles').waitFor(), {
      user: manager,
    })
  })

  test('things of another merchant account are not found', async () => {
    const { id } = await monitor.add()
    const incident = await monitor.openIncident(id)
    const [report] = (await read('GET /reports')).items
    for (const path of [`/reports/${report.id}`, `/monitoring/${id}`, `/monitoring/incidents/${incident}`])
      await desk.visit(
        `${path}?account=quiet`,
        (page) => page.getByRole('heading', { name: 'Not found' }).waitFor(),
        { errors: [/404/] },
      )
  })

  test('home and insights are right for everybody', async () => {
    await looksRight(desk, '/home', (page) => slider(page).waitFor())
    await looksRight(desk, '/home?account=quiet', (page) => page.getByText('All clear').waitFor())
    await looksRight(desk, '/insights?by=payment_method_scheme', async (page) => {
      await slider(page).waitFor()
      await page.getByText('Mastercard').first().waitFor()
    })
  })

  test('reports are right for everybody', async () => {
    const report = (await read('GET /reports')).items.at(-1)
    const isReady = (page: Page) => page.getByText('Ready', { exact: true }).last().waitFor()
    await looksRight(desk, '/reports', isReady)
    await looksRight(desk, '/reports/runs', isReady)
    await looksRight(desk, `/reports/${report.id}`, isReady)
    await looksRight(desk, '/reports/new', (page) => page.getByLabel('Currencies').waitFor())
  })

  test('monitors are right for everybody', async () => {
    const [{ id, metric_id }] = (await read('GET /monitoring/incidents')).items
    await monitor.sample()
    await looksRight(desk, '/monitoring', (page) => page.getByText('the last 5 minutes').waitFor())
    await looksRight(desk, '/monitoring/new', (page) => page.getByLabel('Measured over').waitFor())
    await looksRight(desk, `/monitoring/${metric_id}`, (page) => slider(page).waitFor())
    await looksRight(desk, '/monitoring/incidents', (page) =>
      page.getByText('Open', { exact: true }).waitFor(),
    )
    await looksRight(desk, `/monitoring/incidents/${id}`, (page) => slider(page).waitFor())
  })
})
