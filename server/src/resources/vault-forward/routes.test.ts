import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '#domain/ids.ts'
import { readIdempotencyKey } from '#platform/idempotency/idempotency.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { byHand } from '#testing/model/guard.ts'
import { openTokenDesk, requestorIds, type TokenDesk } from '#testing/network-tokens.ts'
import { selfSigned } from '#testing/self-signed.ts'

const NUMBER = '4111111111111111'
const OTHER_NUMBER = '5555555555554444'

type Received = { readonly request: IncomingMessage; readonly body: Buffer }
type Reply = (received: Received, response: ServerResponse) => void

let service: TestService
let desk: TokenDesk
let url = ''
let received: Received[] = []
let reply: Reply
let cards: string[] = []
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const got = { request, body: Buffer.concat(chunks) }
  received.push(got)
  reply(got, response)
})

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/bookings`
  service = await startTestService()
  await service.send('PUT /merchant-accounts/default', requestorIds('default'))
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
  desk = openTokenDesk(service, 'default')
  cards = [await store(NUMBER, '12/40'), await store(OTHER_NUMBER, '01/41')]
})
beforeEach(() => {
  received = []
  reply = (_got, response) => response.end('taken')
})
afterAll(async () => {
  await service.close()
  receiver.closeAllConnections()
  receiver.close()
})

async function store(number: string, expiration_date: string, options = {}): Promise<string> {
  const made = await service.send(
    'POST /payment-methods',
    { method: 'card', number, expiration_date },
    options,
  )
  return made.json().id
}

type Given = {
  readonly headers?: Record<string, string | undefined>
  readonly type?: string
  readonly options?: Record<string, unknown>
}

function forward(
  body: string | Buffer,
  { headers = {}, type = 'application/json', options = {} }: Given = {},
) {
  const { headers: others = {}, ...rest } = options as { headers?: object }
  const given = { url, 'http-method': 'POST', 'payment-methods': cards[0], ...headers }
  const named = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[`x-vault-forward-${name}`, value]],
  )
  return service.send('POST /vault-forward', body, {
    ...rest,
    headers: { 'content-type': type, ...Object.fromEntries(named), ...others },
  })
}

const sent = () => received.map(({ body }) => body.toString())

test('fills the places, and passes the answer back', async () => {
  reply = (_got, response) => {
    response.writeHead(201, { 'content-type': 'application/xml', 'x-booking': 'B-1', 'set-cookie': 'a=b' })
    response.end('<booking>ü</booking>')
  }

  const response = await forward(
    '{"a":[{"n":"{{ CARD_NUMBER_1 }}","d":"{{CARD_EXPIRATION_DATE_1}}"},{"n":"{{ CARD_NUMBER_2 }}","m":{{CARD_EXPIRATION_MONTH_2}},"y":{{ CARD_EXPIRATION_YEAR_2 }}}],"t":"{{ theirs }}"}',
    {
      headers: {
        'http-method': 'PUT',
        'payment-methods': cards.join(', '),
        'header-authorization': 'Bearer 123',
        'header-x-shop': 'a, b',
      },
    },
  )

  expect(sent()).toEqual([
    `{"a":[{"n":"${NUMBER}","d":"12/40"},{"n":"${OTHER_NUMBER}","m":01,"y":2041}],"t":"{{ theirs }}"}`,
  ])
  const { method, url: path, headers } = (received[0] as Received).request
  expect(method).toBe('PUT')
  expect(path).toBe('/bookings')
  expect(headers).toMatchObject({
    authorization: 'Bearer 123',
    'x-shop': 'a, b',
    'content-type': 'application/json',
    'accept-encoding': 'identity',
  })
  expect(
    Object.keys(headers).filter((name) => name.startsWith('x-vault') || name === 'idempotency-key'),
  ).toEqual([])
  expect(response.statusCode).toBe(201)
  expect(response.body).toBe('<booking>ü</booking>')
  expect(response.headers).toMatchObject({
    'content-type': 'application/xml',
    'x-booking': 'B-1',
    'x-vault-forward-outcome': 'answered',
    'content-security-policy': 'sandbox',
  })
  expect(response.headers['set-cookie']).toBeUndefined()
})

test('counts no error of the other server among ours', async () => {
  reply = (_got, response) => response.writeHead(503).end('away')

  const response = await forward('{}')
  const refused = await forward('{{ CARD_NUMBER_2 }}')

  const { body } = await service.app.inject('/metrics')
  const counted = body.split('\n').filter((line) => /_count\{.*operation="forward_vault"/.test(line))
  expect([response.statusCode, refused.statusCode]).toEqual([503, 400])
  expect(counted.join('\n')).toMatch(/status="200"/)
  expect(counted.join('\n')).toMatch(/status="400"/)
  expect(counted.join('\n')).not.toMatch(/status="503"/)
})

test('records each number that is taken out, and takes none out without a place', async () => {
  const revealed = async () => {
    const { rows } = await sql<{ id: string }>`
      select resource_id as id from audit_logs where action = 'revealed' and resource_name like 'vault forward to 127.0.0.1:%'
    `.execute(service.context.db)
    return rows.map(({ id }) => id)
  }
  const before = await revealed()

  await forward('{"n":"{{ CARD_NUMBER_2 }}"}', { headers: { 'payment-methods': cards.join() } })

  expect((await revealed()).slice(before.length)).toEqual([cards[1]])
})

test.each([
  ['application/x-www-form-urlencoded', 'd={{ CARD_EXPIRATION_DATE_1 }}', 'd=12%2F40'],
  ['text/xml; charset=utf-8', '<d>{{ CARD_EXPIRATION_DATE_1 }}</d>', '<d>12/40</d>'],
  ['text/plain', '{{ CARD_EXPIRATION_DATE_1 }}', '12/40'],
])('takes a body of type %s', async (type, body, filled) => {
  const response = await forward(body, { type })

  expect(response.statusCode, response.body).toBe(200)
  expect(sent()).toEqual([filled])
})

test('sends bytes as they are', async () => {
  const body = Buffer.concat([Buffer.from([0, 255, 0x80]), Buffer.from('{{CARD_NUMBER_1}}')])

  await forward(body, { type: 'application/octet-stream', headers: { escaping: 'none' } })

  expect(received[0]?.body).toEqual(Buffer.concat([Buffer.from([0, 255, 0x80]), Buffer.from(NUMBER)]))
})

test('sends a body without places, and none at all', async () => {
  await forward('{"a":1}')
  await forward('')

  expect(sent()).toEqual(['{"a":1}', ''])
})

describe('an answer with a card number', () => {
  test.each([
    ['of the request', NUMBER, '***'],
    ['with spaces', '4242 4242 4242 4242', '***'],
    ['that is none', '1234567890123456789', '1234567890123456789'],
  ])('%s', async (_which, number, shown) => {
    reply = (_got, response) => {
      response.setHeader('x-echo', number)
      response.end(`<a n="${number}">`)
    }

    const response = await forward('{"n":"{{ CARD_NUMBER_1 }}"}')

    expect(response.body).toBe(`<a n="${shown}">`)
    expect(response.headers['x-echo']).toBe(shown)
  })

  test('is searched although it is packed', async () => {
    reply = (_got, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end(gzipSync(`{"n":"${NUMBER}"}`))
    }

    const response = await forward('{"n":"{{ CARD_NUMBER_1 }}"}')

    expect(response.body).toBe('{"n":"***"}')
    expect(response.headers['content-encoding']).toBeUndefined()
  })

  test('is not passed on if it cannot be searched', async () => {
    reply = (_got, response) => {
      response.setHeader('content-encoding', 'zstd')
      response.end(NUMBER)
    }

    const response = await forward('{"n":"{{ CARD_NUMBER_1 }}"}')

    expect([response.statusCode, response.body]).toEqual([200, ''])
    expect(response.headers['x-vault-forward-outcome']).toBe('answer_broken')
  })
})

describe('no answer', () => {
  test('in time', async () => {
    reply = () => {}

    const response = await forward('{}', { headers: { timeout: '1' } })

    expect([response.statusCode, response.body]).toEqual([200, ''])
    expect(response.headers['x-vault-forward-outcome']).toBe('timed_out')
  })

  test('because nobody listens', async () => {
    const response = await forward('{}', { headers: { url: 'http://127.0.0.1:9/' } })

    expect([response.statusCode, response.body]).toEqual([200, ''])
    expect(response.headers['x-vault-forward-outcome']).toBe('unreachable')
  })

  test('that is longer than a megabyte', async () => {
    reply = (_got, response) => response.end('x'.repeat(1024 * 1024 + 1))

    const response = await forward('{}')

    expect([response.statusCode, response.body]).toEqual([200, ''])
    expect(response.headers['x-vault-forward-outcome']).toBe('answer_broken')
  })

  test('of the page that a redirect leads to', async () => {
    reply = (_got, response) => response.writeHead(302, { location: url }).end()

    const response = await forward('{}')

    expect(response.statusCode).toBe(302)
    expect(response.headers['location']).toBe(url)
    expect(received).toHaveLength(1)
  })
})

describe('a checkout session', () => {
  async function enter(payment_method: object): Promise<string> {
    const session = (await service.send('POST /checkout/sessions', {})).json().id
    const entered = await service.send(
      `PUT /checkout/sessions/${session}/fields`,
      { payment_method },
      { token: null },
    )
    expect(entered.statusCode, entered.body).toBe(204)
    return session
  }
  const BODY = '{{ CARD_NUMBER_1 }} {{ CARD_EXPIRATION_DATE_1 }} {{ CARD_SECURITY_CODE_1 }}'
  const text = { type: 'text/plain' }

  test('gives the card that was entered in it, with its code', async () => {
    const session = await enter({
      method: 'card',
      number: NUMBER,
      expiration_date: '11/39',
      security_code: '123',
    })

    const response = await forward(BODY, {
      ...text,
      headers: { 'payment-methods': undefined, 'checkout-session': session },
    })

    expect(response.statusCode, response.body).toBe(200)
    expect(sent()).toEqual([`${NUMBER} 11/39 123`])
  })

  test('gives the code for a stored card', async () => {
    const session = await enter({ method: 'id', id: cards[1], security_code: '456' })

    await forward(BODY, { ...text, headers: { 'payment-methods': undefined, 'checkout-session': session } })
    await forward(BODY, { ...text, headers: { 'payment-methods': cards[0], 'checkout-session': session } })

    expect(sent()).toEqual([`${OTHER_NUMBER} 01/41 456`, `${NUMBER} 12/40 456`])
  })

  test('whose code is gone gives none', async () => {
    const session = await enter({
      method: 'card',
      number: NUMBER,
      expiration_date: '11/39',
      security_code: '123',
    })
    service.moveClock(20 * 60_000)

    const response = await forward(BODY, {
      ...text,
      headers: { 'payment-methods': undefined, 'checkout-session': session },
    })

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'body', type: 'value_error.not_found' }])
    expect(response.body).toContain('{{ CARD_SECURITY_CODE_1 }} has no value')
    expect(received).toEqual([])
  })
})

test('forwards a network token with its cryptogram', async () => {
  const token = await desk.make({ method: 'card', number: NUMBER, expiration_date: '12/40' })

  const response = await forward(
    '{{ NETWORK_TOKEN_NUMBER_1 }} {{ NETWORK_TOKEN_EXPIRATION_DATE_1 }} {{ NETWORK_TOKEN_CRYPTOGRAM_1 }} {{ NETWORK_TOKEN_ECI_1 }}',
    { type: 'text/plain', headers: { 'payment-methods': token.payment_method_id } },
  )

  expect(response.statusCode, response.body).toBe(200)
  const [number, date, cryptogram, eci] = sent()[0]?.split(' ') ?? []
  expect(number).toBe(token.token)
  expect(date).toMatch(/^\d\d\/\d\d$/)
  expect(cryptogram).toMatch(/^[A-Za-z0-9+/]{20,}=*$/)
  expect(eci).toMatch(/^0\d$/)
})

test('a card without a network token has no value for its place', async () => {
  const response = await forward('"{{ NETWORK_TOKEN_NUMBER_1 }}"')

  expect(response.statusCode).toBe(400)
  expect(response.body).toContain('{{ NETWORK_TOKEN_NUMBER_1 }} has no value')
})

describe('refuses', () => {
  const many = Array.from({ length: 101 }, () => newId())
  test.each([
    ['no URL', { url: undefined }, '/x-vault-forward-url', 'value_error.missing'],
    ['what is no URL', { url: 'api' }, '/x-vault-forward-url', 'value_error.url'],
    ['a private address', { url: 'http://10.0.0.1/' }, '/x-vault-forward-url', 'value_error.url'],
    ['a password in the URL', { url: 'https://a:b@example.com/' }, '/x-vault-forward-url', 'value_error.url'],
    ['no method', { 'http-method': undefined }, '/x-vault-forward-http-method', 'value_error.missing'],
    ['another method', { 'http-method': 'GET' }, '/x-vault-forward-http-method', 'type_error.enum'],
    ['no card', { 'payment-methods': undefined }, '/x-vault-forward-payment-methods', 'value_error.missing'],
    ['what is no id', { 'payment-methods': NUMBER }, '/x-vault-forward-payment-methods', 'type_error.uuid'],
    [
      'too many cards',
      { 'payment-methods': many.join() },
      '/x-vault-forward-payment-methods',
      'value_error.list.max_items',
    ],
    [
      'an unknown card',
      { 'payment-methods': newId() },
      '/x-vault-forward-payment-methods',
      'value_error.not_found',
    ],
    [
      'an unknown session',
      { 'checkout-session': newId() },
      '/x-vault-forward-checkout-session',
      'value_error.not_found',
    ],
    [
      'two sessions',
      { 'checkout-session': `${newId()},${newId()}` },
      '/x-vault-forward-checkout-session',
      'value_error.list.max_items',
    ],
    ['no time', { timeout: '0' }, '/x-vault-forward-timeout', 'type_error.integer'],
    ['much time', { timeout: '51' }, '/x-vault-forward-timeout', 'type_error.integer'],
    [
      'a misspelled header',
      { 'payment-method': newId() },
      '/x-vault-forward-payment-method',
      'value_error.extra',
    ],
    [
      'a header of the connection',
      { 'header-host': 'a' },
      '/x-vault-forward-header-host',
      'value_error.extra',
    ],
    [
      'card data in a header',
      { 'header-x-card': '{{ CARD_NUMBER_1 }}' },
      '/x-vault-forward-header-x-card',
      'value_error.conflict',
    ],
    ['an unknown escaping', { escaping: 'yaml' }, '/x-vault-forward-escaping', 'type_error.enum'],
  ])('%s', async (_what, headers, pointer, type) => {
    const response = await forward('{"n":"{{ CARD_NUMBER_1 }}"}', { headers })

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'header', pointer, type }])
    expect(response.body).not.toContain(NUMBER)
    expect(received).toEqual([])
  })

  test.each([
    [
      'a place beyond the cards',
      '{{ CARD_NUMBER_2 }}',
      '{{ CARD_NUMBER_2 }} has no value: the request names one card',
    ],
    ['a misspelled place', '{{ CARD_CVV_1 }}', 'there is no place {{ CARD_CVV_1 }}'],
    ['the code of a stored card', '{{ CARD_SECURITY_CODE_1 }}', '{{ CARD_SECURITY_CODE_1 }} has no value'],
  ])('%s', async (_what, body, message) => {
    const response = await forward(body)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'body', type: 'value_error.not_found' }])
    expect(response.body).toContain(message)
    expect(received).toEqual([])
  })

  test('a place in a body whose type does not tell how to write it', async () => {
    const response = await forward('{{ CARD_NUMBER_1 }}', { type: 'application/octet-stream' })

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ pointer: '/x-vault-forward-escaping' }])
  })

  test('the card of another account', async () => {
    const other = await store(NUMBER, '12/40', { account: 'other-shop' })

    const response = await forward('{}', { headers: { 'payment-methods': other } })

    expect(response.statusCode).toBe(400)
  })

  test('a deleted card', async () => {
    const id = await store(NUMBER, '12/40')
    await service.send(`DELETE /payment-methods/${id}`)

    const response = await forward('{"n":"{{ CARD_NUMBER_1 }}"}', { headers: { 'payment-methods': id } })

    expect(response.statusCode).toBe(400)
    expect(received).toEqual([])
  })

  test('a token without the scope', async () => {
    const token = await signToken(service.admin, { scopes: ['payment-methods.write'] })

    expect((await forward('{}', { options: { token } })).statusCode).toBe(403)
    expect((await forward('{}', { options: { token: null } })).statusCode).toBe(401)
    expect(received).toEqual([])
  })
})

describe('an authentication', () => {
  const SECRET = 'a-secret-of-both-sides'
  const hmac = { display_name: 'Signature', kind: 'hmac', secret: SECRET, header: 'X-Signature' }
  const make = (body: object) => service.send('POST /vault-forward/authentications', body)
  const here = () => new URL(url).host

  test('signs the body as it is sent, and shows no secret', async () => {
    const made = await make({ ...hmac, host: here(), encoding: 'base64', algorithm: 'sha512' })
    const { items } = (await service.send('GET /vault-forward/authentications')).json()

    const response = await forward('{"n":"{{ CARD_NUMBER_1 }}"}', {
      headers: { authentications: made.json().id, 'header-x-signature': 'mine' },
    })

    expect(response.statusCode, response.body).toBe(200)
    const signature = createHmac('sha512', SECRET).update(`{"n":"${NUMBER}"}`).digest('base64')
    expect(received[0]?.request.headers['x-signature']).toBe(signature)
    expect(made.statusCode, made.body).toBe(201)
    expect(items).toEqual([made.json()])
    expect(made.json()).toMatchObject({ header: 'x-signature', algorithm: 'sha512', encoding: 'base64' })
    expect(made.body).not.toContain(SECRET)
  })

  test('proves within TLS who sends the request', async () => {
    const [shown, client] = [selfSigned('localhost'), selfSigned('merchant')]
    const known = getCACertificates('default')
    setDefaultCACertificates([...known, shown.cert])
    onTestFinished(() => setDefaultCACertificates(known))
    const secure = createTlsServer(
      { ...shown, requestCert: true, rejectUnauthorized: false },
      (request, response) =>
        response.end(String((request.socket as TLSSocket).getPeerCertificate().subject?.CN)),
    )
    secure.listen(0, '127.0.0.1')
    onTestFinished(() => void secure.close())
    await once(secure, 'listening')
    const host = `localhost:${(secure.address() as AddressInfo).port}`
    const certificate = { display_name: 'Certificate', kind: 'mutual_tls', host, certificate: client.cert }
    const made = await make({ ...certificate, private_key: client.key })
    const other = await make({ ...certificate, private_key: shown.key })

    const response = await forward('{}', {
      headers: { url: `https://${host}/`, authentications: made.json().id },
    })

    expect(made.statusCode, made.body).toBe(201)
    expect(made.body).not.toContain('PRIVATE KEY')
    expect(other.json().details).toMatchObject([{ pointer: '/private_key', type: 'value_error.conflict' }])
    expect(response.headers['x-vault-forward-outcome']).toBe('answered')
    expect(response.body).toBe('merchant')
  })

  test('is for one host, and gone when it is deleted', async () => {
    const elsewhere = (await make({ ...hmac, host: 'api.example.com' })).json().id
    const own = (await make({ ...hmac, host: here() })).json().id
    await service.send(`DELETE /vault-forward/authentications/${own}`)

    for (const id of [elsewhere, own, newId(), 'x']) {
      const response = await forward('{}', { headers: { authentications: id } })
      expect(response.statusCode).toBe(400)
      expect(response.json().details).toMatchObject([{ pointer: '/x-vault-forward-authentications' }])
    }
    expect(received).toEqual([])
  })

  test.each([
    ['/secret', { secret: undefined }],
    ['/secret', { secret: 'short' }],
    ['/header', { header: 'a b' }],
    ['/header', { header: 'Content-Length' }],
    ['/certificate', { certificate: 'x' }],
    ['/host', { host: 'https://api.example.com' }],
    [
      '/certificate',
      { kind: 'mutual_tls', secret: undefined, header: undefined, certificate: 'x', private_key: 'y' },
    ],
    ['/algorithm', { algorithm: 'md5' }],
  ])('refuses what is wrong at %s', async (pointer, over) => {
    const response = await make({ ...hmac, host: 'api.example.com', ...over })

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'body', pointer }])
    expect(response.body).not.toContain(SECRET)
  })
})

