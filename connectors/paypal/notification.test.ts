import { generateKeyPairSync, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Connector, Link, Message } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { makeSigningKey } from '#sandbox/stand-ins/paypal/certificate.ts'
import { STAND_IN_CLIENT } from '#sandbox/stand-ins/paypal/stand-in.ts'
import { payPal } from './connectors.ts'
import { MAPPING } from './mapping.ts'
import { AMEX, type Desk, newOrder, openStandIn, pageOf, press, REDIRECT } from './testing/bench.ts'

const { authorize, capture, complete, refund, readNotification, registerNotifications } =
  payPal as Required<Connector>
const DAY = 24 * 3_600_000

let desk: Desk
let link: Link
beforeEach(() => {
  desk = openStandIn()
  link = desk.link
})

async function authorized(over: Partial<AuthorizeOrder> = {}) {
  const order = samples.authorizeOrder(newOrder({ instrument: AMEX, ...over }))
  const { reference } = (await authorize(order, link)) as { reference: string }
  return { order, reference }
}

async function told(type: string) {
  return readNotification(desk.messageOf(type), link)
}

async function control(path: string, body: object): Promise<string> {
  const url = `${desk.standIn.url()}/_stand-in/${path}`
  const response = await desk.standIn.fetch(url, { method: 'POST', body: JSON.stringify(body) })
  return ((await response.json()) as { id: string }).id
}

