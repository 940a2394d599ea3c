import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Dispute, LateFailure, Outcome } from '#connectors/contract/connector.ts'
import { reconciliationId } from '#domain/reconciliation-id.ts'
import { ingestDue } from '#resources/payment-service-reports/ingest/ingest-due.ts'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { writeSheet } from '#testing/report-sheet.ts'
import { addTellerService, approvedAs, Teller, tell } from '#testing/teller.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import * as held from './held/store.ts'

type Service = { readonly id: string; readonly webhook_url: string }

const lines: string[] = []
let teller: Teller
let service: TestService
let till: Till
let cards: Service
beforeAll(async () => {
  teller = new Teller()
  service = await startTestService({ connectors: teller.connectors, onLog: (line) => lines.push(line) })
  till = openTill(service)
  cards = await addTellerService(service, 'teller-card')
})
afterAll(() => service.close())
beforeEach(() => {
  teller.authorize = async ({ attemptId }) => approvedAs(attemptId)
  teller.followUp = async ({ attemptId }) => approvedAs(attemptId)
})

const pay = (body: object = {}) => till.pay({ payment_service_id: cards.id, ...body })
const SALE = { intent: 'capture', amount: 1000 }
const ASKING = { payment_method: { ...CARD, redirect_url: 'https://shop.example/back' } }
const heldNow = async () => (await held.count(service.context)).held
const lastAttempt = () => teller.orders.at(-1)?.attemptId ?? ''
const lost = async () => ({ outcome: 'unknown', reason: 'the answer was lost' }) as const

function ended(about: Outcome['about'], subject: Omit<Outcome, 'about' | 'answer'>): Outcome {
  return { about, answer: approvedAs(subject.reference ?? 'told-later'), ...subject }
}

function dispute(subject: Pick<Dispute, 'reference' | 'attemptId' | 'reconciliationId'>): Dispute {
  const about = 'chargeback'
  const told = {
    id: `dispute ${JSON.stringify(subject)}`,
    amount: 1_000,
    currency: 'USD',
    code: '10.4',
    reason: 'fraud',
  }
  return { about, ...told, postedAt: service.context.clock(), ...subject }
}

function late(of: LateFailure['of'], subject: Pick<LateFailure, 'reference' | 'attemptId'>): LateFailure {
  return {
    about: 'late_failure',
    of,
    code: 'service_error',
    failedAt: service.context.clock(),
    facts: {},
    ...subject,
  }
}

describe('a payment whose answer was lost', () => {
  test.each([
    ['the id of its attempt', (attemptId: string) => ({ attemptId })],
    ['its reconciliation id', (_: string, id: string) => ({ reconciliationId: reconciliationId(id) })],
  ])('is found by %s, and learns the reference', async (_what, subjectOf) => {
    teller.authorize = lost
    const { id, status } = await pay()
    const reference = `told of ${id}`

    const answer = await tell(service, cards, [
      ended('authorization', { reference, ...subjectOf(lastAttempt(), id) }),
    ])

    expect(status).toBe('processing')
    expect(answer.statusCode, answer.body).toBe(204)
    expect(await till.get(id)).toMatchObject({
      status: 'authorization_succeeded',
      payment_service_transaction_id: reference,
    })
  })

  test('is decided once when the notification comes before the answer', async () => {
    const told = Promise.withResolvers<void>()
    teller.authorize = async ({ attemptId }) => {
      await tell(service, cards, [ended('authorization', { reference: `early ${attemptId}`, attemptId })])
      told.resolve()
      return approvedAs(`early ${attemptId}`)
    }

    const { id } = await pay()
    await told.promise

    expect(await till.get(id)).toMatchObject({ status: 'authorization_succeeded', authorized_amount: 1000 })
    expect((await till.told(id)).filter((name) => name === 'transaction.authorized')).toHaveLength(1)
  })

  test('is not taken for another one: not by a foreign id, nor by one of another account', async () => {
    teller.authorize = lost
    const { id } = await pay()
    await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other' })
    const foreign = await addTellerService(service, 'teller-card', { account: 'other-shop' })
    const before = await heldNow()

    await tell(service, cards, [ended('authorization', { reference: 'x', attemptId: MISSING })])
    await tell(service, cards, [ended('authorization', { reference: 'x', attemptId: 'no id' })])
    await tell(service, cards, [ended('authorization', { reference: 'x', reconciliationId: 'no id' })])
    await tell(service, foreign, [ended('authorization', { reference: 'x', attemptId: lastAttempt() })])
    await tell(service, cards, [ended('capture', { reference: 'x', attemptId: lastAttempt() })])

    expect((await till.get(id)).status).toBe('processing')
    expect(await heldNow()).toBe(before + 5)
  })
})

