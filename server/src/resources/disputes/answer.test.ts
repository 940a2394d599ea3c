import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AnswerDisputeOrder, DisputeFields } from '#connectors/contract/answer-dispute.ts'
import type { Answer, DisputeStep } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { Sealer } from '#resources/audit-logs/seal.ts'
import { eraseDue } from '#resources/buyers/erasure/erase.ts'
import { pointers } from '#testing/answers.ts'
import { stopCommitting } from '#testing/commits.ts'
import { answerDisputes, tellOfDispute } from '#testing/disputes.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const CANARY = 'the parcel of Ada Canary'

let service: TestService
let till: Till
const asked: AnswerDisputeOrder[] = []
const LOST: Answer = { outcome: 'unknown', reason: 'the line broke' }
const APPROVED: Answer = { outcome: 'approved', reference: 'case', facts: { rawCode: 'taken' } }
let provider: (order: AnswerDisputeOrder) => Promise<Answer>

beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  offer({ answers: true })
})
afterEach(() => {
  vi.restoreAllMocks()
  asked.length = 0
  offer({ answers: true })
})
afterAll(() => service.close())

function offer({ answers, fields }: { readonly answers: boolean; readonly fields?: DisputeFields }): void {
  provider = async () => APPROVED
  const answer = (order: AnswerDisputeOrder) => {
    asked.push(order)
    return provider(order)
  }
  answerDisputes(service, answers ? answer : null, fields && (async () => fields))
}

const inDays = (days: number) => new Date(service.context.clock().getTime() + days * DAY_MS)

async function disputed(change: Partial<DisputeStep> = {}, payment: object = {}) {
  const paid = await till.pay({ amount: 1_000, intent: 'capture', ...payment })
  await tellOfDispute(service, paid, change)
  const { items } = (await service.send(`GET /disputes?transaction_id=${paid.id}`)).json()
  return { id: items[0].id as string, paid }
}

const FILE = {
  name: 'shipping_documentation',
  file_name: 'receipt.pdf',
  content_type: 'application/pdf',
  content: Buffer.from('%PDF-1.4 receipt').toString('base64'),
}
const EVIDENCE = { texts: [{ name: 'story', text: CANARY }], files: [FILE] }

type Options = Parameters<TestService['send']>[2]
const accept = (id: string, options?: Options) =>
  service.send(`POST /disputes/${id}/accept`, undefined, options)
const defend = (id: string, body: object = EVIDENCE, options?: Options) =>
  service.send(`POST /disputes/${id}/evidence`, body, options)
const show = async (id: string) => (await service.send(`GET /disputes/${id}`)).json()
const fieldsOf = async (id: string) => (await service.send(`GET /disputes/${id}/evidence-fields`)).json()
const keyed = () => ({ headers: { 'idempotency-key': crypto.randomUUID() } })
const kept = async () =>
  (await sql<{ sealed: Buffer }>`select sealed from dispute_evidence`.execute(service.database.db)).rows
const eventsOf = async (id: string): Promise<{ name: string; target: object }[]> =>
  (await service.send(`GET /events?target_id=${id}`)).json().items
const auditOf = async (id: string): Promise<{ action: string; resource: { name: string } }[]> => {
  const { items } = (await service.send('GET /audit-logs?limit=100')).json()
  return items.filter((one: { resource: { id: string } }) => one.resource.id === id).toReversed()
}

