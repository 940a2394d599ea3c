import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { MISSING, pointers } from '#testing/answers.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { CARD } from '#testing/till.ts'

const HOUR_MS = 3_600_000

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  await service.send('POST /buyers', { external_identifier: 'ada' })
})
afterAll(() => service.close())
afterEach(() => vi.restoreAllMocks())

const pay = (payment_method: object, body: object = {}) =>
  service.send('POST /transactions', { amount: 1299, currency: 'USD', payment_method, ...body })
const store = async (card: object = {}, account = 'default') =>
  (await service.send('POST /payment-methods', { ...CARD, ...card }, { account })).json().id
const addBuyer = async () => (await service.send('POST /buyers', { display_name: 'Ada' })).json().id

/** What the processor received. */
function instruments(): object[] {
  const sent: object[] = []
  const { fetch } = service.providers
  vi.spyOn(service.providers, 'fetch').mockImplementation((url, init) => {
    if (url.endsWith('/authorizations')) sent.push(JSON.parse(String(init?.body)).instrument)
    return fetch(url, init)
  })
  return sent
}

describe('tokens and wallets', () => {
  const SECRET = { data: 'canary-payload', header: { ephemeralPublicKey: 'canary-key' } }
  const PAN = { number: '5555555555554444', expiration_date: '11/41' }
  const TOKEN = { token: '4900000000000086', expiration_date: '12/40' }
  /** The card details beside a wallet's token, if none were given. */
  const NO_MORE = {
    checkout_token: null,
    cardholder_name: null,
    card_scheme: null,
    card_type: null,
    account_verified: null,
    card_holder_authenticated: null,
  }

  test.each<[string, object, object, object]>([
    [
      'network-token',
      {
        ...TOKEN,
        cryptogram: 'canary-cryptogram',
        eci: '05',
        card_scheme: 'visa',
        card_suffix: '1111',
        cardholder_name: 'canary-name',
        card_source: 'apple-pay',
      },
      {
        method: 'network-token',
        instrument_type: 'network_token',
        payment_method: { mode: 'card', label: '1111', scheme: 'visa', expiration_date: '12/40' },
      },
      {
        type: 'network-token',
        number: TOKEN.token,
        expiration_date: '12/40',
        cryptogram: 'canary-cryptogram',
        eci: '05',
        cardholder_name: 'canary-name',
        card_source: 'apple-pay',
      },
    ],
    [
      'applepay',
      {
        token: SECRET,
        card_suffix: '1111',
        card_scheme: 'Visa',
        card_type: 'credit',
        cardholder_name: 'canary-name',
      },
      {
        method: 'applepay',
        instrument_type: 'applepay',
        payment_method: { mode: 'applepay', label: '1111', scheme: 'visa', fingerprint: null },
      },
      {
        ...NO_MORE,
        type: 'wallet',
        wallet: 'applepay',
        payload: JSON.stringify(SECRET),
        card_scheme: 'Visa',
        card_type: 'credit',
        cardholder_name: 'canary-name',
      },
    ],
    [
      'googlepay',
      {
        token: JSON.stringify(SECRET),
        card_scheme: 'A new one',
        assurance_details: { account_verified: true, card_holder_authenticated: false },
      },
      {
        method: 'googlepay',
        instrument_type: 'googlepay',
        payment_method: { mode: 'googlepay', scheme: null },
      },
      {
        ...NO_MORE,
        type: 'wallet',
        wallet: 'googlepay',
        payload: JSON.stringify(SECRET),
        card_scheme: 'A new one',
        account_verified: true,
        card_holder_authenticated: false,
      },
    ],
    [
      'googlepay',
      { token: SECRET },
      { method: 'googlepay', instrument_type: 'googlepay' },
      { ...NO_MORE, type: 'wallet', wallet: 'googlepay', payload: JSON.stringify(SECRET) },
    ],
    [
      'googlepay_pan_only',
      PAN,
      {
        method: 'googlepay_pan_only',
        instrument_type: 'pan',
        payment_method: { mode: 'googlepay', label: '4444', scheme: 'mastercard' },
      },
      { type: 'card', ...PAN, security_code: null, wallet: 'googlepay_pan_only' },
    ],
    [
      'click-to-pay',
      PAN,
      {
        method: 'click-to-pay',
        instrument_type: 'pan',
        payment_method: { mode: 'click-to-pay', label: '4444' },
      },
      { type: 'card', ...PAN, security_code: null, wallet: 'click-to-pay' },
    ],
    [
      'click-to-pay',
      { ...TOKEN, cryptogram: 'canary-cryptogram' },
      { method: 'click-to-pay', instrument_type: 'network_token', payment_method: { mode: 'click-to-pay' } },
      {
        type: 'network-token',
        number: TOKEN.token,
        expiration_date: '12/40',
        cryptogram: 'canary-cryptogram',
        eci: null,
        cardholder_name: null,
        card_source: null,
      },
    ],
    [
      'paze',
      { token: 'canary-payload', checkout_token: 'canary-key', card_suffix: '1111' },
      { method: 'paze', instrument_type: 'card_token', payment_method: { mode: 'paze', label: '1111' } },
      {
        ...NO_MORE,
        type: 'wallet',
        wallet: 'paze',
        payload: 'canary-payload',
        checkout_token: 'canary-key',
      },
    ],
  ])('%s %o is passed on as it came, and not kept', async (method, given, shown, sent) => {
    const seen = instruments()

    const response = await pay({ method, ...given })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({ status: 'authorization_succeeded', ...shown })
    expect(seen).toEqual([sent])
    for (const secret of ['canary-', TOKEN.token, PAN.number]) expect(await tablesWith(secret)).toEqual([])
  })

  test('a wallet’s card is found by its scheme', async () => {
    const payment_method = { method: 'googlepay', token: 'x', card_scheme: 'MASTERCARD' }
    const { id } = (await pay(payment_method, { amount: 7_301 })).json()

    const find = async (scheme: string) => {
      const query = `payment_method_scheme=${scheme}&amount_eq=7301`
      const { items } = (await service.send(`GET /transactions?${query}`)).json()
      return items.map((item: { id: string }) => item.id)
    }

    expect([await find('mastercard'), await find('visa')]).toEqual([[id], []])
  })

  test.each<[string, object, [string, string]]>([
    ['applepay', { token: 'text' }, ['token', 'type_error.object']],
    ['applepay', {}, ['token', 'value_error.missing']],
    ['googlepay', { token: 7 }, ['token', 'type_error.string']],
    [
      'googlepay_pan_only',
      { ...PAN, security_code: '123' },
      ['security_code', expect.stringMatching(/^type_error/)],
    ],
    ['click-to-pay', { ...PAN, number: '5555555555554445' }, ['number', 'value_error.luhn']],
    ['click-to-pay', TOKEN, ['cryptogram', 'value_error.missing']],
    ['paze', { token: {} }, ['token', 'type_error.string']],
    ['network-token', { ...TOKEN, eci: '123' }, ['eci', 'value_error.any_str.max_length']],
    ['network-token', { ...TOKEN, expiration_date: '13/40' }, ['expiration_date', 'value_error.str.regex']],
    ['network-token', { ...TOKEN, expiration_date: '01/20' }, ['expiration_date', 'value_error.expired']],
    ['network-token', { ...TOKEN, card_source: 'paper' }, ['card_source', 'type_error.enum']],
    ['abacus', {}, ['method', 'type_error.enum']],
  ])('%s %o is refused', async (method, given, [name, type]) => {
    const response = await pay({ method, ...given })

    expect(response.statusCode, response.body).toBe(400)
    expect(pointers(response)[0]).toEqual([`/payment_method/${name}`, type])
  })
})