describe('a reconciliation id', () => {
  test('names the one capture that is open', async () => {
    const { id } = await pay()
    await till.act(id, 'capture', { amount: 300, final: false })
    teller.followUp = lost
    await till.act(id, 'capture', { amount: 400, final: false })

    await tell(service, cards, [
      ended('capture', { reference: 'second', reconciliationId: reconciliationId(id) }),
    ])

    expect(await till.get(id)).toMatchObject({ captured_amount: 700 })
  })

  test('does not choose between two refunds', async () => {
    const { id } = await pay({ intent: 'capture' })
    teller.followUp = lost
    await till.act(id, 'refunds', { amount: 100 })
    await till.act(id, 'refunds', { amount: 200 })

    await tell(service, cards, [
      ended('refund', { reference: 'which', reconciliationId: reconciliationId(id) }),
    ])

    expect(await till.get(id)).toMatchObject({ refunded_amount: 0 })
  })
})

describe('a message with several items', () => {
  test('has each taken, and holds what it knows nothing of', async () => {
    const { id } = await pay({ intent: 'capture' })
    teller.followUp = async ({ attemptId }) => ({ outcome: 'pending', reference: attemptId, facts: {} })
    const refund = (await till.act(id, 'refunds', { amount: 400 })).json()
    const before = await heldNow()

    const answer = await tell(
      service,
      cards,
      [
        ended('authorization', { reference: `a payment of another shop ${id}` }),
        ended('refund', { reference: refund.payment_service_refund_id }),
      ],
      { acknowledgement: '[accepted]' },
    )

    expect([answer.statusCode, answer.body]).toEqual([200, '[accepted]'])
    expect(await till.get(id)).toMatchObject({ refunded_amount: 400 })
    expect(await heldNow()).toBe(before + 1)
  })

  test('holds an item once, however often the provider sends it', async () => {
    const item = ended('capture', { reference: 'sent three times' })
    const before = await heldNow()

    const answers = [await tell(service, cards, [item, item]), await tell(service, cards, [item])]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204])
    expect(await heldNow()).toBe(before + 1)
  })

  test('is refused if its origin is not proven, or its item is too long, and then holds nothing', async () => {
    const before = await heldNow()

    const forged = await tell(service, cards, [ended('capture', { reference: 'forged' })], { key: 'another' })
    const long = await tell(service, cards, [ended('capture', { reference: 'x'.repeat(40_000) })])

    expect([forged.statusCode, long.statusCode]).toEqual([400, 400])
    expect(await heldNow()).toBe(before)
  })
})

describe('what is told to one service of a provider', () => {
  test('is taken for another one, checked with the fields of the first', async () => {
    const transfers = await addTellerService(service, 'teller-ideal', {
      fields: { webhook_key: 'key of transfers' },
    })
    teller.authorize = lost
    const { id } = await pay()
    const told = [ended('authorization', { reference: `sibling ${id}`, attemptId: lastAttempt() })]

    const forged = await tell(service, transfers, told)
    const taken = await tell(service, transfers, told, { key: 'key of transfers' })

    expect([forged.statusCode, taken.statusCode]).toEqual([400, 204])
    expect((await till.get(id)).status).toBe('authorization_succeeded')
  })

  test('is not taken for a service of another provider', async () => {
    const other = await till.addService({ asynchronous: 'true' })
    const paid = await till.pay({ payment_service_id: other.id, intent: 'capture' })
    const before = await heldNow()

    await tell(service, cards, [ended('authorization', { reference: paid.payment_service_transaction_id })])

    expect((await till.get(paid.id)).status).toBe('processing')
    expect(await heldNow()).toBe(before + 1)
  })

  test('is taken for one that was deleted: disputes, and what fails later', async () => {
    const old = await addTellerService(service, 'teller-card')
    const [disputed, failed] = [
      await pay({ payment_service_id: old.id, intent: 'capture' }),
      await pay({ payment_service_id: old.id, intent: 'capture' }),
    ]
    await service.send(`DELETE /payment-services/${old.id}`)

    const answers = [
      await tell(service, old, [dispute({ reference: disputed.payment_service_transaction_id })]),
      await tell(service, cards, [
        late('authorization', { reference: failed.payment_service_transaction_id }),
      ]),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204])
    expect(await till.get(disputed.id)).toMatchObject({ disputed: true })
    expect(await till.get(failed.id)).toMatchObject({ captured_amount: 0 })
  })
})

describe('without the reference of the provider', () => {
  test.each([
    ['the id of the attempt', (attemptId: string) => ({ reference: null, attemptId })],
    [
      'the reconciliation id',
      (_: string, id: string) => ({ reference: null, reconciliationId: reconciliationId(id) }),
    ],
    [
      'a wrong attempt id and the right payment',
      (_: string, id: string) => ({
        reference: 'unheard of',
        attemptId: MISSING,
        reconciliationId: reconciliationId(id),
      }),
    ],
  ])('a dispute is found by %s', async (_what, subjectOf) => {
    const { id } = await pay({ intent: 'capture' })
    const told = dispute(subjectOf(lastAttempt(), id))

    await tell(service, cards, [told])
    await tell(service, cards, [told])

    expect(await till.get(id)).toMatchObject({ disputed: true })
    const { items } = (await service.send(`GET /transactions/${id}/chargebacks`)).json()
    expect(items).toMatchObject([{ amount: -1_000 }])
  })

  test('a late failure is found by the id of the attempt', async () => {
    const { id } = await pay({ intent: 'capture' })

    await tell(service, cards, [late('authorization', { reference: null, attemptId: lastAttempt() })])

    expect(await till.get(id)).toMatchObject({ captured_amount: 0 })
  })
})