describe('accepting', () => {
  test('gives the money up, and is told', async () => {
    const { id, paid } = await disputed()

    const response = await accept(id)

    expect(response.statusCode, response.body).toBe(200)
    const { answer } = response.json()
    expect(answer).toMatchObject({
      act: 'accept',
      stage: 'chargeback',
      status: 'succeeded',
      error_code: null,
      evidence: [],
    })
    expect(asked).toMatchObject([{ act: 'accept', evidence: [], isRepeated: false }])
    expect(await show(id)).toEqual(response.json())
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(['dispute.updated', 'dispute.opened'])
    expect((await auditOf(id)).map(({ action, resource }) => [action, resource.name])).toEqual([
      ['created', `Acceptance in the dispute of transaction ${paid.id}`],
    ])
  })

  test('is refused by the provider, and can be tried again', async () => {
    const { id } = await disputed()
    provider = async () => refused('unexpected_state')

    const first = await accept(id)
    provider = async () => APPROVED
    const second = await accept(id)

    expect(first.json().answer).toMatchObject({ status: 'failed', error_code: 'unexpected_state' })
    expect(second.json().answer).toMatchObject({ status: 'succeeded', error_code: null })
  })
})

describe('evidence', () => {
  test('reaches the provider as it was sent, and nothing of it stays', async () => {
    const { id } = await disputed()

    const response = await defend(id)

    expect(response.statusCode, response.body).toBe(200)
    expect(asked[0]?.evidence).toEqual([
      { name: 'story', text: CANARY },
      {
        name: 'shipping_documentation',
        fileName: 'receipt.pdf',
        contentType: 'application/pdf',
        content: Buffer.from('%PDF-1.4 receipt'),
      },
    ])
    expect(response.json().answer).toMatchObject({
      act: 'defend',
      status: 'succeeded',
      evidence: [
        { name: 'story', content_type: null, bytes: CANARY.length },
        { name: 'shipping_documentation', content_type: 'application/pdf', bytes: 16 },
      ],
    })
    expect(await kept()).toEqual([])
    const told = JSON.stringify([response.json(), await eventsOf(id), await auditOf(id)])
    expect(told).not.toMatch(/Canary|receipt\.pdf|%PDF/)
  })

  test('is kept sealed while its answer is lost, and sent again by the job', async () => {
    const { id } = await disputed()
    provider = async () => ({ outcome: 'unknown', reason: 'the line broke' })

    const first = await defend(id)
    const [row] = await kept()
    const during = await accept(id)
    provider = async () => APPROVED
    service.moveClock(MINUTE_MS + 1)
    await service.resolveDue()

    expect(first.json().answer).toMatchObject({ status: 'processing' })
    expect(row?.sealed.toString('latin1')).not.toMatch(/Canary|PDF/)
    expect(during.json().details[0].message).toContain('under way')
    expect(asked.map(({ isRepeated }) => isRepeated)).toEqual([false, true])
    expect(asked[1]).toEqual({ ...asked[0], isRepeated: true })
    expect((await show(id)).answer).toMatchObject({ status: 'succeeded' })
    expect(await kept()).toEqual([])
    // The outcome was not in the answer to the request, so the log has it.
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['created', 'updated'])
  })

  test('no longer needs attention', async () => {
    const { id } = await disputed({ stage: 'inquiry' })
    const waiting = async () => {
      const { items } = (await service.send('GET /attention')).json()
      return items.flatMap(({ kind, ids }: { kind: string; ids: string[] }) =>
        kind === 'disputes_to_answer' ? ids : [],
      )
    }
    expect(await waiting()).toContain(id)

    await defend(id)

    expect(await waiting()).not.toContain(id)
  })
})

