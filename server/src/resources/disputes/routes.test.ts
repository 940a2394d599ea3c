import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Dispute, DisputeStep } from '#connectors/contract/connector.ts'
import { takeDispute } from '#resources/payment-service-reports/take-dispute.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { ReportDesk } from '#testing/report-desk.ts'
import { openTill, type Till } from '#testing/till.ts'

const DAY_MS = 86_400_000

let service: TestService
let start: number
let till: Till
let desk: ReportDesk
beforeAll(async () => {
  service = await startTestService()
  start = service.context.clock().getTime()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())
beforeEach(async () => {
  desk = await ReportDesk.open(service)
})

const days = (count: number) => new Date(start + count * DAY_MS)

async function capture() {
  const paid = await till.pay({ amount: 1_000, intent: 'capture' })
  const reference = paid.payment_service_transaction_id as string
  return { id: paid.id as string, reference, serviceId: paid.payment_service.id as string }
}
type Paid = Awaited<ReturnType<typeof capture>>

function tell({ serviceId }: Paid, told: Dispute | DisputeStep): Promise<boolean> {
  const scope = { ...service.context, merchantAccountId: 'default' }
  return takeDispute(scope, service.engine, serviceId, told)
}

function step({ reference }: Pick<Paid, 'reference'>, change: Partial<DisputeStep> = {}): DisputeStep {
  return {
    about: 'dispute',
    dispute: `dp ${reference}`,
    reference,
    stage: 'inquiry',
    providerStage: 'REQUEST_FOR_INFORMATION',
    amount: 1_000,
    currency: 'USD',
    code: '13.1',
    reason: 'Not received',
    postedAt: days(-3),
    respondBy: days(5),
    ...change,
  }
}

function movement({ reference }: Pick<Paid, 'reference'>, change: Partial<Dispute> = {}): Dispute {
  return {
    about: 'chargeback',
    id: `mv ${reference}`,
    dispute: `dp ${reference}`,
    reference,
    amount: 1_000,
    currency: 'USD',
    code: '13.1',
    reason: 'Not received',
    postedAt: days(-1),
    ...change,
  }
}

async function disputesOf({ id }: Pick<Paid, 'id'>) {
  const response = await service.send(`GET /disputes?transaction_id=${id}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items
}

async function toldOf(id: string): Promise<string[]> {
  const { items } = (await service.send(`GET /events?target_id=${id}`)).json()
  return items.map(({ name }: { readonly name: string }) => name).toReversed()
}

describe('a dispute', () => {
  test('is told from its first stage to its last, in one record', async () => {
    const paid = await capture()
    for (const told of [
      step(paid),
      step(paid, { stage: 'notification', providerStage: 'NOTE', postedAt: days(-2), respondBy: days(9) }),
      movement(paid, { respondBy: days(9) }),
      step(paid, { stage: null, providerStage: 'SUPPLIED', postedAt: days(-0.5), respondBy: null }),
      step(paid, { stage: 'won', providerStage: 'ENDED', postedAt: days(-0.1), respondBy: days(9) }),
    ]) {
      expect(await tell(paid, told)).toBe(true)
    }

    const [dispute, ...others] = await disputesOf(paid)
    expect(others).toEqual([])
    expect(dispute).toMatchObject({
      type: 'dispute',
      merchant_account_id: 'default',
      payment_service_id: paid.serviceId,
      transaction_id: paid.id,
      external_identifier: `dp ${paid.reference}`,
      stage: 'won',
      amount: 1_000,
      currency: 'USD',
      reason_code: '13.1',
      reason_description: 'Not received',
      respond_by: null,
      opened_at: days(-3).toISOString(),
    })
    expect(dispute.steps.map((one: DisputeStep) => one.stage)).toEqual([
      'inquiry',
      'notification',
      'chargeback',
      null,
      'won',
    ])
    const updates = Array.from({ length: 3 }, () => 'dispute.updated')
    expect(await toldOf(dispute.id)).toEqual(['dispute.opened', ...updates, 'dispute.closed'])
    expect((await service.send(`GET /disputes/${dispute.id}`)).json()).toEqual(dispute)
    expect((await service.send(`GET /transactions/${paid.id}/chargebacks`)).json().items).toHaveLength(1)
  })

  test('moves no money at its first stages, and asks for an answer on the home page', async () => {
    const paid = await capture()
    await tell(paid, step(paid))

    const [dispute] = await disputesOf(paid)
    expect(dispute).toMatchObject({ stage: 'inquiry', respond_by: days(5).toISOString() })
    expect((await till.get(paid.id)).disputed).toBe(false)
    expect((await service.send(`GET /chargebacks?transaction_id=${paid.id}`)).json().items).toEqual([])
    const { items } = (await service.send('GET /attention')).json()
    const waiting = items.find(({ kind }: { readonly kind: string }) => kind === 'disputes_to_answer')
    expect(waiting).toMatchObject({ count: 1, ids: [dispute.id], path: `/disputes/${dispute.id}` })

    await tell(paid, step(paid, { stage: 'expired', providerStage: 'ENDED', postedAt: days(-1) }))
    const after = (await service.send('GET /attention')).json().items
    expect(after.map(({ kind }: { readonly kind: string }) => kind)).not.toContain('disputes_to_answer')
  })

  test('is the same however often and in whatever order it is told', async () => {
    const paid = await capture()
    const late = movement(paid)
    for (const told of [late, step(paid), late, step(paid), step(paid)]) {
      expect(await tell(paid, told)).toBe(true)
    }
    // A warning says less than a chargeback, whenever it comes.
    await tell(paid, step(paid, { stage: 'early_fraud_warning', providerStage: 'FRAUD', postedAt: days(0) }))

    const [dispute] = await disputesOf(paid)
    expect(dispute.stage).toBe('chargeback')
    expect(dispute.steps).toHaveLength(3)
    expect(dispute.opened_at).toBe(days(-3).toISOString())
    expect(await toldOf(dispute.id)).toEqual(['dispute.opened', 'dispute.updated', 'dispute.updated'])
  })

  test('without an amount, and of a payment named by the dispute alone', async () => {
    const paid = await capture()
    const bare = { amount: null, currency: null, respondBy: null, code: null, reason: null }
    await tell(paid, step(paid, { ...bare, stage: 'early_fraud_warning' }))
    const next = step(paid, { stage: 'arbitration', providerStage: 'ARB', postedAt: days(-1) })

    expect(await tell(paid, { ...next, reference: null })).toBe(true)

    const [dispute] = await disputesOf(paid)
    expect(dispute).toMatchObject({ stage: 'arbitration', amount: 1_000 })
    expect(dispute.steps[0]).toMatchObject({ amount: null, currency: null, respond_by: null })
  })

  test('that fits nothing is left to be held: an unknown payment, or a step that has no stage yet', async () => {
    const paid = await capture()

    expect(await tell(paid, step({ reference: 'none' }))).toBe(false)
    expect(await tell(paid, step(paid, { reference: null }))).toBe(false)
    expect(await tell(paid, step(paid, { stage: null }))).toBe(false)
    expect(await disputesOf(paid)).toEqual([])
  })

  test('with words that cannot be kept is refused, and nothing changes', async () => {
    const paid = await capture()

    await expect(tell(paid, step(paid, { reason: 'x'.repeat(2_001) }))).rejects.toThrow(/the reason/)
    await expect(tell(paid, step(paid, { currency: 'usd' }))).rejects.toThrow(/the currency/)
    expect(await disputesOf(paid)).toEqual([])
  })
})

describe('a file of the provider', () => {
  const line = ({ reference }: Paid, change: object = {}) =>
    ({ kind: 'chargeback', id: `mv ${reference}`, reference, amount: -1_000, ...change }) as const

  test('alone makes a dispute, which its notification names later', async () => {
    const paid = await capture()
    desk.publish({ lines: [line(paid)] })
    await desk.ingest()
    const [before] = await disputesOf(paid)
    expect(before).toMatchObject({ stage: 'chargeback', external_identifier: null, amount: 1_000 })

    await tell(paid, movement(paid, { providerStage: 'CHARGEBACK' }))

    const [after, ...others] = await disputesOf(paid)
    expect(others).toEqual([])
    expect(after).toMatchObject({ id: before.id, external_identifier: `dp ${paid.reference}` })
  })

  test('that repeats a notification adds no step', async () => {
    const paid = await capture()
    await tell(paid, movement(paid))
    desk.publish({ lines: [line(paid)] })
    await desk.ingest()

    expect((await disputesOf(paid))[0].steps).toHaveLength(1)
  })

  test('that gives the money back wins the dispute', async () => {
    const paid = await capture()
    desk.publish({ lines: [line(paid)] })
    desk.publish({ lines: [line(paid, { kind: 'chargeback_reversal', id: 'back', amount: 1_000 })] })
    await desk.ingest()

    const found = await disputesOf(paid)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ stage: 'won', respond_by: null })
  })
})

test('disputes are listed by stage, and not to other accounts', async () => {
  const paid = await capture()
  await tell(paid, step(paid, { stage: 'lost' }))
  const [dispute] = await disputesOf(paid)
  const token = await signToken(await service.addKey({ merchantAccountIds: ['other'] }))

  const lost = (await service.send('GET /disputes?stage=lost')).json().items
  const asked = (await service.send('GET /disputes?stage=inquiry&limit=100')).json().items
  expect(lost.map(({ id }: { readonly id: string }) => id)).toContain(dispute.id)
  expect(asked.map(({ id }: { readonly id: string }) => id)).not.toContain(dispute.id)
  expect((await service.send('GET /disputes', undefined, { token })).json().items).toEqual([])
  expect((await service.send(`GET /disputes/${dispute.id}`, undefined, { token })).statusCode).toBe(404)
  expect((await service.send('GET /disputes?stage=open')).statusCode).toBe(400)
})