describe('an event tells', () => {
  test('that the buyer has approved', async () => {
    const order = samples.authorizeOrder(newOrder({ instrument: REDIRECT }))
    const answer = await authorize(order, link)
    if (answer.outcome !== 'approval_required') throw new Error(answer.outcome)
    await press(desk, pageOf(answer), 'approve')

    const { attemptId, reconciliationId } = order
    const subject = { reference: answer.reference, attemptId, reconciliationId }
    expect(await told('CHECKOUT.ORDER.APPROVED')).toEqual({
      outcome: 'read',
      notifications: [{ about: 'approvable', ...subject }],
    })
    expect((await complete({ ...order, reference: answer.reference, returned: null }, link)).outcome).toBe(
      'approved',
    )
  })

  test('of an authorization, and of one that is denied', async () => {
    const { order, reference } = await authorized()
    const { attemptId, reconciliationId } = order

    expect(await told('PAYMENT.AUTHORIZATION.CREATED')).toMatchObject({
      notifications: [
        {
          about: 'authorization',
          reference,
          attemptId,
          reconciliationId,
          answer: { outcome: 'approved', reference },
        },
      ],
    })
    await control(`authorizations/${reference}`, { status: 'DENIED' })
    expect(await told('PAYMENT.AUTHORIZATION.VOIDED')).toMatchObject({
      notifications: [{ about: 'authorization', reference, answer: { outcome: 'declined' } }],
    })
  })

  test('of a void, which may be PayPal’s own', async () => {
    const { reference } = await authorized()
    await control(`authorizations/${reference}`, { status: 'VOIDED' })

    expect(await told('PAYMENT.AUTHORIZATION.VOIDED')).toMatchObject({
      notifications: [{ about: 'void', reference, answer: { outcome: 'approved' } }],
    })
  })

  test.each(['COMPLETED', 'DECLINED', 'FAILED'])('of a capture that waited: %s', async (status) => {
    const held = await authorized()
    desk.standIn.books.behaviour.captures = 'pending'
    const answer = await capture(samples.captureOrder(held), link)
    if (answer.outcome !== 'pending') throw new Error(answer.outcome)
    const { reference } = answer
    expect(await told('PAYMENT.CAPTURE.PENDING')).toMatchObject({
      notifications: [{ about: 'capture', reference }],
    })

    await control(`captures/${reference}`, { status })

    const type = status === 'FAILED' ? 'PAYMENT.CAPTURE.DENIED' : `PAYMENT.CAPTURE.${status}`
    const outcome = status === 'COMPLETED' ? 'approved' : 'declined'
    const reading = await told(type)
    expect(reading).toMatchObject({ notifications: [{ about: 'capture', reference, answer: { outcome } }] })
    expect(JSON.stringify(reading)).not.toContain(held.order.attemptId)
  })

  test('of a refund, by our own attempt id, and of one that fails after it was completed', async () => {
    const sale = await authorized({ intent: 'capture' })
    const order = samples.refundOrder({ ...sale, captureReference: sale.reference })
    const { reference } = (await refund(order, link)) as { reference: string }
    const { attemptId } = order

    expect(await told('PAYMENT.CAPTURE.REFUNDED')).toMatchObject({
      notifications: [{ about: 'refund', reference, attemptId, answer: { outcome: 'approved' } }],
    })
    await control(`refunds/${reference}`, { status: 'FAILED' })
    expect(await told('PAYMENT.REFUND.FAILED')).toMatchObject({
      notifications: [
        { about: 'refund', reference, answer: { outcome: 'declined' } },
        { about: 'late_failure', of: 'refund', reference, attemptId, failedAt: desk.clock.now() },
      ],
    })
  })

  test('of a chargeback and its reversal, with what moved', async () => {
    const { order, reference } = await authorized({ intent: 'capture' })
    const id = await control('disputes', { capture_id: reference, reason: 'UNAUTHORISED' })
    const now = desk.clock.now()
    const step = {
      dispute: id,
      reference,
      reconciliationId: order.reconciliationId,
      amount: 1299,
      currency: 'USD',
      code: 'UNAUTHORISED',
      postedAt: now,
    }
    const opened = {
      ...step,
      stage: 'chargeback',
      providerStage: 'CHARGEBACK',
      respondBy: new Date(now.getTime() + 10 * DAY),
    }
    const won = { ...step, stage: 'won', providerStage: 'RESOLVED_SELLER_FAVOUR' }

    expect(await told('CUSTOMER.DISPUTE.CREATED')).toMatchObject({
      notifications: [
        { ...opened, about: 'dispute' },
        { ...opened, about: 'chargeback', id: null },
      ],
    })
    await control(`disputes/${id}`, { outcome: 'RESOLVED_SELLER_FAVOUR' })
    expect(await told('CUSTOMER.DISPUTE.RESOLVED')).toMatchObject({
      notifications: [
        { ...won, about: 'dispute' },
        { ...won, about: 'chargeback_reversal', id: null },
      ],
    })
  })

  test('of an inquiry, which moves no money until it is escalated', async () => {
    const { reference } = await authorized({ intent: 'capture' })
    const id = await control('disputes', { capture_id: reference, stage: 'INQUIRY' })
    expect(await told('CUSTOMER.DISPUTE.CREATED')).toMatchObject({
      notifications: [{ about: 'dispute', dispute: id, stage: 'inquiry', amount: 1299 }],
    })

    await control(`disputes/${id}`, {})

    expect(await told('CUSTOMER.DISPUTE.UPDATED')).toMatchObject({
      notifications: [
        { about: 'dispute', stage: 'chargeback' },
        { about: 'chargeback', dispute: id },
      ],
    })
  })

  test.each([
    ['RESOLVED_BUYER_FAVOUR', 'lost', ['dispute', 'chargeback']],
    ['CANCELED_BY_BUYER', 'won', ['dispute']],
    ['NONE', null, ['dispute']],
  ])('what became of an inquiry: %s', async (outcome, stage, abouts) => {
    const { reference } = await authorized({ intent: 'capture' })
    const id = await control('disputes', { capture_id: reference, stage: 'INQUIRY' })
    await control(`disputes/${id}`, { outcome })

    const reading = await told('CUSTOMER.DISPUTE.RESOLVED')

    const notifications = reading.outcome === 'read' ? reading.notifications : []
    expect(notifications.map(({ about }) => about)).toEqual(abouts)
    expect(notifications[0]).toMatchObject({ stage, providerStage: outcome })
  })

  test('of money that PayPal takes back without a dispute, with what went back', async () => {
    const { order, reference } = await authorized({ intent: 'capture' })
    await control(`captures/${reference}`, { status: 'REVERSED' })
    const { reconciliationId } = order
    const chargeback = {
      about: 'chargeback',
      id: null,
      reference,
      reconciliationId,
      amount: 1299,
      currency: 'USD',
      code: 'PAYMENT.CAPTURE.REVERSED',
      postedAt: desk.clock.now(),
    }

    expect(await told('PAYMENT.CAPTURE.REVERSED')).toMatchObject({ notifications: [chargeback] })
    // The resource may also be the capture itself.
    const event = desk.standIn.events.all.findLast(({ type }) => type === 'PAYMENT.CAPTURE.REVERSED')
    const resource = { ...(event?.body['resource'] as object), id: reference, links: [] }
    const message = desk.standIn.events.message(desk.webhook.id, { ...event?.body, resource })
    expect(await readNotification(message, link)).toMatchObject({ notifications: [chargeback] })
  })

  test('a reversal once: that of a dispute is told by the dispute', async () => {
    const { reference } = await authorized({ intent: 'capture' })
    await control('disputes', { capture_id: reference, reason: 'UNAUTHORISED' })

    expect(await told('PAYMENT.CAPTURE.REVERSED')).toEqual({ outcome: 'read', notifications: [] })
    expect(await told('CUSTOMER.DISPUTE.CREATED')).toMatchObject({
      notifications: [{ about: 'dispute' }, { about: 'chargeback' }],
    })
    const deaf = (status: number) => ({
      ...link,
      fetch: async (url: string, init?: RequestInit) =>
        url.includes('/disputes') ? Response.json({ name: 'X' }, { status }) : link.fetch(url, init),
    })
    const message = desk.messageOf('PAYMENT.CAPTURE.REVERSED')
    // Without the feature, the app is told of no dispute, so this is all that it hears.
    expect(await readNotification(message, deaf(403))).toMatchObject({
      notifications: [{ about: 'chargeback' }],
    })
    expect(await readNotification(message, deaf(503))).toMatchObject({
      outcome: 'rejected',
      message: expect.stringContaining('send the message again'),
    })
  })

  test('one chargeback, however often the dispute is told', async () => {
    const { reference } = await authorized({ intent: 'capture' })
    const begun = desk.clock.now()
    const id = await control('disputes', { capture_id: reference })
    desk.clock.move(DAY)
    await control(`disputes/${id}`, {})
    const again = await told('CUSTOMER.DISPUTE.UPDATED')
    await control(`disputes/${id}`, { outcome: 'RESOLVED_SELLER_FAVOUR' })
    const end = await told('CUSTOMER.DISPUTE.RESOLVED')

    expect(again).toMatchObject({
      notifications: [{ about: 'dispute' }, { about: 'chargeback', reference, postedAt: begun }],
    })
    expect(end).toMatchObject({
      notifications: [
        { about: 'dispute', dispute: id },
        { about: 'chargeback_reversal', reference, postedAt: desk.clock.now() },
      ],
    })
    const event = desk.standIn.events.all.findLast(({ type }) => type === 'CUSTOMER.DISPUTE.RESOLVED')
    const later = { ...event?.body, event_type: 'CUSTOMER.DISPUTE.UPDATED' }
    const reading = await readNotification(desk.standIn.events.message(desk.webhook.id, later), link)
    const notifications = reading.outcome === 'read' ? reading.notifications : []
    expect(notifications.map(({ about }) => about)).toEqual(['dispute'])
  })

  test('nothing that we did not ask for', async () => {
    const { standIn, webhook } = desk
    const message = standIn.events.message(webhook.id, { event_type: 'BILLING.PLAN.CREATED', resource: {} })

    expect(await readNotification(message, link)).toEqual({
      outcome: 'read',
      notifications: [],
      unread: ['BILLING.PLAN.CREATED'],
    })
  })

  test('an order that was not carried out in time', async () => {
    const { standIn, webhook } = desk
    const body = { event_type: 'CHECKOUT.PAYMENT-APPROVAL.REVERSED', resource: { order_id: 'O1' } }

    expect(await readNotification(standIn.events.message(webhook.id, body), link)).toMatchObject({
      notifications: [
        { about: 'authorization', reference: 'O1', answer: { code: 'cancelled_buyer_approval' } },
      ],
    })
  })

  test.each(Object.keys(MAPPING.events))(
    'something that can be read, or is rejected: %s',
    async (event_type) => {
      const { standIn, webhook } = desk
      const message = standIn.events.message(webhook.id, { event_type, resource: { status: 'STRANGE' } })

      expect(await readNotification(message, link)).toMatchObject({ outcome: 'rejected' })
    },
  )
})

