import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createStandIn, type Message, STAND_IN_ACCOUNT } from '#sandbox/stand-ins/sift/stand-in.ts'
import { describeJudged } from '#testing/generated-orders.ts'
import { openContract } from '#testing/published-contract.ts'
import { describeAntiFraudConnector } from '../contract/anti-fraud-suite.ts'
import type { Link } from '../contract/connector.ts'
import { judgedOrder, testLink } from '../contract/samples.ts'
import { sift } from './connector.ts'
import contract from './testing/contract.json' with { type: 'json' }

const { decide, readNotification } = sift
if (!readNotification) throw new Error('the connector reads no notifications')

/** What Sift's own libraries send and read. Every request and answer of this file is compared with it. */
const published = openContract(contract)

const ORDER = judgedOrder()
const { buyer: BUYER } = ORDER
const sent: Message[] = []
const standIn = createStandIn({
  now: () => new Date(),
  send: async (message) => {
    sent.push(message)
    return 204
  },
})

function linkTo(over: Partial<Link> = {}): Link {
  return testLink({ fetch: published.watch(standIn.fetch), fields: { ...STAND_IN_ACCOUNT }, ...over })
}

const ask = (emailAddress: string, link = linkTo()) => decide({ ...ORDER, ...sentBy(emailAddress) }, link)

const sentBy = (emailAddress: string) => ({ buyer: BUYER && { ...BUYER, emailAddress } })

describeAntiFraudConnector(sift, async () => {
  await standIn.control('/_stand-in/webhook', { url: 'https://switchyard.example.com/notifications' })
  return {
    link: linkTo({ fields: { ...STAND_IN_ACCOUNT, beacon_key: 'beacon1' } }),
    wrongFields: { ...STAND_IN_ACCOUNT, api_key: 'another-key' },
    orderFor: (decision) => sentBy(decision === 'accept' ? 'jane@example.com' : `${decision}@example.com`),
    review: async (id, decision) => {
      const name = decision === 'accept' ? 'looks_good_payment_abuse' : 'block_order_payment_abuse'
      await standIn.control(`/_stand-in/orders/${id}/decide`, { decision: name })
      const { headers = {}, body = '' } = sent.at(-1) ?? {}
      return { headers, body: Buffer.from(body) }
    },
  }
})

/** Answers of Sift as it might send them one day. */
const scripted = (body: unknown, status = 200) =>
  linkTo({
    fetch: async () =>
      typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status }),
  })

describe('a decision', () => {
  test.each([
    ['jane@example.com', 'accept'],
    ['reject@example.com', 'reject'],
    ['watch@example.com', 'review'],
    ['review@example.com', 'review'],
  ])('of the workflow about %s is %s', async (address, decision) => {
    expect(await ask(address)).toEqual({
      outcome: 'decided',
      decision,
      reference: expect.stringMatching(/^run\d+$/),
    })
  })

  test('about a user says nothing of the order', async () => {
    expect(await ask('user@example.com')).toEqual({
      outcome: 'error',
      reason: 'the workflow decided about a user, not about the order',
    })
  })

  test('is not there without a workflow', async () => {
    expect(await ask('none@example.com')).toEqual({ outcome: 'skipped', reason: 'no_workflow' })
  })

  test('that Sift does not list among those of orders is an error that says what to do', async () => {
    const link = linkTo({
      fetch: async (url, init) =>
        url.includes('/decisions') ? Response.json({ data: [], has_more: false }) : standIn.fetch(url, init),
    })

    expect(await ask('jane@example.com', link)).toMatchObject({
      outcome: 'error',
      reason: expect.stringContaining('set its entity to Orders'),
    })
  })

  test('needs the list of decisions once, and again for a new one', async () => {
    let lists = 0
    let isNew = true
    const link = linkTo({
      fetch: async (url, init) => {
        if (!url.includes('/decisions')) return standIn.fetch(url, init)
        lists += 1
        if (!isNew) return standIn.fetch(url, init)
        isNew = false
        return Response.json({ data: [{ id: 'other', category: 'ACCEPT' }], has_more: false })
      },
    })

    await ask('reject@example.com', link)
    const answer = await ask('reject@example.com', link)

    expect([answer, lists]).toEqual([expect.objectContaining({ decision: 'reject' }), 2])
  })

  test('is found on a later page of the list', async () => {
    const link = linkTo({
      fetch: async (url, init) => {
        if (!url.includes('/decisions')) return standIn.fetch(url, init)
        return url.includes('from=0')
          ? Response.json({ data: [{ id: 'other', category: 'accept' }], has_more: true })
          : Response.json({ data: [{ id: 'block_order_payment_abuse', category: 'BLOCK' }], has_more: false })
      },
    })

    expect(await ask('reject@example.com', link)).toMatchObject({ decision: 'reject' })
  })
})