describe('an approval that the provider tells of', () => {
  const asking = async ({ attemptId }: { readonly attemptId: string }) =>
    ({
      outcome: 'approval_required',
      reference: attemptId,
      approval: { kind: 'redirect', url: 'https://teller.example/approve' },
      facts: {},
    }) as const

  test('completes the payment although the buyer has not come back, once', async () => {
    teller.authorize = asking
    const returned: unknown[] = []
    teller.complete = async (order) => {
      returned.push(order.returned)
      return approvedAs(order.reference)
    }
    const { id, status } = await pay(ASKING)
    const told = [{ about: 'approvable', reference: lastAttempt() } as const]

    const answers = [await tell(service, cards, told), await tell(service, cards, told)]

    expect(status).toBe('buyer_approval_pending')
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204])
    expect(returned).toEqual([null])
    expect((await till.get(id)).status).toBe('authorization_succeeded')
  })

  test('is held if it comes before the answer that asks for it', async () => {
    const before = await heldNow()
    teller.authorize = async (order) => {
      await tell(service, cards, [{ about: 'approvable', reference: null, attemptId: order.attemptId }])
      return asking(order)
    }

    const { status } = await pay(ASKING)

    expect([status, await heldNow()]).toEqual(['buyer_approval_pending', before + 1])
  })

  test('is held if no payment waits for it', async () => {
    const before = await heldNow()

    await tell(service, cards, [{ about: 'approvable', reference: 'of another shop' }])

    expect(await heldNow()).toBe(before + 1)
  })
})

describe('a report that the provider tells of', () => {
  const reported = (id: string) =>
    [{ about: 'report', file: { id, name: id, publishedAt: service.context.clock() } }] as const
  const ingest = () =>
    ingestDue(service.context, { ...service, everyMinutes: 60 }, new AbortController().signal)

  test('is read soon, by every service of the provider that wants reports', async () => {
    const [one, other] = [
      await addTellerService(service, 'teller-card'),
      await addTellerService(service, 'teller-card'),
    ]
    for (const { id } of [one, other]) await wantReports(id)
    const paid = [
      await pay({ ...SALE, payment_service_id: one.id }),
      await pay({ ...SALE, payment_service_id: other.id }),
    ]
    // The next look is due in an hour.
    await ingest()
    const lines = paid.map((sale) => ({ reference: sale.payment_service_transaction_id, amount: 1000 }))
    teller.files.set('sheet', Buffer.from(writeSheet({ lines }, service.context.clock(), 1)))

    const answer = await tell(service, one, reported('sheet'))
    await ingest()

    expect(answer.statusCode).toBe(204)
    for (const { id } of paid)
      expect(await till.get(id)).toMatchObject({ settled: true, settled_amount: 1000 })
  })

  test('is accepted and ignored if none does', async () => {
    const { id } = await service
      .send('POST /merchant-accounts', { id: 'no-reports', display_name: 'None' })
      .then((made) => made.json())
    const without = await addTellerService(service, 'teller-card', { account: id })
    const before = await heldNow()

    const answer = await tell(service, without, reported('unwanted'))

    expect(answer.statusCode).toBe(204)
    expect(await heldNow()).toBe(before)
    const offered = await service.context.db
      .selectFrom('payment_service_report_offers')
      .select('name')
      .execute()
    expect(offered.map(({ name }) => name)).not.toContain('unwanted')
  })

  async function wantReports(id: string): Promise<void> {
    const answer = await service.send(`PUT /payment-services/${id}`, { settlement_reporting_enabled: true })
    expect(answer.statusCode, answer.body).toBe(200)
  }
})

describe('the log', () => {
  const warnings = (text: string) =>
    lines.map((line) => JSON.parse(line)).filter(({ msg }) => String(msg).includes(text))

  test('names a kind of message that the connector does not know, once', async () => {
    for (const unread of [['dispute.pondered'], ['dispute.pondered', 'payment.pondered']]) {
      expect((await tell(service, cards, [], { unread })).statusCode).toBe(204)
    }

    expect(warnings('does not read')).toMatchObject([
      { service_id: cards.id, kind: 'dispute.pondered' },
      { service_id: cards.id, kind: 'payment.pondered' },
    ])
  })

  test('says why a message was refused', async () => {
    expect((await tell(service, cards, [], { key: 'another' })).statusCode).toBe(400)

    expect(warnings('was refused').at(-1)).toMatchObject({
      service_id: cards.id,
      reason: 'the key does not fit',
    })
  })
})