describe('a message is rejected', () => {
  async function genuine(): Promise<Message> {
    await authorized({ intent: 'capture' })
    return desk.messageOf('PAYMENT.CAPTURE.COMPLETED')
  }
  const rejected = (message: string) => ({ outcome: 'rejected', message: expect.stringContaining(message) })

  test.each([
    ['https://evil.example.com/v1/notifications/certs/CERT-1'],
    ['https://api.paypal.com.evil.example.com/v1/notifications/certs/CERT-1'],
    ['https://evil.example.com@api.paypal.com/v1/notifications/certs/CERT-1'],
    ['https://api.paypal.com:8443/v1/notifications/certs/CERT-1'],
    ['http://api.paypal.com/v1/notifications/certs/CERT-1'],
    ['https://api.paypal.com/v1/notifications/certs/../../CERT-1'],
    ['https://api.paypal.com/v1/notifications/certs/CERT-1?x=1'],
    ['https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1'],
    ['ftp://api.paypal.com/v1/notifications/certs/CERT-1'],
    ['nonsense'],
  ])('in production if its certificate is at %s', async (address) => {
    const { headers, body } = await genuine()
    const asked: string[] = []
    const watched: Link = {
      ...link,
      environment: 'production',
      fetch: (url) => {
        asked.push(url)
        return Promise.reject(new Error('not asked'))
      },
    }

    expect(
      await readNotification({ headers: { ...headers, 'paypal-cert-url': address }, body }, watched),
    ).toEqual(rejected('not at an address of PayPal'))
    expect(asked).toEqual([])
  })

  test('in production if its certificate is at the address of a stand-in', async () => {
    expect(await readNotification(await genuine(), { ...link, environment: 'production' })).toEqual(
      rejected('not at an address of PayPal'),
    )
  })

  test('in a sandbox without a stand-in, if its certificate is PayPal’s for production', async () => {
    const { headers, body } = await genuine()
    const { stand_in_url: _standIn, ...fields } = link.fields
    const address = 'https://api.paypal.com/v1/notifications/certs/CERT-1'

    expect(
      await readNotification(
        { headers: { ...headers, 'paypal-cert-url': address }, body },
        { ...link, fields },
      ),
    ).toEqual(rejected('not at an address of PayPal'))
  })

  test('if it is for another webhook, or the service has none', async () => {
    const message = await genuine()
    const withId = (webhook_id: string) => ({ ...link, fields: { ...link.fields, webhook_id } })

    expect(await readNotification(message, withId('OTHER'))).toEqual(rejected('signature'))
    expect(await readNotification(message, withId(''))).toEqual(rejected('webhook_id'))
  })

  test('if it is a recording, or from the future', async () => {
    const message = await genuine()

    desk.clock.move(3 * DAY)
    expect(await readNotification(message, link)).toMatchObject({ outcome: 'read' })
    desk.clock.move(2 * DAY)
    expect(await readNotification(message, link)).toEqual(rejected('too old'))
    const early = { ...link, now: () => new Date(desk.clock.now().getTime() - 10 * DAY) }
    expect(await readNotification(message, early)).toEqual(rejected('too old'))
  })

  test('if it is signed in another way', async () => {
    const { headers, body } = await genuine()

    for (const algorithm of ['SHA1withRSA', 'none', '']) {
      const message = { headers: { ...headers, 'paypal-auth-algo': algorithm }, body }
      expect(await readNotification(message, link)).toEqual(rejected('algorithm'))
    }
  })

  test.each([
    ['of another company', 'messages.example.com', -1, 1],
    ['that looks like PayPal’s', 'paypal.com.example.com', -1, 1],
    ['that has ended', 'messageverificationcerts.paypal.com', -3, -2],
    ['that is not valid yet', 'messageverificationcerts.paypal.com', 2, 3],
  ])('if its certificate is one %s', async (_what, name, from, until) => {
    const at = (days: number) => new Date(desk.clock.now().getTime() + days * DAY)
    const { key, pem } = makeSigningKey(name, at(from), at(until))
    const { headers, body } = await genuine()
    const { 'paypal-transmission-id': id, 'paypal-transmission-time': time } = headers
    const text = `${id}|${time}|${desk.webhook.id}|${crc32(body)}`
    const signature = sign('sha256', Buffer.from(text), key).toString('base64')
    const serving: Link = { ...link, fetch: async () => new Response(pem) }

    expect(
      await readNotification(
        { headers: { ...headers, 'paypal-transmission-sig': signature }, body },
        serving,
      ),
    ).toEqual(rejected('certificate'))
  })

  test('if another key has signed it', async () => {
    const { headers, body } = await genuine()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const text = `${headers['paypal-transmission-id']}|${headers['paypal-transmission-time']}|${desk.webhook.id}|${crc32(body)}`
    const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64')

    expect(
      await readNotification({ headers: { ...headers, 'paypal-transmission-sig': signature }, body }, link),
    ).toEqual(rejected('signature'))
  })

  test.each(['', 'nonsense', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])(
    'and can be sent again, if its certificate cannot be read: %o',
    async (pem) => {
      const message = await genuine()
      const broken: Link = { ...link, fetch: async () => new Response(pem) }

      expect(await readNotification(message, broken)).toEqual(rejected('send the message again'))
      expect(await readNotification(message, link)).toMatchObject({ outcome: 'read' })
    },
  )
})

