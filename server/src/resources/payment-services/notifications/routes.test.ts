import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Outcome } from '#connectors/contract/connector.ts'
import { createLogger } from '#platform/observability/log.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { addTellerService, approvedAs, Teller, tell } from '#testing/teller.ts'
import { openTill, type Till } from '#testing/till.ts'
import { JOBS } from '../../../app.ts'

const DAY_MS = 24 * 3_600_000

let teller: Teller
let service: TestService
let till: Till
let token: string
let cards: { readonly id: string; readonly webhook_url: string }
beforeAll(async () => {
  teller = new Teller()
  service = await startTestService({ connectors: teller.connectors })
  till = openTill(service)
  // These tests move the clock by months.
  token = await signToken(service.admin, { exp: Math.floor(Date.now() / 1000) + 400 * 86_400 })
  cards = await addTellerService(service, 'teller-card')
})
afterAll(() => service.close())

const authorized = (reference: string): Outcome => ({
  about: 'authorization',
  reference,
  answer: approvedAs(reference),
})

async function list(query = '', options = {}) {
  const response = await service.send(`GET /payment-services/${cards.id}/notifications${query}`, undefined, {
    token,
    ...options,
  })
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

async function lookAgainAfter(ms: number) {
  service.moveClock(ms)
  const job = JOBS.find(({ name }) => name === 'take-held-notifications')
  const { context, engine } = service
  await job?.run({ context, engine, logger: createLogger('silent') } as never, new AbortController().signal)
}

test('shows what fits nothing yet, without what the provider said about it', async () => {
  await tell(service, cards, [
    { ...authorized('psp-unknown'), attemptId: 'attempt-1', reconciliationId: 'reconciliation-1' },
  ])

  const { items } = await list()

  expect(items).toEqual([
    {
      type: 'payment-service-notification',
      id: expect.any(String),
      merchant_account_id: 'default',
      payment_service_id: cards.id,
      kind: 'authorization',
      reference: 'psp-unknown',
      attempt_id: 'attempt-1',
      reconciliation_id: 'reconciliation-1',
      status: 'held',
      received_at: expect.any(String),
      ended_at: null,
    },
  ])
})

test('shows that one was matched, and does not show those that fit at once', async () => {
  teller.authorize = async ({ attemptId }) => {
    await tell(service, cards, [authorized(`psp ${attemptId}`)])
    return { outcome: 'pending', reference: `psp ${attemptId}`, facts: {} }
  }
  await till.pay({ payment_service_id: cards.id })
  teller.authorize = async ({ attemptId }) => ({
    outcome: 'pending',
    reference: `at once ${attemptId}`,
    facts: {},
  })
  await till.pay({ payment_service_id: cards.id })

  await lookAgainAfter(1_000)

  const { items } = await list('?status=matched')
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({ status: 'matched', reference: expect.stringMatching(/^psp /) })
  expect(items[0].ended_at > items[0].received_at).toBe(true)
})

test('shows that one expired, holds it again if it comes again, and forgets it in the end', async () => {
  await lookAgainAfter(30 * DAY_MS)
  const [expired] = (await list('?status=expired')).items

  await tell(service, cards, [
    { ...authorized('psp-unknown'), attemptId: 'attempt-1', reconciliationId: 'reconciliation-1' },
  ])
  const [again] = (await list('?status=held')).items
  await lookAgainAfter(30 * DAY_MS)
  await lookAgainAfter(30 * DAY_MS)

  expect(expired).toMatchObject({ reference: 'psp-unknown', status: 'expired' })
  expect(again).toMatchObject({ id: expired.id, status: 'held', ended_at: null })
  expect(again.received_at > expired.received_at).toBe(true)
  expect((await list()).items).toEqual([])
})

test('turns pages, newest first', async () => {
  for (const reference of ['first', 'second', 'third']) {
    service.moveClock(1_000)
    await tell(service, cards, [authorized(reference)])
  }

  const newest = await list('?limit=2')
  const rest = await list(`?limit=2&cursor=${newest.next_cursor}`)

  const references = ({ items }: { items: { reference: string }[] }) =>
    items.map(({ reference }) => reference)
  expect(references(newest)).toEqual(['third', 'second'])
  expect(references(rest)).toEqual(['first'])
})

test('is refused for a service of another account, and for a status that does not exist', async () => {
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' }, { token })
  const path = `/payment-services/${cards.id}/notifications`

  const foreign = await service.send(`GET ${path}`, undefined, { token, account: 'other' })
  const wrong = await service.send(`GET ${path}?status=lost`, undefined, { token })

  expect(foreign.statusCode).toBe(404)
  expect(wrong.statusCode).toBe(400)
  expect(wrong.json().details[0].pointer).toBe('/status')
})
