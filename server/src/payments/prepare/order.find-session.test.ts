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

test('a card that is entered again while the payment opens the session is the one that pays', async () => {
  const id = await enteredSession()
  const other = (await service.send('POST /checkout/sessions', {})).json().id
  await enter(other, { ...CARD, number: '5555555555554444' })

  const response = await changeBeforeOpening(service, () => pay(id), [
    removeItems(id),
    sql`
      update checkout_sessions as session
      set (number_token, fingerprint, label, scheme, bin) = (
        select number_token, fingerprint, label, scheme, bin from checkout_sessions where id = ${other}
      ) where session.id = ${id}`,
  ])

  expect(response.statusCode, response.body).toBe(201)
  expect(response.json()).toMatchObject({
    status: 'authorization_succeeded',
    payment_method: { label: '4444', scheme: 'mastercard' },
  })
})

test('whoever enters cards again and again does not hold up the payment', async () => {
  const labels = new Set(['1111', '4444'])
  for (let round = 0; round < 5; round += 1) {
    const id = await enteredSession()
    let isPaid = false
    const entering = [CARD, { ...CARD, number: '5555555555554444' }].map(async (card) => {
      while (!isPaid) await enter(id, card)
    })
    const response = await pay(id)
    isPaid = true
    await Promise.all(entering)

    expect(response.statusCode, response.body).toBe(201)
    expect(labels).toContain(response.json().payment_method.label)
    const left = await sql`
      select from vault.items join checkout_sessions as session
        on token in (session.number_token, session.security_code_token) where session.id = ${id}
    `.execute(service.context.db)
    expect(left.rows).toEqual([])
  }
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
