import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeBeforeOpening } from '#testing/change-before-opening.ts'
import { startTestService, type TestService } from '#testing/harness.ts'

const CARD = { method: 'card', number: '4111111111111111', expiration_date: '12/30' }

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

async function enteredSession(): Promise<string> {
  const session = (await service.send('POST /checkout/sessions', {})).json()
  await enter(session.id, CARD)
  return session.id
}

const enter = (id: string, payment_method: object) =>
  service.send(`PUT /checkout/sessions/${id}/fields`, { payment_method }, { token: null })

const pay = (id: string) => {
  const payment_method = { method: 'checkout-session', id }
  const headers = { 'idempotency-key': `pay-${id}` }
  return service.send('POST /transactions', { amount: 1299, currency: 'USD', payment_method }, { headers })
}

const removeItems = (id: string) => sql`
  delete from vault.items using checkout_sessions as session
  where session.id = ${id} and token in (session.number_token, session.security_code_token)
`

test('a card that is entered again during the payment is answered with 425', async () => {
  const id = await enteredSession()

  const response = await changeBeforeOpening(service, () => pay(id), [
    removeItems(id),
    sql`update checkout_sessions set number_token = gen_random_uuid() where id = ${id}`,
  ])
  await enter(id, CARD)
  const again = await pay(id)

  expect(response.statusCode, response.body).toBe(425)
  expect(response.json()).toMatchObject({ code: 'too_early' })
  expect(response.headers['retry-after']).toBe('1')
  expect(again.json()).toMatchObject({ status: 'authorization_succeeded' })
})

test('a session that is deleted while it is paid is not found', async () => {
  const id = await enteredSession()

  const response = await changeBeforeOpening(service, () => pay(id), [
    removeItems(id),
    sql`delete from checkout_sessions where id = ${id}`,
  ])
  const again = await pay(id)

  expect(response.statusCode, response.body).toBe(400)
  expect(response.json().details).toMatchObject([
    { pointer: '/payment_method/id', type: 'value_error.not_found' },
  ])
  expect(again.json()).toEqual(response.json())
})

test('a session that another request has paid is refused as paid', async () => {
  const id = await enteredSession()

  const response = await changeBeforeOpening(service, () => pay(id), [
    removeItems(id),
    sql`update checkout_sessions set transaction_id = gen_random_uuid() where id = ${id}`,
  ])

  expect(response.statusCode, response.body).toBe(400)
  expect(response.json().details).toMatchObject([
    { pointer: '/payment_method/id', type: 'value_error.conflict' },
  ])
})

test('a row whose token is not in the vault is a server error', async () => {
  const id = await enteredSession()

  const response = await changeBeforeOpening(service, () => pay(id), [removeItems(id)])

  expect(response.statusCode).toBe(500)
})

test('a session whose row names another card is not charged', async () => {
  const victim = await enteredSession()
  const id = (await service.send('POST /checkout/sessions', {})).json().id
  await enter(id, { ...CARD, number: '5555555555554444' })

  await sql`
    update checkout_sessions as session set number_token = other.number_token
    from checkout_sessions as other where session.id = ${id} and other.id = ${victim}
  `.execute(service.context.db)
  const response = await pay(id)

  expect(response.statusCode, response.body).toBe(400)
  expect(response.json().details).toMatchObject([{ pointer: '/payment_method/id' }])
})
