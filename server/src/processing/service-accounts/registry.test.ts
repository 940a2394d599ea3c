import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connector } from '#connectors/contract/connector.ts'
import { NO_CAPABILITIES } from '#connectors/contract/manifest.ts'
import { givingUp } from '#testing/giving-up.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, order, type Till } from '#testing/till.ts'
import { guard } from './registry.ts'

type Acts = Exclude<keyof Connector, 'manifest' | 'reports' | 'trial' | 'simulation'>

/** What each function of the bad connector does. Tests replace it. */
let acts: Partial<Record<Acts, () => unknown>> = {}
let needs = () => true
const act = (name: Acts) => async () => (acts[name] ?? RIGHT[name])?.() as never
const approved = (reference: string) => ({ outcome: 'approved', reference, facts: {} })
const RIGHT: Partial<Record<Acts, () => unknown>> = {
  authorize: () => approved('authorized'),
  capture: () => approved('captured'),
  sync: () => approved('found'),
  verify: () => ({ outcome: 'accepted' }),
}

const bad: Connector = {
  manifest: {
    id: 'bad-card',
    displayName: 'Bad',
    method: 'card',
    mode: 'card',
    instruments: ['card'],
    fields: [
      {
        key: 'key',
        displayName: 'Key',
        isRequired: true,
        format: 'text',
        isSecret: true,
        isVerifiable: true,
      },
    ],
    reportingFields: [],
    currencies: 'all',
    countries: 'all',
    capabilities: { ...NO_CAPABILITIES, operationNeeds: { capture: () => needs() } },
    recovery: { by: 'lookup' },
    patience: { authorize: 1_000 },
    isSimulator: false,
  },
  authorize: act('authorize'),
  capture: act('capture'),
  sync: act('sync'),
  verify: act('verify'),
  session: act('session'),
  readNotification: act('readNotification'),
  registerNotifications: act('registerNotifications'),
}

const NEW_SERVICE = {
  display_name: 'Bad',
  payment_service_definition_id: 'bad-card',
  fields: [{ key: 'key', value: 'hunter2-hunter2' }],
  accepted_currencies: ['USD'],
  accepted_countries: ['US'],
}

let service: TestService
let till: Till
let bank: { readonly id: string; readonly webhook_url: string }
beforeAll(async () => {
  service = await startTestService({ connectors: [bad] })
  till = openTill(service)
  const made = await service.send('POST /payment-services', NEW_SERVICE)
  expect(made.statusCode, made.body).toBe(201)
  bank = made.json()
})
beforeEach(() => {
  acts = {}
  needs = () => true
})
afterAll(() => service.close())

const pay = () => order(service, { payment_service_id: bank.id })
const later = async () => {
  service.moveClock(10 * 60_000)
  await service.resolveDue()
}

/** Whatever a connector gives instead of an answer. */
const RUBBISH: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  'a text': () => 'approved',
  'a list': () => [approved('x')],
  'an answer without an outcome': () => ({ reference: 'x', facts: {} }),
  'an outcome that there is not': () => ({ ...approved('x'), outcome: 'fine' }),
  'the name of a function as outcome': () => ({ ...approved('x'), outcome: 'constructor' }),
  'an approval without a reference': () => ({ outcome: 'approved', facts: {} }),
  'an empty reference': () => approved(''),
  'a reference that is too long': () => approved('x'.repeat(501)),
  'a reference with NUL': () => approved('x\0'),
  'an approval without facts': () => ({ outcome: 'approved', reference: 'x' }),
  'a part of a cent': () => ({ ...approved('x'), amount: 12.5 }),
  'more than any payment': () => ({ ...approved('x'), amount: 1e12 }),
  'a refusal with a code of its own': () => ({
    outcome: 'declined',
    code: 'computer_says_no',
    isRetriable: true,
    reference: null,
    facts: {},
  }),
  'a refusal by a promise that is none': () => ({
    outcome: 'failed',
    code: 'toString',
    isRetriable: true,
    reference: null,
    facts: {},
  }),
  'an address that a browser would run': () => ({
    outcome: 'approval_required',
    reference: 'x',
    approval: { kind: 'redirect', url: 'javascript:alert(1)' },
    facts: {},
  }),
  'an answer that throws when it is read': () => ({
    get outcome() {
      throw new Error('hunter2-hunter2')
    },
  }),
  'an error': () => {
    throw new Error('hunter2-hunter2')
  },
  'no answer at all': () => new Promise(() => {}),
}

describe('a connector that answers an authorization with', () => {
  test.each(Object.entries(RUBBISH))('%s leaves it open, and it is found later', async (what, answer) => {
    acts = { authorize: answer, sync: () => ({ outcome: 'unknown', reason: 'not yet' }) }

    const response = what === 'no answer at all' ? await givingUp(service, () => pay()) : await pay()

    expect(response.statusCode, response.body).toBe(201)
    expect(response.body).not.toContain('hunter2')
    const { id, status } = response.json()
    expect(status).toBe('processing')
    const { rows } = await sql<{ state: string }>`
      select state from attempts where transaction_id = ${id} and due_at is not null
    `.execute(service.database.db)
    expect(rows).toEqual([{ state: 'unknown' }])

    acts = {}
    await later()
    expect(await till.get(id)).toMatchObject({ status: 'authorization_succeeded' })
  })
})

