import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListedOperation } from '#connectors/contract/connector.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { byHand } from '#testing/model/guard.ts'
import { openTill, type Till } from '#testing/till.ts'
import { compare } from './compare.ts'
import { enter } from './enter.ts'
import { askServices, gather } from './list.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

/** Asks the simulator, and enters what it has and we lack. */
async function recover({ isRehearsal = false, change = (all: readonly ListedOperation[]) => all } = {}) {
  const { context, engine } = service
  const now = Date.now()
  const window = { from: new Date(now - 3_600_000), until: new Date(now + 3_600_000), serviceId: undefined }
  const told = await askServices(context, engine, window)
  const changed = told.map((one) => ({ ...one, operations: change(one.operations) }))
  const { missing, ...compared } = await compare(context, gather(changed))
  const entered = []
  for (const one of missing) entered.push(await enter(context, engine, one, { isRehearsal }))
  const refused = [...compared.refused, ...entered.flatMap((one) => one.refused)]
  return {
    ...compared,
    entered: entered.flatMap(({ operations }) => operations.map(({ operation }) => operation)),
    refused: refused.map(({ operation: { operation }, reason }) => `${operation}: ${reason}`),
  }
}

const TABLES = [
  'transaction_events',
  'transaction_marks',
  'transaction_updates',
  'transaction_statuses',
  'transaction_documents',
  'refunds',
  'transaction_captures',
  'attempts',
]

/** As if the commits about a payment were lost. */
async function lose(id: string): Promise<void> {
  const others = TABLES.map((table) => {
    const column = /_(marks|updates|statuses|documents)$/.test(table) ? 'id' : 'transaction_id'
    return sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${id}`
  })
  await byHand(service.database.db, ...others, sql`delete from transactions where id = ${id}`)
}

const money = ({ status, authorized_amount, captured_amount, refunded_amount }: Record<string, unknown>) => ({
  status,
  authorized_amount,
  captured_amount,
  refunded_amount,
})

test('enters lost payments under their ids, with all that followed, and once', async () => {
  const sale = await till.pay({ intent: 'capture' })
  const paid = await till.pay()
  await till.act(paid.id, 'capture', { amount: 900 })
  await till.act(paid.id, 'refunds', { amount: 300 })
  const held = await till.pay()
  await till.act(held.id, 'void')
  const declined = await till.pay({ amount: 200011 })
  const ids = [sale.id, paid.id, held.id, declined.id]
  const before = await Promise.all(ids.map((id) => till.get(id)))
  for (const id of ids) await lose(id)

  const rehearsed = await recover({ isRehearsal: true })
  const first = await recover()
  const second = await recover()

  const after = await Promise.all(ids.map((id) => till.get(id)))
  expect(rehearsed.entered).toEqual(first.entered)
  expect(first).toMatchObject({ refused: [], different: [] })
  expect(first.entered.toSorted()).toEqual([
    ...['authorize', 'authorize', 'authorize', 'authorize', 'capture', 'refund', 'void'],
  ])
  expect(second).toMatchObject({ entered: [], refused: [], known: first.known + 7 })
  expect(after.map(money)).toEqual(before.map(money))
  expect(after[0].payment_method).toMatchObject({ label: '1111' })
  expect(await till.history(paid.id)).toContain('transaction-sync-event')
  expect((await till.audited(paid.id)).map((text) => text.split(' ')[0])).toEqual(
    expect.arrayContaining(['created', 'captured']),
  )
})

test('enters what is missing of a payment that is here', async () => {
  const paid = await till.pay()
  await till.act(paid.id, 'capture', { amount: 900 })
  const before = await till.get(paid.id)
  await byHand(
    service.database.db,
    sql`delete from attempts where transaction_id = ${paid.id} and kind = 'capture'`,
    sql`delete from transaction_captures where transaction_id = ${paid.id}`,
    sql`update transactions set status = 'authorization_succeeded', captured_amount = 0, is_capture_final = false
      where id = ${paid.id}`,
  )

  const { entered, refused } = await recover()

  expect({ entered, refused }).toEqual({ entered: ['capture'], refused: [] })
  expect(money(await till.get(paid.id))).toEqual(money(before))
})

test('lists with a reason what it cannot enter, and changes nothing by it', async () => {
  const paid = await till.pay()
  await till.act(paid.id, 'capture', { amount: 900 })
  const foreign = await till.pay()
  await lose(paid.id)
  await lose(foreign.id)
  const strange = { attemptId: null, transactionId: null }

  const { entered, refused } = await recover({
    change: (all) =>
      all.flatMap((one) => {
        if (one.transactionId === foreign.id) return [{ ...one, ...strange, authorization: 'x' }]
        return one.transactionId === paid.id && one.operation === 'authorize' ? [] : [one]
      }),
  })

  expect(entered).toEqual([])
  expect(refused).toEqual([
    'authorize: it names no payment of this service: another system made it',
    'capture: its payment is not here, and its authorization is not in the list: begin earlier, with --since',
  ])
  await recover()
})

test('says what is here in another way, and does not touch it', async () => {
  const paid = await till.pay()
  await byHand(
    service.database.db,
    sql`update attempts set state = 'declined', error_code = 'other_decline' where transaction_id = ${paid.id}`,
  )

  const { entered, different } = await recover()

  expect(entered).toEqual([])
  expect(different.map(({ reason }) => reason)).toEqual(['it is declined here, and approved at the provider'])
})

test('a payment that was approved twice is left to a person', async () => {
  const paid = await till.pay()
  await lose(paid.id)
  const twice = (all: readonly ListedOperation[]) =>
    all.flatMap((one) => {
      const other = { attemptId: crypto.randomUUID(), authorization: 'other' }
      return one.transactionId === paid.id ? [one, { ...one, ...other }] : [one]
    })

  const { entered, refused } = await recover({ change: twice })

  expect(entered).toEqual([])
  expect(new Set(refused)).toEqual(
    new Set(['authorize: its payment was approved more than once: a person has to decide']),
  )
})