describe('an idempotency key', () => {
  test('answers once', async () => {
    const { id } = await disputed()
    const options = keyed()

    const one = await defend(id, EVIDENCE, options)
    const again = await defend(id, EVIDENCE, options)
    const other = await defend(id, { texts: [{ name: 'story', text: 'another' }] }, options)

    expect(again.body).toBe(one.body)
    expect(other.statusCode).toBe(422)
    expect(asked).toHaveLength(1)
  })

  test('goes on after our process died between the commits', async () => {
    const { id } = await disputed()
    const options = keyed()
    provider = async () => {
      stopCommitting(service)
      return APPROVED
    }
    expect((await defend(id, EVIDENCE, options)).statusCode).toBe(500)
    vi.restoreAllMocks()
    expect((await show(id)).answer.status).toBe('processing')
    provider = async () => APPROVED

    service.moveClock(MINUTE_MS + 1)
    const again = await defend(id, EVIDENCE, options)

    expect(again.statusCode, again.body).toBe(200)
    expect(again.json().answer.status).toBe('succeeded')
    const [first, second] = asked
    expect(second).toEqual({ ...first, isRepeated: true })
    expect(await kept()).toEqual([])
  })

  test('is not needed: without one, a process that cannot store the answer tells what is on record', async () => {
    const { id } = await disputed()
    provider = async () => {
      stopCommitting(service)
      return APPROVED
    }

    const response = await accept(id)
    vi.restoreAllMocks()

    expect(response.json().answer, response.body).toMatchObject({ status: 'processing' })
    provider = async () => APPROVED
    service.moveClock(MINUTE_MS + 1)
    await service.resolveDue()
    expect((await show(id)).answer.status).toBe('succeeded')
  })
})

test('of two answers at once, one is sent', async () => {
  const { id } = await disputed()

  const answers = await Promise.all([accept(id), defend(id), accept(id)])

  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400])
  expect(asked).toHaveLength(1)
})

test('a step that the provider tells meanwhile is kept, and so is the answer', async () => {
  const { id, paid } = await disputed()
  provider = async () => {
    await tellOfDispute(service, paid, { stage: 'lost', providerStage: 'CLOSED', postedAt: inDays(0) })
    return APPROVED
  }

  const response = await accept(id)

  expect(response.json()).toMatchObject({
    stage: 'lost',
    answer: { status: 'succeeded', stage: 'chargeback' },
  })
  expect((await show(id)).steps).toHaveLength(2)
})

