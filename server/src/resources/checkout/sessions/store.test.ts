import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain/ids.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD } from '#testing/till.ts'
import { forgetCard, forgetCode } from './forget-card.ts'
import * as sessions from './store.ts'

let service: TestService
let scope: Scope
beforeAll(async () => {
  service = await startTestService()
  scope = { ...service.context, merchantAccountId: 'default' }
})
afterAll(() => service.close())

const enter = (id: string) =>
  service.send(`PUT /checkout/sessions/${id}/fields`, { payment_method: CARD }, { token: null })
const filled = async (): Promise<string> => {
  const { id } = (await service.send('POST /checkout/sessions', { amount: 1299, country: 'GB' })).json()
  await enter(id)
  return id
}

test('a payment finds its session only in its own merchant account', async () => {
  const id = await filled()

  const session = await sessions.findForPayment(scope, id)

  expect(session).toMatchObject({
    id,
    merchant_account_id: 'default',
    amount: 1299,
    country: 'GB',
    method: 'card',
    number_token: expect.any(String),
    security_code_token: expect.any(String),
    scheme: 'visa',
    expiration_date: '12/40',
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const other = { ...scope, merchantAccountId: 'other' }
  expect(await sessions.findForPayment(other, id)).toBeUndefined()
  expect(await inTransaction(other, (tx) => sessions.lockForPayment(tx, id))).toBeUndefined()
  expect(await inTransaction(other, (tx) => sessions.claim(tx, id, newId()))).toBe(false)
})

test('a session has one payment at a time', async () => {
  const id = await filled()
  const [first, second] = [newId(), newId()]
  const claim = (transactionId: string) => inTransaction(scope, (tx) => sessions.claim(tx, id, transactionId))

  const claims = await Promise.all([claim(first), claim(second)])

  expect(claims.toSorted()).toEqual([false, true])
  const holder = (await sessions.findForPayment(scope, id))?.transaction_id
  expect([first, second]).toContain(holder)
  // The same payment may continue after its process has died.
  expect(await claim(String(holder))).toBe(true)
  await inTransaction(scope, (tx) => sessions.release(tx, id))
  expect(await claim(second)).toBe(true)
})

test('a payment that began in time finds its session after it has expired', async () => {
  const id = await filled()
  const later = { ...scope, clock: () => new Date(Date.now() + 3_700_000) }

  expect(await sessions.findForPayment(later, id)).toBeUndefined()
  expect(await inTransaction(later, (tx) => sessions.lockForPayment(tx, id))).toMatchObject({
    id,
    number_token: expect.any(String),
    security_code_token: null,
  })
})

test('the security code is deleted after the first answer, and the card after it has paid', async () => {
  const id = await filled()
  const session = await sessions.findForPayment(scope, id)
  const tokens = [session?.number_token, session?.security_code_token]
  expect(await inVault(tokens)).toEqual(['entered-number', 'security-code'])

  await inTransaction(scope, (tx) => forgetCode(tx, service.vault, { id }))
  await inTransaction(scope, (tx) => forgetCode(tx, service.vault, { id }))
  expect(await inVault(tokens)).toEqual(['entered-number'])
  expect((await sessions.findForPayment(scope, id))?.number_token).toBe(session?.number_token)

  await inTransaction(scope, (tx) => forgetCard(tx, service.vault, { id }))
  await inTransaction(scope, (tx) => forgetCard(tx, service.vault, { id }))
  expect(await inVault(tokens)).toEqual([])
  expect((await service.send(`GET /checkout/sessions/${id}`)).json().payment_method).toBeNull()
})

test('after a failed payment, another card can be entered', async () => {
  const id = await filled()
  await inTransaction(scope, async (tx) => {
    await sessions.claim(tx, id, newId())
    await forgetCode(tx, service.vault, { id })
    await sessions.release(tx, id)
  })

  const response = await enter(id)

  expect(response.statusCode).toBe(204)
  expect(await sessions.findForPayment(scope, id)).toMatchObject({ method: 'card', transaction_id: null })
})

test('nothing can be entered once the session is paid', async () => {
  const id = await filled()
  await inTransaction(scope, async (tx) => {
    await sessions.claim(tx, id, newId())
    await forgetCard(tx, service.vault, { id })
  })

  const response = await enter(id)

  expect(response.statusCode).toBe(400)
  expect(response.json().details).toMatchObject([
    {
      location: 'path',
      pointer: '/session_id',
      message: 'create another checkout session: this one is paid, or is being paid',
    },
  ])
  expect((await service.send(`DELETE /checkout/sessions/${id}`)).statusCode).toBe(204)
})

/** The fields in the vault under these tokens. */
async function inVault(tokens: readonly unknown[]): Promise<string[]> {
  const { rows } = await service.database.pool.query(
    'select field from vault.items where token = any($1::uuid[]) order by field',
    [tokens],
  )
  return rows.map(({ field }) => field)
}
