import { describe, expect, test } from 'vitest'
import type { AccountManifest } from '#connectors/contract/manifest.ts'
import { allowListOf, scrubRequest, scrubResponse } from './scrub.ts'

const NUMBER = '4111111111111111'
const SECRET = 'sk_live_hushhushhush'

const manifest: AccountManifest = {
  id: 'test-card',
  displayName: 'Test',
  fields: [],
  isSimulator: true,
  shownInTranscripts: [
    ...['status', 'currency', 'message', 'amount.value', 'id=pay_*', 'x-trace', 'authorization', '!data'],
    ...['/v1', '/payments/*', '/tokens', '/capture'],
  ],
}
const rules = { allowed: allowListOf(manifest), secrets: [SECRET] }

const contentOf = (body: unknown) =>
  scrubRequest('https://provider.example/v1', { method: 'POST', body: JSON.stringify(body) }, rules).body
    ?.content
const urlOf = (url: string) => scrubRequest(url, undefined, rules).url

describe('a value', () => {
  test.each([
    [
      'is hidden by default',
      { number: NUMBER, age: 42, isNew: true },
      {
        number: '*** (16 characters)',
        age: '*** (number)',
        isNew: '*** (boolean)',
      },
    ],
    [
      'is shown if its name is listed',
      { status: 'done', deep: [{ status: 2 }] },
      {
        status: 'done',
        deep: [{ status: 2 }],
      },
    ],
    [
      'is shown only within the field that is listed',
      { amount: { value: 1299 }, error: { value: 1299 }, value: 7 },
      {
        amount: { value: 1299 },
        error: { value: '*** (number)' },
        value: '*** (number)',
      },
    ],
    [
      'is shown only with the start that is listed',
      { id: 'pay_1', other: { id: 'tok_1' } },
      {
        id: 'pay_1',
        other: { id: '*** (5 characters)' },
      },
    ],
    [
      'is hidden in lists of other payments',
      { data: [{ status: 'done' }], status: 'done' },
      {
        data: [{ status: '*** (4 characters)' }],
        status: 'done',
      },
    ],
    ['may be missing', { number: null, status: null }, { number: null, status: null }],
  ])('%s', (_name, sent, shown) => {
    expect(contentOf(sent)).toEqual(shown)
  })

  test.each([
    [`declined ${NUMBER}`, 'declined ***'],
    ['the number 4111 1111 1111 1111 is wrong', 'the number *** *** *** *** is wrong'],
    ['No such payment_intent: ‘pi_3abcdef’', 'No such payment_intent: ***'],
    ["Invalid email address: 'ada@example.com'", 'Invalid email address: ***'],
    ['ada@example.com is no address', '*** is no address'],
    ['the code 123 does not match', 'the code *** does not match'],
    ['the token tok1abcdef is spent', 'the token *** is spent'],
    ['a key AbCdEfGhIjKlMnOpQrStUvWxYz is wrong', 'a key *** is wrong'],
    [`key ${SECRET} expired`, 'key *** expired'],
    [`x${SECRET}y`, 'x***y'],
    ['Your card was declined.', 'Your card was declined.'],
    ['line\nbreak\u0000\u202e\ud800', 'line�break��\ufffd'],
    ['a'.repeat(5_000), `${'a'.repeat(300)}…`],
    ['a '.repeat(5_000), `${'a '.repeat(150)}…`],
  ])('that is shown keeps no secret (%#)', (message, shown) => {
    expect(contentOf({ message })).toEqual({ message: shown })
  })

  test('in a form is found by its name in brackets', () => {
    const body = new URLSearchParams([
      ['amount[value]', '1299'],
      ['card[number]', NUMBER],
      ['items[0][status]', 'new'],
      ['status', 'a'],
      ['status', 'b'],
      [NUMBER, 'x'],
    ])

    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    const shown = scrubRequest(
      'https://provider.example/',
      { method: 'post', headers, body: String(body) },
      rules,
    )

    expect(shown.method).toBe('POST')
    expect(shown.body).toEqual({
      kind: 'form',
      size: String(body).length,
      content: {
        'amount[value]': '1299',
        'card[number]': '*** (16 characters)',
        'items[0][status]': 'new',
        status: ['a', 'b'],
        '*** (name 1)': '*** (1 characters)',
      },
    })
  })
})

describe('a name', () => {
  test('that could be a value is hidden', () => {
    const content = contentOf({ [NUMBER]: 1, [SECRET]: 2, 'a b': 3, ['x'.repeat(65)]: 4, line1: 5 })

    expect(Object.keys(content as object)).toEqual([
      '*** (name 1)',
      '*** (name 2)',
      '*** (name 3)',
      '*** (name 4)',
      'line1',
    ])
  })

  test('of a prototype changes nothing', () => {
    const body = '{"__proto__": {"status": "done"}, "constructor": 1}'

    const shown = scrubRequest('https://provider.example/', { body }, rules)

    expect(JSON.stringify(shown.body?.content)).toBe(
      '{"__proto__":{"status":"done"},"constructor":"*** (number)"}',
    )
  })
})