describe('is refused, and nothing changes', () => {
  async function refusal(id: string, ask: () => ReturnType<typeof accept>) {
    const before = await show(id)
    const response = await ask()
    expect(response.statusCode, response.body).toBe(400)
    expect(await show(id)).toEqual(before)
    expect(asked).toEqual([])
    expect(await kept()).toEqual([])
    return response
  }

  test.each([
    ['won', 'takes no answer any more'],
    ['lost', 'takes no answer any more'],
    ['expired', 'takes no answer any more'],
    ['early_fraud_warning', 'refund the payment'],
    ['arbitration', 'at the stage arbitration'],
  ] as const)('at the stage %s', async (stage, message) => {
    const { id } = await disputed(stage === 'early_fraud_warning' ? { stage, respondBy: null } : { stage })

    for (const ask of [() => accept(id), () => defend(id)]) {
      const { details } = (await refusal(id, ask)).json()
      expect(details).toMatchObject([{ location: 'path', pointer: '/dispute_id' }])
      expect(details[0].message).toContain(message)
    }
    expect(await fieldsOf(id)).toMatchObject({ can_accept: false, can_defend: false })
  })

  test('at a stage that can be answered but not accepted', async () => {
    const { id } = await disputed({ stage: 'inquiry' })

    expect((await refusal(id, () => accept(id))).json().details[0].message).toContain('answer with evidence')
    expect(await fieldsOf(id)).toMatchObject({ can_accept: false, can_defend: true, reason: null })
  })

  test('after the deadline', async () => {
    const { id } = await disputed({ respondBy: inDays(-1) })

    expect((await refusal(id, () => defend(id))).json().details[0].message).toContain('the time is over')
  })

  test('by a connector that cannot', async () => {
    const { id } = await disputed()
    offer({ answers: false })

    const response = await refusal(id, () => defend(id))

    expect(response.json().details[0].message).toContain('at the payment service itself')
    expect(await fieldsOf(id)).toMatchObject({ can_defend: false, texts: [], files: [] })
  })

  test('of a dispute whose id the provider has not told', async () => {
    const { id } = await disputed()
    await sql`update disputes set external_identifier = null where id = ${id}`.execute(service.database.db)

    expect((await refusal(id, () => accept(id))).json().details[0].message).toContain('its id')
  })

  test('a second answer at the same stage', async () => {
    const { id, paid } = await disputed()
    await accept(id)
    asked.length = 0

    expect((await refusal(id, () => defend(id))).json().details[0].message).toContain('is answered')
    // The next stage can be answered again.
    await tellOfDispute(service, paid, { stage: 'inquiry', providerStage: 'AGAIN', postedAt: inDays(0) })
    expect((await defend(id)).statusCode).toBe(200)
  })

  const file = (change: object) => ({ files: [{ ...FILE, ...change }] })
  const text = (value: string, name = 'story') => ({ texts: [{ name, text: value }] })
  const bytes = (count: number) => Buffer.alloc(count, 7).toString('base64')
  test.each([
    ['nothing', {}, [['', 'value_error.missing']]],
    ['an unknown text', text('x', 'letter'), [['/texts/0/name', 'type_error.enum']]],
    ['a name of every object', text('x', 'constructor'), [['/texts/0/name', 'type_error.enum']]],
    ['an empty text', text(' \n'), [['/texts/0/text', 'value_error.any_str.min_length']]],
    ['a text that is too long', text('x'.repeat(201)), [['/texts/0/text', 'value_error.any_str.max_length']]],
    [
      'texts that are too long together',
      { texts: [...text('x'.repeat(195)).texts, ...text('y'.repeat(20), 'shipping_tracking_number').texts] },
      [['/texts', 'value_error.any_str.max_length']],
    ],
    [
      'a text twice',
      { texts: [...text('one').texts, ...text('two').texts] },
      [['/texts/1/name', 'value_error.duplicate']],
    ],
    ['a card number', text('paid with 4111 1111 1111 1111.'), [['/texts/0/text', 'value_error.const']]],
    ['an unknown file', file({ name: 'story' }), [['/files/0/name', 'type_error.enum']]],
    ['another type', file({ content_type: 'text/plain' }), [['/files/0/content_type', 'type_error.enum']]],
    ['what is no base64', file({ content: 'a-_b' }), [['/files/0/content', 'value_error.str.regex']]],
    ['base64 without padding', file({ content: 'YWI' }), [['/files/0/content', 'value_error.str.regex']]],
    [
      'a file that is too large',
      file({ content: bytes(1_000_001) }),
      [['/files/0/content', 'value_error.any_str.max_length']],
    ],
    [
      'files that are too large together',
      {
        files: ['shipping_documentation', 'letter'].map((name) => ({
          ...FILE,
          name,
          content: bytes(800_000),
        })),
      },
      [['/files', 'value_error.any_str.max_length']],
    ],
    [
      'a name with a line break',
      file({ file_name: 'a\r\nb.pdf' }),
      [['/files/0/file_name', 'value_error.str.regex']],
    ],
    ['an unknown field', { ...EVIDENCE, note: 'x' }, [['/note', 'value_error.extra']]],
  ])('evidence with %s', async (_what, body, expected) => {
    const { id } = await disputed()

    expect(pointers(await refusal(id, () => defend(id, body)))).toEqual(expected)
  })

  test('a body of more than 8 MiB', async () => {
    const { id } = await disputed()
    const response = await refusal(id, () => defend(id, file({ content: 'A'.repeat(8 * 1024 * 1024) })))

    expect(response.json().details[0].message).toBe('the body is larger than 8 MiB')
  })
})

test('a body of more than 1 MiB is taken as evidence alone', async () => {
  const { id } = await disputed()
  const content = Buffer.alloc(999_999, 7).toString('base64')

  expect((await defend(id, { files: [{ ...FILE, content }] })).statusCode).toBe(200)
  const elsewhere = await service.send('POST /buyers', { display_name: content })
  expect(elsewhere.json().details[0].message).toBe('the body is larger than 1 MiB')
})