describe('with an idempotency key', () => {
  const keyed = (key: string) => ({ options: { headers: { 'idempotency-key': key } } })

  test('is sent once, and repeats its answer', async () => {
    reply = (_got, response) => response.writeHead(402, { 'x-booking': '7' }).end(`no: ${received.length}`)

    const first = await forward('{"n":"{{ CARD_NUMBER_1 }}"}', keyed('once'))
    const again = await forward('{"n":"{{ CARD_NUMBER_1 }}"}', keyed('once'))
    const other = await forward('{"n":"{{ CARD_NUMBER_1 }}","a":1}', keyed('once'))

    expect([first.statusCode, first.body]).toEqual([402, 'no: 1'])
    expect([again.statusCode, again.body]).toEqual([402, 'no: 1'])
    expect(again.headers).toMatchObject({ 'x-booking': '7', 'idempotent-replayed': 'true' })
    expect(other.statusCode).toBe(422)
    expect(received).toHaveLength(1)
  })

  test('is not sent again after a request that was refused was mended', async () => {
    const refused = await forward('{{ CARD_NUMBER_2 }}', keyed('mended'))
    const mended = await forward('{{ CARD_NUMBER_1 }}', keyed('mended'))

    expect(refused.statusCode).toBe(400)
    expect(mended.statusCode, mended.body).toBe(200)
    expect(sent()).toEqual([NUMBER])
  })

  test('is not sent again if nobody knows whether it arrived', async () => {
    await forward('{"n":"{{ CARD_NUMBER_1 }}"}', keyed('cut off'))
    // As a process leaves it that dies while it waits for the answer.
    await byHand(
      service.context.db,
      sql`update idempotency_keys set status = null, response = null, leased_until = 'epoch'
        where key = ${readIdempotencyKey(service.secrets, 'cut off')}`,
    )

    const again = await forward('{"n":"{{ CARD_NUMBER_1 }}"}', keyed('cut off'))

    expect([again.statusCode, again.body]).toEqual([200, ''])
    expect(again.headers['x-vault-forward-outcome']).toBe('unknown')
    expect(received).toHaveLength(1)
  })
})