test('the certificate is fetched once a day', async () => {
  await authorized({ intent: 'capture' })
  let count = 0
  const watched: Link = {
    ...link,
    fetch: (url, init) => {
      count += Number(url.includes('/certs/'))
      return link.fetch(url, init)
    },
  }
  const read = () => readNotification(desk.messageOf('PAYMENT.CAPTURE.COMPLETED'), watched)

  await read()
  await read()
  expect(count).toBe(1)
  desk.clock.move(DAY)
  await read()
  expect(count).toBe(2)
})

test('a webhook is registered once for an address, for all events that we read', async () => {
  const url = 'https://switchyard.example.com/notifications/2'

  const first = await registerNotifications(url, link)
  const again = await registerNotifications(url, link)

  expect(first).toMatchObject({ outcome: 'registered', fields: { webhook_id: expect.any(String) } })
  expect(again).toEqual(first)
  const made = [...desk.standIn.events.webhooks.values()].find((webhook) => webhook.url === url)
  expect(made?.types).toEqual(Object.keys(MAPPING.events))
  expect(() =>
    desk.standIn.events.register(STAND_IN_CLIENT.id, {
      url,
      event_types: [{ name: 'PAYMENT.AUTHORIZATION.DENIED' }],
    }),
  ).toThrow('INVALID_EVENT_TYPE')
  const wrong = { ...link, fields: { ...link.fields, client_secret: 'x' } }
  expect(await registerNotifications(url, wrong)).toMatchObject({ outcome: 'rejected' })
  const broken = { ...link, fetch: () => Promise.reject(new TypeError('fetch failed')) }
  expect(await registerNotifications(url, broken)).toMatchObject({ outcome: 'unreachable' })
})