test('numbers of parcels are no card numbers', async () => {
  const { id } = await disputed()
  const texts = [{ name: 'shipping_tracking_number', text: '00340434161094042557' }]

  expect((await defend(id, { texts })).statusCode).toBe(200)
})

test('another account finds no such dispute', async () => {
  const { id } = await disputed()
  const token = await signToken(await service.addKey({ merchantAccountIds: ['other'] }))

  expect((await accept(id, { token })).statusCode).toBe(404)
  expect((await defend(id, EVIDENCE, { token })).statusCode).toBe(404)
  expect((await service.send(`GET /disputes/${id}/evidence-fields`, undefined, { token })).statusCode).toBe(
    404,
  )
  expect(asked).toEqual([])
})

test('what the payment service takes can be read', async () => {
  const { id } = await disputed()

  expect(await fieldsOf(id)).toEqual({
    type: 'dispute-evidence-fields',
    dispute_id: id,
    can_accept: true,
    can_defend: true,
    reason: null,
    texts: [
      { name: 'story', max_length: 200 },
      { name: 'shipping_tracking_number', max_length: 30 },
    ],
    texts_max_length: 210,
    files: ['shipping_documentation', 'letter'],
    defenses: [],
    content_types: ['application/pdf'],
    file_max_bytes: 1_000_000,
    files_max_bytes: 1_500_000,
  })
})

describe('where each dispute takes other evidence', () => {
  const goods = {
    name: 'Goods',
    required: ['proof_of_return'],
    oneOf: ['photo', 'letter'],
    optional: ['receipt'],
  }
  const told = (...defenses: (typeof goods)[]) => ({ outcome: 'told', defenses }) as const
  const sent = (...names: string[]) => ({ files: names.map((name) => ({ ...FILE, name })) })

  test('the payment service is asked which', async () => {
    const { id } = await disputed()
    offer({ answers: true, fields: told(goods) })

    expect(await fieldsOf(id)).toMatchObject({
      can_defend: true,
      files: ['proof_of_return', 'photo', 'letter', 'receipt'],
      defenses: [
        { name: 'Goods', required: ['proof_of_return'], one_of: ['photo', 'letter'], optional: ['receipt'] },
      ],
    })
    const answered = await defend(id, sent('proof_of_return', 'photo'))
    expect(answered.json().answer, answered.body).toMatchObject({ status: 'succeeded' })
  })

  test.each([
    ['a file of none', sent('shipping_documentation'), '/files/0/name', 'must be one of proof_of_return'],
    ['no file that is needed', sent('photo'), '/files', 'Goods takes proof_of_return, at least one of photo'],
    ['none of several', sent('proof_of_return', 'receipt'), '/files', 'the files fit no defense'],
  ])('evidence with %s is refused, with what to send', async (_what, body, pointer, message) => {
    const { id } = await disputed()
    offer({ answers: true, fields: told(goods) })

    const response = await defend(id, body)

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0]).toMatchObject({ pointer, message: expect.stringContaining(message) })
    expect(asked).toEqual([])
  })

  test('a dispute without a defense can be accepted alone', async () => {
    const { id } = await disputed()
    offer({ answers: true, fields: told() })

    expect(await fieldsOf(id)).toMatchObject({ can_accept: true, can_defend: false, files: [] })
    expect((await defend(id)).json().details[0].message).toContain('takes no evidence for this dispute')
    expect((await accept(id)).json().answer).toMatchObject({ status: 'succeeded' })
  })

  test('nothing is sent as long as it cannot be asked', async () => {
    const { id } = await disputed()
    offer({ answers: true, fields: { outcome: 'unknown', reason: 'no answer' } })

    expect((await defend(id)).statusCode).toBe(503)
    expect((await service.send(`GET /disputes/${id}/evidence-fields`)).statusCode).toBe(503)
    expect(await kept()).toEqual([])
    expect((await show(id)).answer).toBeNull()
  })
})