describe('in production', () => {
  let production: TestService
  let card = ''
  beforeAll(async () => {
    production = await startTestService({ environment: 'production' })
    const made = await production.send('POST /payment-methods', {
      method: 'card',
      number: NUMBER,
      expiration_date: '12/40',
    })
    card = made.json().id
  })
  afterAll(() => production.close())

  const forwardTo = (target: string, method = 'POST') =>
    production.send('POST /vault-forward', '{}', {
      headers: {
        'content-type': 'application/json',
        'x-vault-forward-url': target,
        'x-vault-forward-http-method': method,
        'x-vault-forward-payment-methods': card,
      },
    })
  const enable = (body: object) => production.send('POST /vault-forward/endpoints', body)

  test('a host has to be enabled, with its paths and methods', async () => {
    const before = await forwardTo('https://nobody.example.com/bookings')
    const made = await enable({ host: 'Nobody.Example.com:443', paths: ['/bookings'], methods: ['POST'] })
    const after = await forwardTo('https://nobody.example.com/bookings/7?a=b')
    const path = await forwardTo('https://nobody.example.com/bookings2')
    const dots = await forwardTo('https://nobody.example.com/bookings/%2e%2e/other')
    const method = await forwardTo('https://nobody.example.com/bookings', 'PUT')
    const port = await forwardTo('https://nobody.example.com:8443/bookings')

    expect(made.statusCode, made.body).toBe(201)
    expect(made.json()).toMatchObject({ host: 'nobody.example.com', paths: ['/bookings'], methods: ['POST'] })
    expect(before.json().details[0].message).toContain('enable nobody.example.com first')
    // There is no such host.
    expect([after.statusCode, after.headers['x-vault-forward-outcome']]).toEqual([200, 'unreachable'])
    expect([before, path, dots, method, port].map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(400))

    await production.send(`DELETE /vault-forward/endpoints/${made.json().id}`)
    expect((await forwardTo('https://nobody.example.com/bookings')).statusCode).toBe(400)
  })

  test('a host is enabled once, listed, and on record', async () => {
    const first = await enable({ host: 'api.example.com:8443' })
    const second = await enable({ host: 'API.example.com:8443' })
    const { items } = (await production.send('GET /vault-forward/endpoints')).json()
    const entries = (await production.send('GET /audit-logs?resource_type=vault-forward-endpoint')).json()
      .items

    expect(first.json()).toMatchObject({
      host: 'api.example.com:8443',
      paths: [],
      methods: ['POST', 'PUT', 'PATCH'],
    })
    expect(second.statusCode).toBe(409)
    expect(items).toMatchObject([{ id: first.json().id }])
    expect(entries[0]).toMatchObject({ action: 'created', resource: { name: 'api.example.com:8443' } })
  })

  test.each([
    'https://api.example.com',
    'localhost',
    '10.0.0.1',
    'api.example.com/x',
    'a.example.com:0',
    'a.example.com:99999',
    '',
  ])('%j is no host', async (host) => {
    const response = await enable({ host })

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ pointer: '/host' }])
  })

  test.each([
    ['/paths/0', { paths: ['bookings'] }],
    ['/paths/0', { paths: ['/a b'] }],
    ['/methods/0', { methods: ['GET'] }],
    ['/methods', { methods: [] }],
  ])('refuses what is wrong at %s', async (pointer, body) => {
    const response = await enable({ host: 'other.example.com', ...body })

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ pointer }])
  })
})