test('a webhook that lacks events of ours gets them, beside its own', async () => {
  const { events } = desk.standIn
  const register = (url: string, names: readonly string[]) =>
    events.register(STAND_IN_CLIENT.id, { url, event_types: names.map((name) => ({ name })) })
  const old = register('https://switchyard.example.com/old', [
    'VAULT.PAYMENT-TOKEN.CREATED',
    'PAYMENT.CAPTURE.COMPLETED',
  ])
  const every = register('https://switchyard.example.com/every', ['*'])
  const registered = ({ id }: { readonly id: string }) => ({
    outcome: 'registered',
    fields: { webhook_id: id },
  })

  expect(await registerNotifications(old.url, link)).toEqual(registered(old))
  expect(await registerNotifications(every.url, link)).toEqual(registered(every))

  const types = events.webhooks.get(old.id)?.types
  expect(new Set(types)).toEqual(new Set(['VAULT.PAYMENT-TOKEN.CREATED', ...Object.keys(MAPPING.events)]))
  expect(events.webhooks.get(every.id)?.types).toEqual(['*'])
  const refusing = {
    ...link,
    fetch: async (url: string, init?: RequestInit) =>
      init?.method === 'PATCH' ? Response.json({ name: 'X' }, { status: 400 }) : link.fetch(url, init),
  }
  register(old.url, ['PAYMENT.CAPTURE.COMPLETED'])
  events.webhooks.delete(old.id)
  expect(await registerNotifications(old.url, refusing)).toMatchObject({ outcome: 'rejected' })
})