describe('a stored card', () => {
  test('is charged with its number, and the audit log records it', async () => {
    const id = await store()
    const seen = instruments()

    const response = await pay({ method: 'id', id, security_code: '987' })

    expect(response.json()).toMatchObject({
      status: 'authorization_succeeded',
      instrument_type: 'pan',
      payment_method: { id, method: 'card', label: '1111', expiration_date: '12/40' },
    })
    expect(seen).toEqual([
      { type: 'card', number: CARD.number, expiration_date: '12/40', security_code: '987', wallet: null },
    ])
    const trail = await service.context.db
      .selectFrom('audit_logs')
      .select(['action', 'resource_type', 'resource_name'])
      .where('resource_id', '=', id)
      .where('action', '=', 'revealed')
      .execute()
    expect(trail).toContainEqual({
      action: 'revealed',
      resource_type: 'payment-method',
      resource_name: 'payment',
    })
  })

  test('is not found if it never existed, was deleted, or is another merchant’s', async () => {
    const deleted = await store()
    await service.send(`DELETE /payment-methods/${deleted}`)
    const theirs = await store({}, 'other')

    for (const id of [MISSING, deleted, theirs]) {
      const response = await pay({ method: 'id', id })

      expect(response.statusCode, response.body).toBe(400)
      expect(pointers(response)).toEqual([['/payment_method/id', 'value_error.not_found']])
    }
  })

  test('of one buyer is not charged for another', async () => {
    const [ada, bob] = [await addBuyer(), await addBuyer()]
    const id = await store({ buyer_id: ada })

    const stolen = await pay({ method: 'id', id }, { buyer_id: bob })
    const own = await pay({ method: 'id', id }, { buyer_id: ada })
    const unnamed = await pay({ method: 'id', id })

    expect(stolen.statusCode).toBe(400)
    expect(pointers(stolen)).toEqual([['/payment_method/id', 'value_error.conflict']])
    expect(own.json().buyer.id).toBe(ada)
    expect(unnamed.json().buyer.id).toBe(ada)
  })

  test('takes only a security code of its scheme’s length', async () => {
    const response = await pay({ method: 'id', id: await store(), security_code: '1234' })

    expect(pointers(response)).toEqual([['/payment_method/security_code', 'value_error.str.regex']])
  })

  test('may be named without its method', async () => {
    const id = await store()

    expect((await pay({ id })).json().payment_method.id).toBe(id)
  })
})