describe('an order', () => {
  test('reaches Sift with everything that it takes, and with no more of the card than its first six digits', async () => {
    await ask(
      'jane@example.com',
      linkTo({ fields: { ...STAND_IN_ACCOUNT, site_country: 'NL', site_domain: 'shop.example.nl' } }),
    )

    expect(standIn.orders.get(ORDER.transactionId)).toEqual({
      $type: '$create_order',
      $api_key: STAND_IN_ACCOUNT.api_key,
      $order_id: ORDER.transactionId,
      $user_id: 'customer-4711',
      $session_id: 'session-of-the-browser',
      $user_email: 'jane@example.com',
      $amount: 12_990_000,
      $currency_code: 'USD',
      $payment_methods: [{ $payment_type: '$credit_card', $card_bin: '411111' }],
      $billing_address: {
        $name: 'Jane Doe',
        $phone: '+13125550100',
        $address_1: '1 Main St',
        $city: 'Chicago',
        $region: 'US-IL',
        $zipcode: '60601',
        $country: 'US',
      },
      $ip: '192.0.2.1',
      $site_country: 'NL',
      $site_domain: 'shop.example.nl',
    })
  })

  test.each([
    ['JPY', 0, 500, 500_000_000],
    ['KWD', 3, 1_234, 1_234_000],
    ['CLF', 4, 10_000, 1_000_000],
  ])('in %s is counted in millionths', async (currency, minorUnits, amount, micros) => {
    await decide({ ...ORDER, currency, minorUnits, amount }, linkTo())

    expect(standIn.orders.get(ORDER.transactionId)?.['$amount']).toBe(micros)
  })

  test.each([
    ['an id with a space by our own id', { externalIdentifier: 'Jane Doe 7' }, BUYER?.id],
    ['no id by e-mail', { externalIdentifier: null, id: null }, 'jane@example.com'],
  ])('of a buyer with %s', async (_name, over, id) => {
    await decide({ ...ORDER, buyer: BUYER && { ...BUYER, ...over } }, linkTo())

    expect(standIn.orders.get(ORDER.transactionId)?.['$user_id']).toBe(id)
  })

  test.each(['paypal', 'klarna', 'ideal', 'gift-card', 'sepa', 'ach', 'applepay'])(
    'paid by %s has a kind that Sift knows',
    async (method) => {
      expect(await decide({ ...ORDER, method, bin: null }, linkTo())).toMatchObject({ outcome: 'decided' })
    },
  )

  test('of an unknown buyer is skipped, and not sent', async () => {
    let asked = 0
    const link = linkTo({
      fetch: async () => {
        asked += 1
        return new Response()
      },
    })

    expect(await decide({ ...ORDER, buyer: null, fingerprint: null }, link)).toEqual({
      outcome: 'skipped',
      reason: 'no_buyer',
    })
    expect(asked).toBe(0)
  })

  test('of a guest goes by the session of the script', async () => {
    expect(await decide({ ...ORDER, buyer: null }, linkTo())).toMatchObject({ outcome: 'decided' })
  })
})