test('an inquiry that is answered with rubbish leaves the payment open', async () => {
  for (const answer of [
    () => 'yes',
    () => ({ outcome: 'approved' }),
    () => Promise.reject(new Error('no')),
  ]) {
    acts = { authorize: () => null, sync: answer }
    const { id } = (await pay()).json()

    await later()

    expect(await till.get(id)).toMatchObject({ status: 'processing' })
    acts = {}
    await later()
    expect(await till.get(id)).toMatchObject({ status: 'authorization_succeeded' })
  }
})

test('only an inquiry may say that an attempt never arrived', async () => {
  acts = { authorize: () => ({ outcome: 'not_found' }), sync: () => ({ outcome: 'not_found' }) }
  const { id, status } = (await pay()).json()
  expect(status).toBe('processing')

  await later()

  expect(await till.get(id)).toMatchObject({ status: 'authorization_failed' })
})

test('a capture that is answered with rubbish is pending, and found later', async () => {
  const { id } = (await pay()).json()
  acts = { capture: () => ({ outcome: 'approved', reference: 7, facts: {} }) }

  const captured = await till.act(id, 'capture', { amount: 1299 })
  expect(captured.statusCode, captured.body).toBe(200)
  expect(await till.get(id)).toMatchObject({ status: 'capture_pending', captured_amount: 0 })

  acts = {}
  await later()
  expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1299 })
})

test('an operation is refused if the connector cannot tell whether the fields allow it', async () => {
  const { id } = (await pay()).json()
  needs = () => {
    throw new Error('hunter2-hunter2')
  }

  const captured = await till.act(id, 'capture', { amount: 1299 })

  expect(captured.statusCode).toBe(400)
  expect(captured.json().message).toBe('Bad does not support the operation: capture.')
})

test('wrong facts are left out, and the decision stands', async () => {
  const facts = { rawCode: 'A1', rawDescription: 7, avsResponseCode: 'maybe', additionalIdentifiers: [] }
  acts = { authorize: () => ({ ...approved('x'), facts }) }

  const payment = await till.pay({ payment_service_id: bank.id })

  expect(payment).toMatchObject({
    status: 'authorization_succeeded',
    raw_response_code: 'A1',
    raw_response_description: null,
    avs_response_code: null,
  })
})

test.each([
  [
    'verify',
    'POST /payment-services/verify',
    { payment_service_definition_id: 'bad-card', fields: NEW_SERVICE.fields },
  ],
  ['registerNotifications', 'POST /payment-services/:id/notifications', undefined],
  ['session', 'POST /payment-services/:id/sessions', { any: 'thing' }],
] as const)('%s that answers rubbish is a bad gateway, and changes nothing', async (name, route, body) => {
  for (const answer of [
    () => undefined,
    () => ({ outcome: 'accepted?' }),
    () => ({ outcome: 'registered' }),
  ]) {
    acts = { [name]: answer }

    const response = await service.send(route.replace(':id', bank.id), body)

    expect(response.statusCode, response.body).toBe(502)
  }
})

test('a notification that is read as rubbish is to be sent again', async () => {
  for (const answer of [
    () => undefined,
    () => ({ outcome: 'read' }),
    () => ({ outcome: 'read', notifications: [{ about: 'weather', reference: 'x' }] }),
    () => ({
      outcome: 'read',
      notifications: [{ about: 'refund', reference: 'x', answer: { outcome: 'approved' } }],
    }),
    () => ({
      outcome: 'read',
      notifications: [{ about: 'chargeback', reference: 'x', id: null, amount: -1 }],
    }),
  ]) {
    acts = { readNotification: answer }

    const response = await service.send(`POST ${new URL(bank.webhook_url).pathname}`, {}, { token: null })

    expect(response.statusCode, response.body).toBe(503)
  }
})

test('functions keep their object, and facts of notifications are checked, too', async () => {
  class Classy {
    readonly manifest = bad.manifest
    readonly #reference = 'from-a-class'
    async authorize() {
      return {
        outcome: 'approved',
        reference: this.#reference,
        facts: { rawCode: 7, rawDescription: 'fine' },
      }
    }
    async readNotification() {
      return {
        outcome: 'read',
        notifications: [{ about: 'refund', reference: 'x', answer: await this.authorize() }],
      }
    }
  }

  const guarded = guard(new Classy())

  const answer = { outcome: 'approved', reference: 'from-a-class', facts: { rawDescription: 'fine' } }
  expect(await guarded.authorize()).toEqual(answer)
  expect((await guarded.readNotification()).notifications).toEqual([
    { about: 'refund', reference: 'x', answer },
  ])
})
