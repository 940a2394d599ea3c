import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SyncAnswer } from '#connectors/contract/connector.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { diskStorage } from '#platform/file-storage/disk.ts'
import * as idempotency from '#platform/idempotency/idempotency.ts'
import { listApplied, listTables } from '#platform/portable/tables.ts'
import { conclude, concludeHeld } from '#processing/attempts/conclude.ts'
import { type Attempt, queue, send, takeDue } from '#processing/attempts/store.ts'
import { registryOf } from '#processing/service-accounts/registry.ts'
import { archiveMonths } from '#resources/archives/archive.ts'
import { restoreArchive } from '#resources/archives/restore.ts'
import * as archives from '#resources/archives/store.ts'
import { fillFacts } from '#resources/metrics-explorer/facts/fill.ts'
import { PAYOUT } from '#resources/payouts/resolve.ts'
import { STATUSES, type Status } from '#resources/transactions/wire/transaction.ts'
import { giftCardWith, openGiftCardCounter, refusedGiftCard } from '../gift-cards.ts'
import { startTestService, type TestService } from '../harness.ts'
import { openTestBank } from '../test-bank.ts'
import { CARD, openTill, type Till } from '../till.ts'
import { isOfState } from './every-move.ts'
import { byHand } from './guard.ts'
import { ARCHIVE, CORRECTION, type Machine, type Move, machine } from './table.ts'

/*
 * What the table says is done by a real service: each of its rows is made here, apart from those that `state.ts` makes
 * (`table.test.ts`). The triggers of the guard see to it that nothing else is.
 */
const BACK = 'https://shop.example.com/back'
const CHALLENGED = { ...CARD, number: '4111111111102011', redirect_url: BACK }
const BUYER = (email_address: string) => ({ buyer: { billing_details: { email_address } } })
const DAY_MS = 86_400_000

let service: TestService
let till: Till
let scope: Scope
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  scope = { ...service.context, merchantAccountId: 'default' }
  // The guard is asked as ever, and what it lets pass is written down.
  await service.database.pool.query(`
    create table model.made (machine text, move text);
    alter function model.judge(text, text, text, text, text) rename to judged;
    create function model.judge(machine text, place_before text, place_after text, subject text, hand text default '')
    returns void language plpgsql as $$
    begin
      perform model.judged(machine, place_before, place_after, subject, hand);
      insert into model.made values (machine, coalesce(place_before, 'nothing') || ' → ' || coalesce(place_after, 'nothing'));
    end $$`)
})
afterAll(() => service.close())

async function movesMade({ name }: Machine): Promise<string[]> {
  const { rows } = await service.database.pool.query(
    'select distinct move from model.made where machine = $1',
    [name],
  )
  await service.database.pool.query('delete from model.made where machine = $1', [name])
  return rows.map(({ move }) => move)
}

const pairOf = ({ from, to }: Pick<Move, 'from' | 'to'>) => `${from ?? 'nothing'} → ${to ?? 'nothing'}`

function missing({ moves }: Machine, made: readonly string[], isWanted: (move: Move) => boolean): string[] {
  return moves.filter((move) => isWanted(move) && !made.includes(pairOf(move))).map(pairOf)
}