describe('a body', () => {
  test.each([
    ['no body', null, null],
    ['an empty body', '', null],
    ['no JSON', '<html>4111111111111111</html>', { kind: 'other', size: 29, content: null }],
    ['cut JSON', '{"status": "do', { kind: 'other', size: 14, content: null }],
    ['bytes', Buffer.from('secret'), { kind: 'other', size: 6, content: null }],
    ['a number alone', NUMBER, { kind: 'other', size: 16, content: null }],
    ['a huge one', `{"status": "${'x'.repeat(70_000)}"}`, { kind: 'json', size: 70_014, content: null }],
    [
      'many values',
      JSON.stringify(Array.from({ length: 30 }, () => Array(30).fill(0))),
      {
        kind: 'other',
        size: 1_861,
        content: null,
      },
    ],
    [
      'a number over neighbours',
      '{"status":[411111,111111,1111]}',
      { kind: 'json', size: 31, content: { status: ['***'] } },
    ],
    ['numbers', `{"status":${NUMBER}}`, { kind: 'json', size: 27, content: { status: '***' } }],
    [
      'a long list',
      JSON.stringify(Array(50).fill(0)),
      {
        kind: 'json',
        size: 101,
        content: [...Array(40).fill('*** (number)'), '*** (10 more)'],
      },
    ],
    [
      'deep nesting',
      `${'{"a":'.repeat(5_000)}0${'}'.repeat(5_000)}`,
      {
        kind: 'json',
        size: 30_001,
        content: expect.objectContaining({ a: expect.anything() }),
      },
    ],
    [
      'deep lists',
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      { kind: 'other', size: 10_000, content: null },
    ],
  ])('that is %s', (_name, body, shown) => {
    expect(scrubRequest('https://provider.example/', { method: 'POST', body }, rules).body).toEqual(shown)
  })
})

describe('an address', () => {
  test.each([
    [
      'https://provider.example/v1/payments/pay_1/capture',
      'https://provider.example/v1/payments/pay_1/capture',
    ],
    ['https://provider.example/v1/tokens/tok_1', 'https://provider.example/v1/tokens/*** (5 characters)'],
    ['https://provider.example/v2/payments', 'https://provider.example/*** (2 characters)/payments'],
    ['https://user:pass@provider.example/v1#part', 'https://provider.example/v1'],
    [`https://provider.example/v1/payments/${NUMBER}`, 'https://provider.example/v1/payments/***'],
    [`https://provider.example/v1/payments/%34111111111111111`, 'https://provider.example/v1/payments/***'],
    [`https://${SECRET.replaceAll('_', '-')}.example/v1`, 'https://sk-live-hushhushhush.example/v1'],
    [`https://provider.example/v1/payments/${SECRET}`, 'https://provider.example/v1/payments/***'],
    [
      'https://provider.example/v1?status=new&key=abc&key=de',
      'https://provider.example/v1?status=new&key=*** (3 characters)&key=*** (2 characters)',
    ],
    ['https://provider.example/v1/payments/%E0%A4%A', 'https://provider.example/v1/payments/%E0%A4%A'],
    ['file:///etc/passwd', '*** (18 characters)'],
    ['nonsense', '*** (8 characters)'],
  ])('%s', (url, shown) => {
    expect(urlOf(url)).toBe(shown)
  })
})

describe('headers', () => {
  test('of a request are shown by name, and by value if allowed', () => {
    const headers = {
      Authorization: `Bearer ${SECRET}`,
      'X-Api-Key': SECRET,
      'Idempotency-Key': '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0030',
      'X-Trace': SECRET,
      'X-Other': 'a',
    }

    expect(scrubRequest('https://provider.example/', { headers }, rules).headers).toEqual({
      authorization: '***',
      'x-api-key': '***',
      'idempotency-key': '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0030',
      'x-trace': '***',
      'x-other': '***',
    })
  })

  test('of an answer are left out unless they are allowed', () => {
    const headers = new Headers({
      'set-cookie': 'a=b',
      'x-other': 'a',
      'x-trace': 'b',
      'content-type': 'text/html',
    })

    const shown = scrubResponse({ status: 503, headers }, Buffer.from('<html>'), rules)

    expect(shown).toEqual({
      status_code: 503,
      headers: { 'content-type': 'text/html', 'x-trace': 'b' },
      body: { kind: 'other', size: 6, content: null },
    })
  })
})

test('without a list, no value is shown', () => {
  const { shownInTranscripts: _, ...bare } = manifest
  const body = JSON.stringify({ status: 'done', amount: { value: 1 } })

  const shown = scrubRequest(
    'https://provider.example/v1',
    { body },
    { allowed: allowListOf(bare), secrets: [] },
  )

  expect(shown.url).toBe('https://provider.example/*** (2 characters)')
  expect(shown.body?.content).toEqual({ status: '*** (4 characters)', amount: { value: '*** (number)' } })
})
