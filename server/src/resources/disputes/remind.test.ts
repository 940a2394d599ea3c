import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeDispute } from '#resources/payment-service-reports/take-dispute.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { remindOfDisputesJob } from './remind.ts'

const DAY_MS = 86_400_000

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

const inDays = (count: number) => new Date(service.context.clock().getTime() + count * DAY_MS)
const turn = () => remindOfDisputesJob.run(service, new AbortController().signal)

type Paid = { readonly id: string; readonly serviceId: string; readonly reference: string }

async function capture(): Promise<Paid> {
  const paid = await till.pay({ amount: 1_000, intent: 'capture' })
  const reference = String(paid.payment_service_transaction_id)
  return { id: paid.id, serviceId: paid.payment_service.id, reference }
}

async function tell({ serviceId, reference }: Paid, respondBy: Date | null, postedAt = inDays(-1)) {
  const scope = { ...service.context, merchantAccountId: 'default' }
  await takeDispute(scope, service.engine, serviceId, {
    about: 'dispute',
    dispute: `dp ${reference}`,
    reference,
    stage: 'inquiry',
    providerStage: 'REQUEST_FOR_INFORMATION',
    amount: 1_000,
    currency: 'USD',
    code: '13.1',
    reason: 'Not received',
    postedAt,
    respondBy,
  })
}

async function reminders({ id }: Paid): Promise<{ target: { id: string; respond_by: string } }[]> {
  const [dispute] = (await service.send(`GET /disputes?transaction_id=${id}`)).json().items
  const { items } = (await service.send(`GET /events?target_id=${dispute.id}`)).json()
  return items.filter(({ name }: { name: string }) => name === 'dispute.deadline-near')
}

test('a deadline that nears is told once, and another one again', async () => {
  const paid = await capture()
  const deadline = inDays(5)
  await tell(paid, deadline)
  await turn()
  expect(await reminders(paid)).toEqual([])
  expect(await remindOfDisputesJob.nextDueAt?.(service)).toEqual(new Date(deadline.getTime() - 3 * DAY_MS))

  service.moveClock(2.5 * DAY_MS)
  await Promise.all([turn(), turn()])
  await turn()
  expect(await reminders(paid)).toMatchObject([{ target: { respond_by: deadline.toISOString() } }])

  // The provider gives more time.
  const later = inDays(10)
  await tell(paid, later, inDays(0))
  await turn()
  service.moveClock(8 * DAY_MS)
  await turn()
  const told = (await reminders(paid)).map(({ target }) => target.respond_by)
  expect(told).toEqual([later.toISOString(), deadline.toISOString()])
})

test.each([
  ['without a deadline', null],
  ['whose deadline is over', -0.1],
  ['whose deadline is far', 4],
])('a dispute %s is not told', async (_what, days) => {
  const paid = await capture()
  await tell(paid, days === null ? null : inDays(days))
  await turn()
  expect(await reminders(paid)).toEqual([])
})

test('a dispute that was answered at its stage is not told', async () => {
  const paid = await capture()
  await tell(paid, inDays(2))
  const answer = {
    attempt_id: paid.id,
    act: 'defend',
    stage: 'inquiry',
    status: 'processing',
    error_code: null,
    evidence: [],
    created_at: inDays(0),
    updated_at: inDays(0),
  }
  await sql`update disputes set answer = ${JSON.stringify(answer)}::jsonb where transaction_id = ${paid.id}`.execute(
    service.database.db,
  )
  await turn()
  expect(await reminders(paid)).toEqual([])
})