test('an order says what was told since the answer was begun', async () => {
  const { id, paid } = await disputed()
  provider = async () => LOST
  await accept(id)
  await tellOfDispute(service, paid, { stage: 'lost', providerStage: 'CLOSED', postedAt: inDays(0) })
  service.moveClock(MINUTE_MS + 1)
  await service.resolveDue()

  expect(asked.map(({ told }) => told)).toEqual([[], [{ stage: 'lost', providerStage: 'CLOSED' }]])
})

test('with its buyer, evidence on its way is forgotten, and is not sent again', async () => {
  const buyer = (await service.send('POST /buyers', { display_name: 'Ada Canary' })).json()
  const { id } = await disputed({}, { buyer_id: buyer.id })
  provider = async () => ({ outcome: 'unknown', reason: 'the line broke' })
  await defend(id)
  expect(await kept()).toHaveLength(1)

  const erased = await service.send(`POST /buyers/${buyer.id}/erasure`)
  expect(erased.statusCode, erased.body).toBeLessThan(300)
  const needs = { ...service, sealer: new Sealer(service.secrets, null) }
  await eraseDue(needs, new AbortController().signal)

  expect(await kept()).toEqual([])
  provider = async ({ evidence }) => (evidence === null ? LOST : APPROVED)
  service.moveClock(MINUTE_MS + 1)
  await service.resolveDue()
  // The first request may still arrive.
  expect((await show(id)).answer).toMatchObject({ status: 'processing' })
  provider = async () => refused('unexpected_state')
  service.moveClock(5 * MINUTE_MS + 1)
  await service.resolveDue()
  expect((await show(id)).answer).toMatchObject({ status: 'failed', error_code: 'unexpected_state' })
})

test('an answer that nobody has heard of holds up another for an hour, and does not come back after it', async () => {
  const { id } = await disputed()
  provider = async () => LOST
  await defend(id)
  service.moveClock(59 * MINUTE_MS)
  expect((await defend(id)).json().details[0].message).toContain('under way')

  service.moveClock(MINUTE_MS)
  provider = async () => APPROVED
  const second = await accept(id)
  asked.length = 0
  service.moveClock(DAY_MS)
  await service.resolveDue()

  expect(second.json().answer, second.body).toMatchObject({ act: 'accept', status: 'succeeded' })
  // The first one is not sent any more, and says nothing about the second.
  expect(await kept()).toEqual([])
  expect(asked).toEqual([])
  expect((await show(id)).answer).toEqual(second.json().answer)
})

describe('an answer of which nobody ever knows', () => {
  async function checksUntilKnown(id: string): Promise<number> {
    for (let checks = 1; checks <= 40; checks++) {
      service.moveClock(DAY_MS + MINUTE_MS)
      await service.resolveDue()
      if ((await show(id)).answer.status !== 'processing') return checks
    }
    return Number.NaN
  }

  test('is unknown after a month, which is not failed, and can be sent again', async () => {
    const { id } = await disputed({ respondBy: null })
    provider = async () => LOST
    await defend(id)

    expect(await checksUntilKnown(id)).toBeGreaterThan(30)

    expect((await show(id)).answer).toMatchObject({ status: 'unknown', error_code: null })
    expect(await kept()).toEqual([])
    expect((await auditOf(id)).at(-1)?.resource.name).toMatch(/: unknown$/)
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(['dispute.updated', 'dispute.opened'])
    provider = async () => APPROVED
    expect((await defend(id)).json().answer).toMatchObject({ status: 'succeeded' })
  })

  test('is unknown sooner at a payment service that was deleted', async () => {
    const own = await till.addService({ merchant_id: 'deleted' })
    const { id } = await disputed({ respondBy: null }, { payment_service_id: own.id })
    provider = async () => LOST
    await defend(id)
    await service.send(`DELETE /payment-services/${own.id}`)

    expect(await checksUntilKnown(id)).toBe(4)

    expect((await show(id)).answer).toMatchObject({ status: 'unknown' })
  })
})
