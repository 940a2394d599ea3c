import { expect, test } from 'vitest'
import { useReportShop } from '#testing/reports.ts'

const DAY_MS = 86_400_000

const shop = useReportShop()

test('compares a period with the one before, and says how', async () => {
  const token = await shop.reports.token
  const start = shop.service.context.clock()
  for (const amount of [1_000, 1_001, 1_002, 200_001]) await shop.till.pay({ amount })
  shop.service.moveClock(DAY_MS)
  for (const amount of [1_000, 200_001, 200_009, 200_009]) await shop.till.pay({ amount }, { token })
  const at = (days: number) => new Date(start.getTime() + days * DAY_MS - 60_000).toISOString()
  const timestamp = { start: at(1), end: at(2) }

  const lines = await shop.reports.readOnce({
    model: 'ai_insights',
    params: { filters: { prompt_key: 'payment_performance', timestamp } },
  })

  expect(lines[0]).toBe(
    'insight,value,payments,authorized,auth_rate,previous_payments,previous_authorized,previous_auth_rate,auth_rate_change,note',
  )
  expect(lines[1]).toMatch(/^about,.*no language model was used/)
  expect(lines.slice(2)).toEqual([
    'payments,,4,1,25.00,4,3,75.00,-50.00,',
    expect.stringMatching(/^payment_service,[^,]+,4,1,25.00,4,3,75.00,-50.00,$/),
    'scheme,visa,4,1,25.00,4,3,75.00,-50.00,',
    'error_code,incorrect_cvv,2,0,0.00,0,0,,,',
    'error_code,canceled_payment_method,1,0,0.00,1,0,0.00,0.00,',
  ])
})

test('a time without payments is a file that says so', async () => {
  const timestamp = { start: '2020-01-01T00:00:00Z', end: '2020-01-02T00:00:00Z' }

  const lines = await shop.reports.readOnce({ model: 'ai_insights', params: { filters: { timestamp } } })

  expect(lines).toHaveLength(2)
})

test('runs with its default period by each schedule', async () => {
  const spec = { model: 'ai_insights', params: {} }
  for (const schedule of ['daily', 'weekly', 'monthly']) {
    const report = await shop.reports.create({ schedule, spec })
    shop.service.moveClock(
      Date.parse(report.next_execution_at) + 60_000 - shop.service.context.clock().getTime(),
    )
    await shop.reports.begin()
    await shop.reports.write()

    const [execution] = await shop.reports.executionsOf(report.id)
    const { url } = await shop.reports.urlOf(report.id, execution.id)
    const { body } = await shop.reports.download(url)
    const [, from = '', to = ''] = /From (\S+) to (\S+), against/.exec(body) ?? []
    const days = (Date.parse(to) + 1 - Date.parse(from)) / DAY_MS
    expect(execution.status).toBe('succeeded')
    expect(new Date(Date.parse(to) + 1).toISOString()).toBe(report.next_execution_at)
    expect({ daily: [1], weekly: [7], monthly: [28, 29, 30, 31] }[schedule]).toContain(days)
  }
})