describe('an answer', () => {
  test.each([
    ['an unknown key', { ...STAND_IN_ACCOUNT, api_key: 'another-key' }, 'error', 'does not know the API key'],
    ['a wrong account id', { ...STAND_IN_ACCOUNT, account_id: 'another' }, 'error', 'refused the account id'],
  ])('to %s names it', async (_name, fields, outcome, reason) => {
    expect(await ask('jane@example.com', linkTo({ fields }))).toEqual({
      outcome,
      reason: expect.stringContaining(reason),
    })
  })

  test.each([
    ['too many requests', { status: 60 }, 429, 'unavailable'],
    ['too many requests, by number', { status: 60 }, 400, 'unavailable'],
    ['its own trouble', { status: -1 }, 200, 'unavailable'],
    ['a server error', 'oops', 503, 'unavailable'],
    ['a field that is wrong', { status: 53, error_message: 'Invalid: 4111111111111111' }, 400, 'error'],
    ['no JSON', 'ok', 200, 'unknown'],
    ['a list', [], 200, 'unknown'],
    ['no list of workflows', { status: 0 }, 200, 'unknown'],
    ['workflows that are no list', { status: 0, score_response: { workflow_statuses: {} } }, 200, 'unknown'],
    ['a refused key without a status', 'denied', 401, 'error'],
  ])('with %s', async (_name, body, status, outcome) => {
    const answer = await ask('jane@example.com', scripted(body, status))

    expect(answer).toEqual({ outcome, reason: expect.any(String) })
    expect(JSON.stringify(answer)).not.toContain('4111111111111111')
  })

  test('that does not come says so', async () => {
    const link = linkTo({ fetch: () => Promise.reject(new TypeError('fetch failed')) })

    expect(await ask('jane@example.com', link)).toEqual({
      outcome: 'unavailable',
      reason: 'Sift could not be reached',
    })
  })
})

describe('the result of a review', () => {
  async function told(decision: string, over: Partial<Message> = {}, fields: object = STAND_IN_ACCOUNT) {
    await ask('review@example.com')
    await standIn.control('/_stand-in/webhook', { url: 'https://switchyard.example.com/notifications' })
    await standIn.control(`/_stand-in/orders/${ORDER.transactionId}/decide`, { decision })
    const message = sent.at(-1) as Message
    expect(published.problemsOfWebhook('decision', JSON.parse(message.body))).toEqual([])
    const { headers, body } = { ...message, ...over }
    return readNotification?.(
      { headers, body: Buffer.from(body), query: {} } as never,
      linkTo({ fields: { ...fields } }),
    )
  }

  test.each([
    ['looks_good_payment_abuse', 'accept'],
    ['block_order_payment_abuse', 'reject'],
  ])('%s is %s', async (id, decision) => {
    expect(await told(id)).toEqual({ outcome: 'read', transactionId: ORDER.transactionId, decision })
  })

  test('that keeps watching changes nothing', async () => {
    expect(await told('watch_order_payment_abuse')).toEqual({ outcome: 'ignored' })
  })

  test('about a user changes nothing', async () => {
    const body = JSON.stringify({ entity: { type: 'user', id: 'jane' }, decision: { id: 'x' }, time: 1 })
    expect(await told('looks_good_payment_abuse', resigned(body))).toEqual({ outcome: 'ignored' })
  })

  test.each([
    ['another body', { body: '{}' }],
    ['no signature', { headers: {} }],
    ['a signature by SHA-1', { headers: { 'x-sift-science-signature': `sha1=${'0'.repeat(40)}` } }],
  ])('with %s is refused', async (_name, over) => {
    expect(await told('looks_good_payment_abuse', over)).toEqual({
      outcome: 'rejected',
      message: 'The signature does not fit.',
    })
  })

  test('is refused without a signature key, which anybody could leave out', async () => {
    const { webhook_secret: _, ...fields } = STAND_IN_ACCOUNT
    expect(await told('looks_good_payment_abuse', {}, fields)).toMatchObject({ outcome: 'rejected' })
  })

  test.each([
    'no json',
    '[]',
    '{"entity":{"type":"order"}}',
    '{"entity":{"type":"order","id":7},"decision":{"id":"x"}}',
  ])('that reads %s is refused', async (body) => {
    expect(await told('looks_good_payment_abuse', resigned(body))).toEqual({
      outcome: 'rejected',
      message: 'The body is no decision of Sift.',
    })
  })
})

function resigned(body: string): Partial<Message> {
  const mac = createHmac('sha256', STAND_IN_ACCOUNT.webhook_secret).update(body).digest('hex')
  return { body, headers: { 'x-sift-science-signature': `sha256=${mac}` } }
}

describeJudged(sift, { open: () => linkTo(), watch: published.watch })
