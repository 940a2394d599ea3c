import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerDisputeOrder } from '#connectors/contract/answer-dispute.ts'
import { hasBrowser } from '#testing/browser.ts'
import { answerDisputes, tellOfDispute } from '#testing/disputes.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { signIn } from '#testing/sign-in.ts'
import { type Desk, looksRight, openDesk } from '../../testing/dashboard.ts'

/** What a page must show as text, and never as anything else. */
const HOSTILE = '<i onload="alert(1)">"\'{{7*7}}'

let desk: Desk
let reports: ReportDesk
/** A payment that was settled with too little, and charged back. */
let payment: { readonly id: string; readonly payment_service_transaction_id: string }
let refundId: string

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor()

async function newestReport(): Promise<string> {
  return (await desk.service.send('GET /payment-service-reports')).json().items[0].id
}

describe.skipIf(!hasBrowser)('refunds, chargebacks and settlements', () => {
  beforeAll(async () => {
    desk = await openDesk()
    reports = await ReportDesk.open(desk.service)
    await desk.service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
    payment = await desk.till.pay({ amount: 1_000, intent: 'capture', external_identifier: 'order-1' })
    const refund = await desk.till.act(payment.id, 'refunds', { amount: 250, reason: HOSTILE })
    refundId = refund.json().id
    const reference = payment.payment_service_transaction_id
    reports.publish({
      name: 'day-one',
      lines: [
        { reference, amount: 999, commission: 30 },
        {
          reference,
          amount: -999,
          commission: 1_500,
          kind: 'chargeback',
          code: '10.4',
          reason: 'Fraud, card not present',
        },
        { reference: 'unheard-of', amount: 500, commission: 5 },
      ],
    })
    await reports.ingest()
  })
  afterAll(() => desk.close())

  test('a person finds a refund by its status, and the payment it belongs to', async () => {
    await desk.visit('/refunds', async (page) => {
      await page.getByRole('link', { name: 'Waiting' }).click()
      await page.getByText('No results for these filters').waitFor()
      await page.getByRole('link', { name: 'Refunded', exact: true }).click()
      await page.getByRole('link', { name: '$2.50' }).click()
      await heading(page, /\$2[.]50/)
      expect(page.url()).toContain(`/refunds/${refundId}`)
      await page.getByText(HOSTILE, { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Show the payment' }).click()
      await expect.poll(() => page.url()).toContain(`/transactions/${payment.id}`)
    })
  })

  test('a person sees what arrived in a month, what it cost, and the files of the service', async () => {
    await desk.visit('/payment-service-reports', async (page) => {
      await page.getByRole('link', { name: 'Totals' }).click()
      await heading(page, 'Settlement totals')
      const sums = page.locator('.sums')
      for (const sum of ['$14.99', '-$9.99', '-$15.35', '-$10.35']) {
        await sums.getByText(sum, { exact: true }).waitFor()
      }
      await page.getByLabel('Periods').selectOption('Days')
      await expect.poll(() => page.url()).toContain('unit=day')
      await expect.poll(() => page.getByRole('row').count()).toBe(2)
      await page.getByLabel('From').fill('2099-01-01')
      await page.getByText('The first day must not be after the last.').waitFor()
      await page.getByLabel('To').fill('2099-01-31')
      await page.getByText('No settlements in this time').waitFor()
      await page.getByLabel('Periods').selectOption('Months')
      await page.getByRole('table').getByRole('link').first().click()
      await heading(page, 'Settlements')
      expect(page.url()).toContain('payment_service_id=')
    })
  })

  test('a person sees the sums of a file, and the lines that did not match', async () => {
    await desk.visit('/payment-service-reports', async (page) => {
      await page.getByRole('link', { name: 'day-one.csv' }).click()
      await heading(page, 'day-one.csv')
      for (const sum of ['$5.00', '-$15.35', '-$10.35'])
        await page.locator('.sums').getByText(sum, { exact: false }).first().waitFor()
      await page.getByRole('link', { name: 'Not matched' }).click()
      await page.getByText('No payment with this reference').waitFor()
      await expect.poll(() => page.getByRole('row').count()).toBe(2)
      await page.getByRole('link', { name: 'With differences' }).click()
      await page.getByText('Less than was captured').waitFor()
    })
  })

  test('a person is told which file was refused, and why', async () => {
    const header = { reportId: 'batch-2' }
    reports.publish({
      name: 'wrong',
      header,
      lines: [{ reference: 'x', amount: 100 }],
      trailer: { gross: 1 },
    })
    await reports.ingest()
    await desk.visit('/payment-service-reports?status=refused', async (page) => {
      await page.getByRole('link', { name: 'wrong.csv' }).click()
      await page.getByText('the trailer does not add up: gross 1, but the lines have 100').waitFor()
    })
  })

  test('a person sees what a bank took back, and the file that told of it', async () => {
    await desk.visit('/', async (page) => {
      await page.getByRole('link', { name: /A chargeback may need your answer/ }).click()
      await heading(page, 'Chargebacks')
      await page.getByRole('link', { name: '-$9.99' }).click()
      await heading(page, /\$10[.]00/)
      await page.getByText('Answer this dispute at the payment service').waitFor()
      await page.getByText('The service has not reported a deadline').waitFor()
      await page.getByRole('region', { name: 'Charged back', exact: true }).getByText('-$9.99').waitFor()
      await page.getByText('10.4 · Fraud, card not present').waitFor()
      await page.getByRole('link', { name: 'Show the payment' }).click()
      await page.getByRole('button', { name: 'Refund', exact: true }).click()
      await page.getByRole('dialog').getByText('you may pay twice').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'View chargeback' }).click()
      await page.getByRole('link', { name: 'Settlement file' }).click()
      await heading(page, 'day-one.csv')
    })
    await desk.visit(`/transactions/${payment.id}`, async (page) => {
      await page.getByText('$9.99 · fee $0.30 · net $9.69').waitFor()
      await page.locator('.timeline').getByRole('link', { name: 'Settled' }).click()
      await heading(page, 'day-one.csv')
    })
  })

  test('a person sees how far a dispute is, with all steps', async () => {
    await desk.visit('/disputes', async (page) => {
      await page.getByRole('link', { name: 'Inquiries' }).click()
      await page.getByText('No results for these filters').waitFor()
      await page.getByRole('link', { name: 'Chargebacks', exact: true }).last().click()
      await page.getByRole('link', { name: '$9.99' }).click()
      await heading(page, /\$9[.]99/)
      const steps = page.getByRole('region', { name: 'Steps' })
      await steps.getByText('10.4 · Fraud, card not present').waitFor()
      await page.getByRole('link', { name: 'Show the payment' }).click()
      await expect.poll(() => page.url()).toContain(`/transactions/${payment.id}`)
    })
  })

  test('a person reads on the home page which dispute is due first', async () => {
    for (const days of [9, 3]) {
      const respondBy = new Date(desk.service.context.clock().getTime() + (days + 0.1) * 86_400_000)
      const paid = await desk.till.pay({ amount: 1_000, intent: 'capture' })
      await tellOfDispute(desk.service, paid, { stage: 'inquiry', respondBy })
    }
    const { items } = (await desk.service.send('GET /attention')).json()
    const { due_at } = items.find(({ kind }: { kind: string }) => kind === 'disputes_to_answer')

    await desk.visit('/', async (page) => {
      const need = page.getByRole('link', { name: /Disputes can be answered/ })
      expect(await need.textContent()).toContain('the first due ')
      expect(await need.locator('time').getAttribute('datetime')).toBe(due_at)
    })
  })

  test('a person answers a dispute with a text and a file, and gives another one up', async () => {
    const asked: AnswerDisputeOrder[] = []
    answerDisputes(desk.service, async (order) => {
      asked.push(order)
      return { outcome: 'approved', reference: order.dispute, facts: {} }
    })
    const disputed = async () => {
      const paid = await desk.till.pay({ amount: 1_000, intent: 'capture' })
      await tellOfDispute(desk.service, paid)
      return (await desk.service.send(`GET /disputes?transaction_id=${paid.id}`)).json().items[0].id
    }
    await desk.visit(
      `/disputes/${await disputed()}`,
      async (page) => {
        const answer = page.getByRole('region', { name: 'Your answer' })
        await answer.getByText('It can be answered here').waitFor()
        await answer.getByRole('button', { name: 'Send evidence' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: 'Send to the bank' }).click()
        await dialog.getByText('send at least one of texts and files').waitFor()
        await dialog.getByLabel('What it is, line 1').selectOption({ label: 'Shipping tracking number' })
        await dialog.getByLabel('Text, line 1').fill('4111 1111 1111 1111')
        await dialog.getByRole('button', { name: 'Send to the bank' }).click()
        await dialog.getByText('must not hold a card number').waitFor()
        await dialog.getByLabel('Text, line 1').fill(HOSTILE)
        await dialog.getByRole('button', { name: 'Add a file' }).click()
        await dialog.getByLabel('What it is, line 1').last().selectOption({ label: 'Letter' })
        await dialog.getByLabel('File, line 1').setInputFiles({
          name: 'letter.pdf',
          mimeType: 'application/pdf',
          buffer: Buffer.from('%PDF-1.4'),
        })
        await dialog.getByRole('button', { name: 'Send to the bank' }).click()
        await answer.getByText('Your evidence was sent').waitFor()
        await answer.getByText('Letter (application/pdf)').waitFor()
        expect(await answer.getByRole('button').count()).toBe(0)
      },
      { errors: [/400/] },
    )
    expect(asked).toMatchObject([
      {
        act: 'defend',
        evidence: [
          { name: 'shipping_tracking_number', text: HOSTILE },
          { name: 'letter', fileName: 'letter.pdf', content: Buffer.from('%PDF-1.4') },
        ],
      },
    ])
    const second = await disputed()
    await desk.visit(`/disputes/${second}`, async (page) => {
      await page.getByRole('button', { name: 'Accept' }).click()
      await page.getByText('The buyer keeps the money').waitFor()
      await page.getByRole('button', { name: 'Give the money up' }).click()
      await page.getByText('You have accepted this dispute').waitFor()
    })
    expect(asked.at(-1)).toMatchObject({ act: 'accept' })
    const third = await disputed()
    const user = await signIn(desk.service, { roles: ['customer-support'] })
    await desk.visit(
      `/disputes/${third}`,
      async (page) => {
        await page.getByText('It can be answered here').waitFor()
        expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0)
      },
      { user },
    )
    await looksRight(desk, `/disputes/${third}`, shows('It can be answered here'))
    answerDisputes(desk.service, null)
    await desk.visit(`/disputes/${third}`, async (page) => {
      await page.getByText('Answer at the payment service', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Send evidence' }).count()).toBe(0)
    })
  })

  test('a person in support notes an answer, and the home page no longer asks for one', async () => {
    const user = await signIn(desk.service, { name: 'Mara Lind', roles: ['customer-support'] })
    await desk.visit(
      `/chargebacks/${payment.id}`,
      async (page) => {
        const answer = page.getByRole('region', { name: 'Your answer' })
        await answer.getByRole('button', { name: 'Mark as answered' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: 'Save' }).click()
        await dialog.getByText('Fill this in.').waitFor()
        await page.getByLabel('What you sent').fill(HOSTILE)
        await dialog.getByRole('button', { name: 'Save' }).click()
        await answer.getByText('Answered by Mara Lind').waitFor()
        await answer.getByText(HOSTILE, { exact: true }).waitFor()

        await page.getByRole('link', { name: 'Home' }).click()
        await page.getByText('Needs attention').waitFor()
        await page.getByText('All clear').or(page.locator('.need').first()).waitFor()
        expect(await page.getByText('A chargeback may need your answer').count()).toBe(0)

        await page.getByRole('link', { name: 'Chargebacks' }).click()
        await page.getByRole('link', { name: 'Open', exact: true }).click()
        await page.getByText('No results for these filters').waitFor()
        await page.getByRole('link', { name: 'Answered', exact: true }).click()
        await page
          .getByRole('row', { name: /Mara Lind/ })
          .getByRole('link', { name: '-$9.99' })
          .click()
        await answer.getByRole('button', { name: 'Reopen' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click()
        await answer.getByText('Answer this dispute at the payment service').waitFor()
      },
      { user },
    )
    const { items } = (await desk.service.send('GET /audit-logs?resource_type=chargeback-answer')).json()
    expect(items).toMatchObject([
      { action: 'deleted', user: { name: 'Mara Lind' } },
      { action: 'created', user: { name: 'Mara Lind' } },
    ])
  })

  test('a person who may not see reports has no settlements', async () => {
    const user = await signIn(desk.service, { roles: ['customer-support'] })
    await desk.visit(
      `/chargebacks/${payment.id}`,
      async (page) => {
        await page.getByText('Settlement file').waitFor()
        expect(await page.getByRole('link', { name: 'Settlement file' }).count()).toBe(0)
        expect(await page.getByRole('link', { name: 'Settlements' }).count()).toBe(0)
      },
      { user },
    )
  })

  test('things of another merchant account are not found', async () => {
    for (const path of [
      `/refunds/${refundId}`,
      `/payment-service-reports/${await newestReport()}`,
      `/chargebacks/${payment.id}`,
    ])
      await desk.visit(
        `${path}?account=other`,
        (page) => page.getByRole('heading', { name: 'Not found' }).waitFor(),
        { errors: [/404/] },
      )
  })

  test('refunds and chargebacks are right for everybody', async () => {
    await looksRight(desk, '/refunds', shows('$2.50'))
    await looksRight(desk, `/refunds/${refundId}`, shows('Requested by'))
    await looksRight(desk, '/chargebacks', shows('order-1'))
    await looksRight(desk, `/chargebacks/${payment.id}`, shows('-$9.99'))
  })

  test('settlements are right for everybody', async () => {
    reports.isAway = true
    await expect(reports.ingest()).rejects.toThrow('the provider does not answer')
    const reportId = await newestReport()
    await looksRight(desk, '/payment-service-reports', shows('are not read yet'))
    await looksRight(desk, `/payment-service-reports/${reportId}`, shows('SHA-256'))
    await looksRight(desk, '/payment-service-reports/totals', shows('By period'))
  })
})