test('the acts on payments make the moves that state.ts does not', async () => {
  const counter = openGiftCardCounter(service)
  const bank = openTestBank()
  const { connectors } = service.providers
  Object.assign(service.providers, { connectors: registryOf([...connectors.list, bank.connector]) })
  await service.send('POST /payment-services', {
    display_name: 'Bank',
    payment_service_definition_id: 'test-bancontact',
    fields: [],
    accepted_currencies: ['EUR'],
    accepted_countries: ['BE'],
  })
  await service.send('POST /anti-fraud-services', {
    display_name: 'Watchful',
    anti_fraud_service_definition_id: 'mock-anti-fraud',
    reviews_enabled: true,
    fields: [],
  })
  const decide = async (decision: string) => {
    const { payment_method } = await till.pay({ payment_method: CHALLENGED })
    await service.app.inject({
      method: 'POST',
      url: new URL(payment_method.approval_url).pathname,
      payload: `decision=${decision}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  }

  await till.pay(BUYER('reject@shop.example'))
  await till.pay({ payment_method: { method: 'ideal', currency: 'USD', country: 'US', redirect_url: BACK } })
  await decide('approve')
  await decide('refuse')
  const method = { method: 'bancontact', country: 'BE', currency: 'EUR', redirect_url: BACK }
  await till.pay({ currency: 'EUR', country: 'BE', payment_method: method })
  await counter.pay([{ ...refusedGiftCard(6), amount: 300 }], { amount: 1_000 })
  const { id } = await till.pay()
  await till.act(id, 'void', {})
  const suspect = BUYER('review@shop.example')
  for (const operation of ['capture', 'void']) {
    const held = await counter.pay([{ ...giftCardWith(500), amount: 500 }], { ...suspect, intent: 'capture' })
    await till.act(held.id, operation, {})
  }

  expect(missing(machine('payment'), await movesMade(machine('payment')), isOfActs)).toEqual([])
})

function isOfActs(move: Move): boolean {
  return !isOfState(move) && move.by !== CORRECTION && move.by !== ARCHIVE
}

test('a merchant corrects any status to any that does not wait', async () => {
  const wanted = STATUSES.flatMap((from) => STATUSES.filter((to) => to !== from).map((to) => ({ from, to })))
  const corrected: Move[] = []
  const { id } = await till.pay()
  for (const { from, to } of wanted) {
    await put(id, from)
    const { statusCode } = await service.send(`PUT /transactions/${id}`, { status: to })
    if (statusCode === 200) corrected.push({ from, to, by: CORRECTION, why: '' })
    else expect(statusCode).toBe(400)
  }

  const table = machine('payment').moves.filter(({ by }) => by === CORRECTION)
  expect(new Set(corrected.map(pairOf))).toEqual(new Set(table.map(pairOf)))
})

/** No move of the model leads there. */
async function put(id: string, status: Status): Promise<void> {
  await byHand(service.context.db, sql`update transactions set status = ${status} where id = ${id}`)
}

const FACTS = { reference: 'r', facts: {} }
const REFUSED = { code: 'service_error', isRetriable: false, ...FACTS } as const
const ANSWERS: Readonly<Record<string, SyncAnswer>> = {
  approved: { outcome: 'approved', ...FACTS },
  declined: { outcome: 'declined', ...REFUSED },
  failed: { outcome: 'failed', ...REFUSED },
  'not found': { outcome: 'not_found' },
  unknown: { outcome: 'unknown', reason: 'test' },
  pending: { outcome: 'pending', ...FACTS },
  approval: {
    outcome: 'approval_required',
    approval: { kind: 'redirect', url: 'https://bank.example.com' },
    ...FACTS,
  },
}

test('every answer to an attempt in every open state makes the moves of attempts', async () => {
  const hear = (attempt: Attempt, answer: SyncAnswer) =>
    inTransaction(scope, async (tx) => {
      const effects = { decide: async () => null }
      return (await conclude(tx, service.engine, effects, { subject: null, attempt, answer })).attempt
    })
  const asked = { kind: 'capture', service_id: crypto.randomUUID(), amount: 1 } as const
  const record = (how: 'send' | 'queue') =>
    inTransaction(scope, (tx) =>
      how === 'send' ? send(tx, { timeoutMs: 1 }, asked) : queue(tx, asked, tx.clock()),
    )
  const open = async () => {
    const sent = await record('send')
    const [unknown, pending] = [await record('send'), await record('send')]
    return [
      sent,
      await record('queue'),
      await hear(unknown, ANSWERS['unknown'] as SyncAnswer),
      await hear(pending, ANSWERS['pending'] as SyncAnswer),
    ]
  }

  for (const answer of Object.values(ANSWERS)) for (const attempt of await open()) await hear(attempt, answer)
  const taking = { kinds: ['capture'], limit: 1, limitPerService: 1, underWay: [], leaseMs: 60_000 } as const
  await record('queue')
  await takeDue(service.context, taking)
  const { id: laterId, ...later } = await till.addService({ asynchronous: 'true' })
  for (const outcome of ['declined', 'failed']) {
    const payout = await till.payOut({ payment_service_id: laterId })
    const { payment_service_payout_id } = payout
    await till.notify(later, { event: `payout.${outcome}`, payment_service_payout_id })
    const attempt = { id: payout.id } as Attempt
    await inTransaction(scope, (tx) =>
      concludeHeld(tx, service.engine, PAYOUT, { attempt, answer: ANSWERS['approved'] as SyncAnswer }),
    )
  }

  const isUsual = ({ by }: Move) => by !== ARCHIVE
  for (const name of ['attempt', 'lease of an attempt'])
    expect(missing(machine(name), await movesMade(machine(name)), isUsual)).toEqual([])
})

test('requests make the moves of keys and of their leases', async () => {
  const services = { ...service.context, secrets: service.secrets }
  const request = () => ({ owner: 'x', method: 'POST', path: '/x', key: crypto.randomUUID(), content: null })
  const answer = (lastingBody: string) => ({ status: 201, body: 'whole', lastingBody })
  const write = (work: (tx: { db: Parameters<typeof idempotency.noteBegun>[1]['db'] }) => Promise<unknown>) =>
    service.context.db.transaction().execute((db) => work({ db }))
  const claim = async (one: idempotency.KeyedRequest) => {
    const claimed = await idempotency.claim(services, one)
    if (claimed.kind !== 'claimed') throw new Error('it is answered')
    return { fence: claimed.fence, isNew: false }
  }
  const begin = async (one: idempotency.KeyedRequest, own: idempotency.Own) => {
    await write((tx) => idempotency.noteBegun(services, tx, one, { ...own, begun: 'something' }))
    return { ...own, isNew: false }
  }
  const goOn = (one: idempotency.KeyedRequest, own: idempotency.Own) =>
    write((tx) => idempotency.noteBegun(services, tx, one, { ...own, begun: 'something else' }))

  for (const lastingBody of ['whole', 'without']) {
    const store = (one: idempotency.KeyedRequest, own: idempotency.Own) =>
      write((tx) => idempotency.storeAnswer(services, tx, one, { ...own, ...answer(lastingBody) }))
    const [claimed, begun, first] = [request(), request(), request()]
    await store(claimed, await claim(claimed))
    await store(begun, await begin(begun, await claim(begun)))
    await store(first, { fence: idempotency.newFence(), isNew: true })
  }
  const [left, taken] = [request(), request()]
  await idempotency.forget(service.context.db, left, (await claim(left)).fence)
  await goOn(taken, await begin(taken, { fence: 7, isNew: true }))
  await idempotency.release(services, taken, 7)
  await claim(taken)
  service.moveClock(11 * 60_000)
  await idempotency.hideSecrets(services)
  const [kept] = [request()]
  await write((tx) =>
    idempotency.storeAnswer(services, tx, kept, { fence: 8, isNew: true, ...answer('without') }),
  )
  // Made long ago, so that a real clock deletes them as well.
  await sql`update idempotency_keys set created_at = created_at - interval '73 hours'`.execute(
    service.context.db,
  )
  await idempotency.purgeOldKeys(services)
  service.moveClock(-11 * 60_000)

  for (const name of ['key', 'lease of a key'])
    expect(missing(machine(name), await movesMade(machine(name)), () => true)).toEqual([])
})

test('an archive takes payments at rest, and brings them back', async () => {
  const folder = join(tmpdir(), `switchyard-test-model-${randomBytes(8).toString('hex')}`)
  const storage = diskStorage({ folder, linkTo: () => '' })
  const tables = await listTables(service.database.pool)
  const clock = () => new Date(service.context.clock().getTime() + 250 * DAY_MS)
  const context = { ...service.context, clock }
  await till.pay({ amount: 0 })
  await till.pay({ intent: 'capture' })
  const declined = await till.pay({ amount: 200_011 })
  const voided = await till.pay()
  await till.act(voided.id, 'void', {})
  const failed = await till.pay({ amount: 200_002 })
  await fillFacts(context, new AbortController().signal)

  const before = clock().toISOString().slice(0, 7)
  const needs = { context, storage, tables, migrations: await listApplied(service.database.pool) }
  await archiveMonths({ ...needs, programVersion: 'test', onFile: () => {} }, { before, isDryRun: false })
  for (const archive of await archives.inState(service.context, 'archived'))
    await restoreArchive({ context: service.context, storage, tables }, archive)
  rmSync(folder, { recursive: true, force: true })

  expect([declined.status, failed.status]).toEqual(['authorization_declined', 'authorization_failed'])
  const isOfArchive = ({ by }: Move) => by === ARCHIVE
  for (const name of ['payment', 'attempt', 'lease of an attempt'])
    expect(missing(machine(name), await movesMade(machine(name)), isOfArchive)).toEqual([])
})