describe('a checkout session', () => {
  let session: string
  beforeEach(async () => {
    const buyer = { external_identifier: 'ada' }
    session = (await service.send('POST /checkout/sessions', { buyer })).json().id
  })
  const storeOfAda = () => store({ buyer_external_identifier: 'ada' })
  const enter = async (payment_method: object, rest: object = {}) => {
    const body = { payment_method, ...rest }
    const response = await service.send(`PUT /checkout/sessions/${session}/fields`, body, { token: null })
    expect(response.statusCode, response.body).toBe(204)
  }
  const paySession = (body: object = {}) => pay({ method: 'checkout-session', id: session }, body)

  test('is paid with the card that was entered', async () => {
    await enter(CARD)
    const seen = instruments()

    const response = await paySession()

    expect(response.json()).toMatchObject({
      status: 'authorization_succeeded',
      checkout_session_id: session,
      cvv_response_code: 'match',
      method: 'card',
      instrument_type: 'pan',
      payment_method: { id: null, label: '1111', scheme: 'visa', expiration_date: '12/40' },
    })
    expect(seen).toMatchObject([{ number: CARD.number, security_code: CARD.security_code }])
  })

  test('may be paid with a stored card of its buyer, and the code that was entered', async () => {
    const id = await storeOfAda()
    await enter({ method: 'id', id, security_code: '333' })

    const response = await paySession()

    expect(response.json()).toMatchObject({
      status: 'authorization_succeeded',
      payment_method: { id },
      cvv_response_code: 'no_match',
    })
  })

  test('may be paid with a stored card without a buyer, if the session names none', async () => {
    const stored = (await service.send('POST /payment-methods', CARD)).json().id
    const plain = (await service.send('POST /checkout/sessions', {})).json().id
    const fields = { payment_method: { method: 'id', id: stored } }
    await service.send(`PUT /checkout/sessions/${plain}/fields`, fields, { token: null })
    const payment_method = { method: 'checkout-session', id: plain }
    const embed = await signToken(service.admin, { scopes: ['embed'], checkout_session_id: plain })

    await service.send(`PUT /checkout/sessions/${plain}`, { buyer: { external_identifier: 'ada' } })
    const ofAda = await pay(payment_method)
    await service.send(`PUT /checkout/sessions/${plain}`, { buyer: null })
    const body = { amount: 1299, currency: 'USD', payment_method }
    const paid = await service.send('POST /transactions', body, { token: embed })

    expect(pointers(ofAda)).toEqual([['/payment_method/id', 'value_error.not_found']])
    expect(paid.json()).toMatchObject({ status: 'authorization_succeeded', payment_method: { id: stored } })
  })

  test('with a stored card of its buyer cannot be paid for another one', async () => {
    const id = await storeOfAda()
    await enter({ method: 'id', id })

    const response = await paySession({ buyer_id: await addBuyer() })

    expect(pointers(response)).toEqual([['/payment_method/id', 'value_error.conflict']])
  })

  test('with a stored card that was deleted since cannot be paid', async () => {
    const id = await storeOfAda()
    await enter({ method: 'id', id })
    await service.send(`DELETE /payment-methods/${id}`)

    expect(pointers(await paySession())).toEqual([['/payment_method/id', 'value_error.not_found']])
  })

  test('in which nothing was entered cannot be paid', async () => {
    const response = await paySession()

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe('Request failed validation')
    expect(pointers(response)).toEqual([['/payment_method/id', 'value_error.not_found']])
  })

  test('that was deleted, has expired, or is another merchant’s is not found', async () => {
    const expired = session
    await enter(CARD)
    const deleted = (await service.send('POST /checkout/sessions')).json().id
    await service.send(`DELETE /checkout/sessions/${deleted}`)
    const theirs = (await service.send('POST /checkout/sessions', {}, { account: 'other' })).json().id
    service.moveClock(HOUR_MS)

    const answers = await Promise.all(
      [expired, deleted, theirs, MISSING].map((id) => pay({ method: 'checkout-session', id })),
    )
    service.moveClock(-HOUR_MS)

    for (const answer of answers) {
      expect(answer.statusCode, answer.body).toBe(400)
      expect(pointers(answer)).toEqual([['/payment_method/id', 'value_error.not_found']])
    }
  })

  test('is paid once', async () => {
    await enter(CARD)
    await paySession()

    const again = await paySession()

    expect(again.statusCode).toBe(400)
    expect(pointers(again)).toEqual([['/payment_method/id', 'value_error.conflict']])
  })

  test('of ten payments at once, one is made', async () => {
    await enter(CARD)

    const answers = await Promise.all(Array.from({ length: 10 }, () => paySession({ intent: 'capture' })))

    const made = answers.filter(({ statusCode }) => statusCode === 201)
    expect(made).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(9)
    expect(made[0]?.json().status).toBe('capture_succeeded')
  })

  test('may be paid again after a decline, without the code', async () => {
    await enter(CARD)
    const declined = (await paySession({ amount: 200011 })).json()
    expect(declined).toMatchObject({ status: 'authorization_declined', cvv_response_code: 'match' })

    const response = await paySession()

    expect(response.json()).toMatchObject({
      status: 'authorization_succeeded',
      cvv_response_code: 'not_provided',
    })
  })

  test('with Click to Pay is refused, as we cannot open it', async () => {
    await enter({
      method: 'click-to-pay',
      merchant_transaction_id: 'order-4711',
      src_correlation_id: 'correlation',
      src_dpa_id: 'shop',
    })

    expect(pointers(await paySession())).toEqual([['/payment_method/id', 'value_error.not_found']])
  })
})

/** The tables outside the vault in which a text occurs. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'simulator')
  `.execute(service.context.db)
  const found = []
  for (const { name } of rows) {
    const hits =
      await sql`select 1 from ${sql.raw(name)} as t where strpos(t::text, ${text}) > 0 limit 1`.execute(
        service.context.db,
      )
    if (hits.rows.length > 0) found.push(name)
  }
  return found
}
