import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill } from '#testing/till.ts'
import { ingestDue } from './ingest-due.ts'

const DAYS_MS = 5 * 86_400_000

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('settles what the simulator has settled days later, to the cent of its files', async () => {
  const till = openTill(service)
  const paid = await till.pay({ amount: 1_000, intent: 'capture' })
  const refunded = await till.pay({ amount: 700, intent: 'capture' })
  await till.act(refunded.id, 'refunds', { amount: 200 })
  // Tokens expire with the clock, so the rest is read from the database.
  service.moveClock(DAYS_MS)

  await ingestDue(service.context, { ...service, everyMinutes: 60 }, new AbortController().signal)

  const { rows } = await sql`
    select settled_amount, settled_currency from transactions
    where id = any(${[paid.id, refunded.id]}::uuid[]) order by id
  `.execute(service.context.db)
  expect(rows).toEqual([
    { settled_amount: '1000', settled_currency: 'USD' },
    { settled_amount: '700', settled_currency: 'USD' },
  ])
  const sums = await sql`
    select count(*)::int as files, sum(gross_amount)::int as gross, sum(unmatched_count)::int as unmatched,
      sum(flagged_count)::int as flagged,
      (select sum(amount)::int from payment_service_report_lines where transaction_id is not null) as applied
    from payment_service_report_files where status = 'applied'
  `.execute(service.context.db)
  expect(sums.rows).toMatchObject([{ gross: 1_500, applied: 1_500, unmatched: 0, flagged: 0 }])
})
