import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain/ids.ts'
import { methodOf, type Operation, pathOf, successOf } from '#platform/http/operation.ts'
import { runBackTests } from '#resources/flows/back-tests/run.ts'
import { answerDisputes, tellOfDispute } from './disputes.ts'
import { addPasskey, addRecoveryCode, addSession, givePassword, invite, PASSWORD } from './enrol.ts'
import { REPORTING, signToken, startTestService, type TestService } from './harness.ts'
import { type Monitor, openMonitor } from './monitor.ts'
import { requestorIds } from './network-tokens.ts'
import { OPERATIONS } from './operations.ts'
import { PasskeyDevice } from './passkey-device.ts'
import { ReportDesk } from './report-desk.ts'
import { openReports } from './reports.ts'
import { endSandboxWork } from './sandbox-clock.ts'
import { type SignedInUser, signIn } from './sign-in.ts'
import { CARD } from './till.ts'
import { issueCertificate, readyForSession, removeWallets } from './wallet-shop.ts'

/** Walks the table of operations, so that a new one cannot miss a common rule. */
const operations = OPERATIONS
const guarded = operations.flatMap((operation) => {
  const { scope } = operation
  return scope === null ? [] : [{ operation, scope, name: operation.route }]
})
const writing = operations.filter(({ body, relay }) => body !== undefined && !relay)
/** All except those that accept any field: only the provider knows what its sessions need. */
const strict = writing.filter(
  ({ body }) => (body as { additionalProperties?: boolean }).additionalProperties !== true,
)
const changing = operations.filter((operation) => methodOf(operation) !== 'GET')
const lists = operations.filter(
  ({ isList, concerns, params }) => isList && concerns === 'merchant-account' && !params,
)
/** All but those for people who are not signed in yet, and those that ask a server of the caller. Tests beside them do that. */
const usable = operations.filter(({ isSignIn, relay }) => !isSignIn && !relay)
const posting = usable.filter((operation) => methodOf(operation) === 'POST')
/** Those whose path has an id. Other parameters are one of a few words. */
const addressed = operations.filter((operation) => operation.scope !== null && idNames(operation).length > 0)
/** Operations that are the same for all accounts have nothing to hide. Those of users are not about accounts. */
const owned = addressed.filter(
  ({ route, isForUsers }) => !/-definitions[/]|[/]roles[/]/.test(route) && !isForUsers,
)
const open = usable.filter(({ scope }) => scope === null)

let service: TestService
let desk: ReportDesk
let monitor: Monitor
/** The service that the sandbox made. */
let simulatorId: string
let count = 0
/** The user who calls what only users may call. */
let walker: SignedInUser
/** The public half of the last key of a wallet that was made. Certificates are issued for it. */
let walletKey = ''
beforeAll(async () => {
  service = await withUsers(await startTestService())
  monitor = openMonitor(service)
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
  await service.send('PUT /merchant-accounts/default', {
    account_updater_enabled: true,
    ...requestorIds('default'),
  })
  await service.send('POST /buyers', { external_identifier: 'known-buyer' })
  // The simulator must be allowed to cancel, sync and increment, and to store cards.
  const [simulator] = (await service.send('GET /payment-services')).json().items
  simulatorId = simulator.id
  const fields = [{ key: 'extended', value: 'true' }]
  const allowed = { fields, payment_method_tokenization_enabled: true }
  await service.send(`PUT /payment-services/${simulator.id}`, allowed)
  await service.send('POST /payment-services', {
    display_name: 'Wallet',
    payment_service_definition_id: 'mock-paypal',
    fields: [{ key: 'merchant_id', value: 'shop' }],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
  })
  await useTestGiftCards()
  answerDisputes(service, async ({ dispute }) => ({ outcome: 'approved', reference: dispute, facts: {} }))
  desk = await ReportDesk.open(service)
})
afterAll(() => service.close())

/** What only users may call is called by one, unless a test has a token of its own. */
async function withUsers(plain: TestService): Promise<TestService> {
  walker = await signIn(plain)
  await givePassword(plain, walker.userId)
  const send: TestService['send'] = async (route, body, options = {}) => {
    const [method, path = ''] = route.split(' ')
    const isForUsers = operations.some(
      (operation) =>
        operation.isForUsers &&
        methodOf(operation) === method &&
        new RegExp(`^${pathOf(operation).replaceAll(/:\w+/g, '[^/]+')}([?].*)?$`).test(path),
    )
    if (!isForUsers || options.token !== undefined) return plain.send(route, body, options)
    const { headers } = /^DELETE [/]auth[/](sessions$|password|oidc)/.test(route)
      ? await leaver(plain)
      : walker
    return plain.send(route, body, { ...options, token: null, headers: { ...headers, ...options.headers } })
  }
  return { ...plain, send }
}

/** A user whose session or password the request ends. */
async function leaver(plain: TestService): Promise<SignedInUser> {
  const user = await signIn(plain)
  await givePassword(plain, user.userId)
  await addPasskey(plain, user.userId)
  return user
}

type Make = (made: Record<string, string>, operation: Operation) => Promise<string>

/** A new item for each path parameter for which the example of its create operation is not enough. */
const MAKE: Record<string, Make> = {
  flow: async () => 'card-transaction',
  action: async () => 'route-transaction',
  rule_id: async () => {
    const create = operations.find(({ id }) => id === 'create_flow_rule') as Operation
    const route = 'POST /flows/card-transaction/actions/route-transaction/rules'
    return (await service.send(route, await freshBody(create))).json().id
  },
  flow_version_id: async (made, operation) => {
    await MAKE['rule_id']?.(made, operation)
    return (await service.send('GET /flows/versions')).json().items[0].id
  },
  flow_back_test_id: async () => {
    const create = operations.find(({ id }) => id === 'create_flow_back_test') as Operation
    return (await service.send(create.route, await freshBody(create))).json().id
  },
  vault_forward_authentication_id: async () => {
    const create = operations.find(({ id }) => id === 'create_vault_forward_authentication') as Operation
    return (await service.send(create.route, await freshBody(create))).json().id
  },
  vault_forward_endpoint_id: async () => {
    count += 1
    const host = `walk-${count}.example.com`
    return (await service.send('POST /vault-forward/endpoints', { host })).json().id
  },
  api_key_pair_id: async () => {
    const made = await service.send('POST /api-key-pairs', { display_name: 'Walk', role_ids: [REPORTING] })
    return made.json().id
  },
  saved_view_id: async () => {
    const create = operations.find(({ id }) => id === 'create_saved_view') as Operation
    return (await service.send(create.route, await freshBody(create))).json().id
  },
  role_id: async () => {
    count += 1
    const permissions = { allow: ['buyers.read'] }
    return (await service.send('POST /roles', { name: `Walk ${count}`, permissions })).json().id
  },
  merchant_account_id: async () => {
    count += 1
    const made = await service.send('POST /merchant-accounts', { id: `walk-${count}`, display_name: 'Walk' })
    return made.json().id
  },
  three_ds_configuration_id: async ({ merchant_account_id }) => {
    const create = operations.find(({ id }) => id === 'create_three_ds_configuration')
    const route = `POST /merchant-accounts/${merchant_account_id}/three-ds-configurations`
    const made = await service.send(route, exampleBody(create))
    return made.json().id
  },
  // The simulator’s own definition has no sessions.
  payment_service_definition_id: async () => 'test-card',
  payment_service_id: async (_made, { id }) => {
    if (id === 'create_sandbox_chargeback' || id === 'create_sandbox_notification') return simulatorId
    if (id.includes('sandbox_next_outcome')) return makeUnusedSimulator()
    const create = operations.find(({ id }) => id === 'create_payment_service')
    const body = { ...exampleBody(create), payment_service_definition_id: 'test-card' }
    return (await service.send('POST /payment-services', body)).json().id
  },
  transaction_id: async (made, { id }) => {
    if (id === 'update_transaction_session') {
      const waiting = await payWithWallet()
      made['token'] = waiting.session_token
      return waiting.id
    }
    if (id === 'review_transaction') return payForReview()
    const example = exampleBody(operations.find((candidate) => candidate.id === 'create_transaction'))
    // One amount stays pending at the simulator, so that there is a payment to cancel.
    const body = id === 'cancel_transaction' ? { ...example, amount: 600_002 } : example
    const intent = /refund|settlement|get_transaction_capture/.test(id) ? 'capture' : 'authorize'
    return (await service.send('POST /transactions', { ...body, intent })).json().id
  },
  capture_id: async ({ transaction_id }) =>
    (await service.send(`GET /transactions/${transaction_id}/captures`)).json().items[0].id,
  refund_id: async ({ transaction_id }, operation) => {
    const paid = transaction_id ?? (await MAKE['transaction_id']?.({}, operation))
    return (await service.send(`POST /transactions/${paid}/refunds`, { amount: 1 })).json().id
  },
  payout_id: async () => {
    const create = operations.find(({ id }) => id === 'create_payout') as Operation
    return (await service.send(create.route, await freshBody(create))).json().id
  },
  payment_service_token_id: async ({ payment_method_id }) => {
    const create = operations.find(({ id }) => id === 'create_payment_method_payment_service_token')
    const body = { ...exampleBody(create), payment_service_id: simulatorId }
    const route = `POST /payment-methods/${payment_method_id}/payment-service-tokens`
    return (await service.send(route, body)).json().id
  },
  settlement_id: async ({ transaction_id }, { id }) => {
    const isRefund = id === 'get_transaction_refund_settlement'
    const paid = (await service.send(`GET /transactions/${transaction_id}`)).json()
    const refunded = isRefund
      ? (await service.send(`POST /transactions/${transaction_id}/refunds`, { amount: 1 })).json()
      : null
    const line = refunded
      ? ({ kind: 'refund_settlement', reference: refunded.payment_service_refund_id, amount: -1 } as const)
      : { reference: paid.payment_service_transaction_id, amount: paid.amount }
    desk.publish({ lines: [line] })
    await desk.ingest()
    const list = `GET /transactions/${transaction_id}/${isRefund ? 'refund-settlements' : 'settlements'}`
    return (await service.send(list)).json().items[0].id
  },
  dispute_id: async () => {
    const paid = await service.send('POST /transactions', {
      ...exampleBody(operations.find(({ id }) => id === 'create_transaction')),
      intent: 'capture',
    })
    await tellOfDispute(service, paid.json())
    return (await service.send(`GET /disputes?transaction_id=${paid.json().id}`)).json().items[0].id
  },
  chargeback_id: async (_made, operation) => {
    const paid = await service.send('POST /transactions', {
      ...exampleBody(operations.find(({ id }) => id === 'create_transaction')),
      intent: 'capture',
    })
    const { id, payment_service_transaction_id: reference } = paid.json()
    desk.publish({ lines: [{ reference, amount: -1, kind: 'chargeback' }] })
    await desk.ingest()
    const [chargeback] = (await service.send(`GET /chargebacks?transaction_id=${id}`)).json().items
    if (operation.id === 'delete_chargeback_answer')
      await service.send(`PUT /chargebacks/${chargeback.id}/answer`, { note: 'Sent.' })
    return chargeback.id
  },
  payment_service_report_id: async () => {
    desk.publish({ lines: [{ reference: 'unheard-of', amount: 1 }] })
    await desk.ingest()
    return (await service.send('GET /payment-service-reports')).json().items[0].id
  },
  metric_id: makeMetric,
  incident_id: async () => monitor.openIncident(await makeMetric()),
  session_id: async (_made, { id: operationId }) => {
    if (!operationId.endsWith('_session_page'))
      return (await service.send('POST /checkout/sessions')).json().id
    const order = { amount: 1299, currency: 'USD' }
    const { id } = (await service.send('POST /checkout/sessions', order)).json()
    await service.send(`PUT /checkout/sessions/${id}/page`, {})
    return id
  },
  event_id: async () => {
    const { id } = (await service.send('POST /buyers', {})).json()
    return (await service.send(`GET /events?target_id=${id}`)).json().items[0].id
  },
  subscription_id: async () => {
    const create = operations.find(({ id }) => id === 'create_webhook_subscription')
    // An account has a limited number of subscriptions, and each test of the walk needs its own.
    const { items } = (await service.send('GET /webhook-subscriptions?limit=100')).json()
    if (items.length > 50) {
      for (const { id } of items) await service.send(`DELETE /webhook-subscriptions/${id}`)
    }
    return (await service.send('POST /webhook-subscriptions', exampleBody(create))).json().id
  },
  delivery_id: async ({ subscription_id }) =>
    (await service.send(`POST /webhook-subscriptions/${subscription_id}/test`)).json().id,
  digital_wallet_id: async () => {
    const create = operations.find(({ id }) => id === 'configure_digital_wallet')
    await removeWallets(service.send)
    return (await service.send('POST /digital-wallets', exampleBody(create))).json().id
  },
  digital_wallet_key_id: async ({ digital_wallet_id }) => {
    const create = operations.find(({ id }) => id === 'create_digital_wallet_key')
    const made = await service.send(`POST /digital-wallets/${digital_wallet_id}/keys`, exampleBody(create))
    walletKey = made.json().public_key
    return made.json().id
  },
  network_token_id: async ({ payment_method_id }, { id }) => {
    const create = operations.find(({ id }) => id === 'create_payment_method_network_token')
    const route = `POST /payment-methods/${payment_method_id}/network-tokens`
    const token = (await service.send(route, exampleBody(create))).json()
    if (id.startsWith('resume')) await service.send(`${route}/${token.id}/suspend`)
    return token.id
  },
  preset_id: async ({ source }) => {
    const create = operations.find(({ id }) => id === 'create_metrics_explorer_preset')
    // An account has a limited number of presets, and each test of the walk needs its own.
    const made = (await service.send(`GET /metrics-explorer/${source}/presets`)).json()
    for (const { id } of made) await service.send(`DELETE /metrics-explorer/${source}/presets/${id}`)
    return (await service.send(`POST /metrics-explorer/${source}/presets`, exampleBody(create))).json().id
  },
  report_execution_id: async (made) => {
    const reports = openReports(service)
    const report = await reports.create({ schedule: 'once', schedule_enabled: false })
    await reports.write()
    made['report_id'] = report.id
    return report.latest_execution.id
  },
  user_id: async () => (await invite(service)).id,
  user_session_id: async () => addSession(service, walker.userId),
  passkey_id: async () => addPasskey(service, walker.userId),
  buyer_id: async (_made, { id }) => {
    const buyer = (await service.send('POST /buyers', {})).json()
    if (id === 'get_buyer_erasure') await service.send(`POST /buyers/${buyer.id}/erasure`)
    return buyer.id
  },
  shipping_details_id: async ({ buyer_id }) =>
    (await service.send(`POST /buyers/${buyer_id}/shipping-details`, {})).json().id,
}

/** An account has at most ten metrics, and none twice. */
async function makeMetric(): Promise<string> {
  await monitor.removeAll()
  return (await monitor.add()).id
}

/** For any other parameter: made from the documented example or, for a definition, the first one. */
function makerOf(name: string): Make | undefined {
  if (MAKE[name]) return MAKE[name]
  const word = operations.flatMap((operation) => wordsOf(operation).get(name) ?? [])[0]
  if (word !== undefined) return async () => word
  const item = operations.find(({ route }) => route.endsWith(`/:${name}`))
  const collection = item && pathOf(item).replace(`/:${name}`, '')
  const create = operations.find(({ route, params }) => route === `POST ${collection}` && !params)
  if (create) return async () => (await service.send(create.route, exampleBody(create))).json().id
  const list = operations.find(({ route, params }) => route === `GET ${collection}` && !params)
  return list && (async () => (await service.send(list.route)).json().items[0].id)
}

/** Outcomes that are armed there hit no payment of the walk. */
async function makeUnusedSimulator(): Promise<string> {
  const create = operations.find(({ id }) => id === 'create_payment_service')
  const made = await service.send('POST /payment-services', {
    ...exampleBody(create),
    payment_service_definition_id: 'mock-card',
    fields: [{ key: 'merchant_id', value: 'unused' }],
    active: false,
  })
  return made.json().id
}

/** A payment that waits for the buyer at a provider with sessions. */
async function payWithWallet(): Promise<{ id: string; session_token: string }> {
  const paid = await service.send('POST /transactions', {
    amount: 1299,
    currency: 'USD',
    payment_method: {
      method: 'paypal',
      country: 'US',
      currency: 'USD',
      redirect_url: 'https://shop.example.com/back',
    },
  })
  return paid.json()
}

/** A payment that an anti-fraud service has held back. */
async function payForReview(): Promise<string> {
  await service.send('POST /anti-fraud-services', {
    display_name: 'Watchful',
    anti_fraud_service_definition_id: 'mock-anti-fraud',
    reviews_enabled: true,
    fields: [],
  })
  const buyer = { billing_details: { email_address: 'review@shop.example' } }
  return (
    await service.send('POST /transactions', {
      amount: 1299,
      currency: 'USD',
      country: 'US',
      payment_method: CARD,
      buyer,
    })
  ).json().id
}

/** The simulator issues no gift cards, so the walk needs a service that does. */
async function useTestGiftCards(): Promise<void> {
  const [simulator] = (await service.send('GET /gift-card-services')).json().items
  await service.send(`PUT /gift-card-services/${simulator.id}`, { active: false })
  await service.send('POST /gift-card-services', {
    display_name: 'Test cards',
    gift_card_service_definition_id: 'test-gift-card',
    fields: [{ key: 'account', value: 'walk' }],
  })
}

describe.each(operations.map((operation) => ({ name: operation.route, operation })))(
  '$name',
  ({ operation }) => {
    test.skipIf(!usable.includes(operation))('answers 2xx to an administrator', async () => {
      const response = await service.send(await routeTo(operation), await freshBody(operation))

      expect(response.statusCode, response.body).toBe(successOf(operation))
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
      expect(response.headers['cache-control']).toBe('no-store')
    })

    test('answers 405 with the allowed methods to another method', async () => {
      const [, path = ''] = (await refusedTarget(operation)).route.split(' ')

      const response = await service.send(`PATCH ${path}`, '{not json', {
        token: null,
        headers: { 'content-type': 'application/json' },
      })

      expect(response.statusCode).toBe(405)
      expect(response.headers.allow?.split(', ')).toContain(methodOf(operation))
      expect(response.json()).toMatchObject({ code: 'method_not_allowed', message: 'Method Not Allowed' })
    })

    test('refuses a query parameter it does not know', async () => {
      const { route, body } = await refusedTarget(operation)
      const surprise = route.includes('?') ? '&surprise=1' : '?surprise=1'

      const response = await service.send(`${route}${surprise}`, body)

      expect(response.statusCode).toBe(400)
      expect(response.json().details).toMatchObject([{ location: 'query', pointer: '/surprise' }])
    })
  },
)

describe.each(guarded)('$name', ({ operation, scope }) => {
  test('answers 401 without a token, before any other check', async () => {
    const { route } = await refusedTarget(operation)

    const response = await service.send(route, { unknown: true }, { token: null, account: 'nowhere' })

    expect(response.statusCode).toBe(401)
    expect(response.json()).toEqual({
      type: 'error',
      code: 'unauthorized',
      status: 401,
      message: 'No valid API authentication found',
      details: [
        {
          location: 'header',
          pointer: '/authorization',
          type: 'value_error.missing',
          message: 'no token was found: send Authorization: Bearer and a signed token',
        },
      ],
    })
  })

  test.each([
    'expired',
    'future',
    'none',
    'HS256',
    'unknown kid',
    'odd kid',
    'another curve',
    'foreign signature',
  ])('answers 401 to a bad token: %s', async (kind) => {
    const { route, body } = await refusedTarget(operation)

    const response = await service.send(route, body, {
      token: await badToken(kind),
      // Failed checks are limited by address, so each operation uses its own.
      address: `10.0.0.${operations.indexOf(operation)}`,
    })

    expect(response.statusCode).toBe(401)
  })

  test('answers 403 when the token lacks the scope', async () => {
    const { route } = await refusedTarget(operation)
    const token = await signToken(service.admin, { scopes: allScopesBut(operation) })

    const response = await service.send(route, { unknown: true }, { token })

    expect(response.statusCode, response.body).toBe(403)
    expect(response.json().details[0].message).toContain(scope)
  })

  test('answers 403 when no role of the key allows it', async () => {
    const { route, body } = await refusedTarget(operation)
    const key = await keyWithout(operation)

    const response = await service.send(route, body, { token: await signToken(key) })

    expect(response.statusCode, response.body).toBe(403)
  })

  test('gives the same answer for an unknown merchant account and one out of reach', async () => {
    const key = await service.addKey({ merchantAccountIds: ['default'] })
    const token = await signToken(key)
    const { route, body } = await refusedTarget(operation)

    const unknown = await service.send(route, body, { token, account: 'nowhere' })
    const foreign = await service.send(route, body, { token, account: 'other-shop' })

    expect(unknown.statusCode).toBe(403)
    expect(foreign.json()).toEqual(unknown.json())
  })
})

describe.each(owned.map((operation) => ({ name: operation.route, operation })))('$name', ({ operation }) => {
  test('hides resources of other accounts as if they did not exist', async () => {
    const key = await service.addKey({ merchantAccountIds: ['other-shop'] })
    const token = await signToken(key)

    const foreign = await service.send(await routeTo(operation), await freshBody(operation), { token })
    const missing = await service.send(routeToNothing(operation), await freshBody(operation), { token })

    expect(foreign.statusCode, foreign.body).toBe(404)
    expect(foreign.json()).toEqual(missing.json())
    expect(foreign.json().message).toBe('The resource could not be found')
  })
})

describe.each(addressed.map((operation) => ({ name: operation.route, operation })))(
  '$name',
  ({ operation }) => {
    test('answers 404 to an administrator for an unknown id', async () => {
      const response = await service.send(routeToNothing(operation), await freshBody(operation))

      expect(response.statusCode).toBe(404)
    })
  },
)

describe.each(open.map((operation) => ({ name: operation.route, operation })))('$name', ({ operation }) => {
  test('needs no token, and ignores one', async () => {
    const without = await service.send(await routeTo(operation), await freshBody(operation), { token: null })
    const wrong = await service.send(await routeTo(operation), await freshBody(operation), { token: 'x' })

    expect(without.statusCode, without.body).toBe(successOf(operation))
    expect(wrong.statusCode, wrong.body).toBe(successOf(operation))
  })

  test('answers 404 for an unknown id', async () => {
    // Where the id is in the body, that of the example belongs to nothing.
    const body = operation.params ? await freshBody(operation) : exampleBody(operation)
    const response = await service.send(routeToNothing(operation), body, { token: null })

    expect(response.statusCode, response.body).toBe(404)
  })
})

const named = operations.filter(({ params }) =>
  Object.values((params as { properties?: Record<string, { format?: string }> })?.properties ?? {}).some(
    ({ format }) => format === 'uuid',
  ),
)

describe.each(named.map((operation) => ({ name: operation.route, operation })))('$name', ({ operation }) => {
  test('refuses an id with urn:uuid: before it', async () => {
    const route = routeToNothing(operation).replaceAll(/[/](?=0190)/g, '/urn:uuid:')

    const response = await service.send(route, await freshBody(operation))

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details).toContainEqual(
      expect.objectContaining({ location: 'path', type: 'type_error.uuid' }),
    )
  })
})

const withoutBody = changing.filter(({ body }) => body === undefined)

describe.each(withoutBody.map((operation) => ({ name: operation.route, operation })))(
  '$name',
  ({ operation }) => {
    test('refuses a body, and one that is nested too deep', async () => {
      const headers = { 'content-type': 'application/json' }
      const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`

      for (const body of ['{"surprise":true}', deep]) {
        const response = await service.send(routeToNothing(operation), body, { headers })

        expect(response.statusCode, response.body).toBe(400)
        expect(response.json().details).toMatchObject([{ location: 'body', pointer: '' }])
      }
    })
  },
)

describe.each(strict.map((operation) => ({ name: operation.route, operation })))('$name', ({ operation }) => {
  test('refuses a field it does not know, and changes nothing', async () => {
    const entriesBefore = await auditEntries()
    const response = await service.send(routeToNothing(operation), {
      ...exampleBody(operation),
      surprise: true,
    })

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toContainEqual({
      location: 'body',
      pointer: '/surprise',
      type: 'value_error.extra',
      message: expect.stringMatching(/^unknown field/),
    })
    expect(await auditEntries()).toBe(entriesBefore)
  })
})

describe.each(writing.map((operation) => ({ name: operation.route, operation })))(
  '$name',
  ({ operation }) => {
    const bodies: [string, unknown][] = [
      ['an array', [{}]],
      ['text', JSON.stringify('text')],
      ['a number', '12'],
    ]
    if (!operation.isBodyOptional) bodies.push(['no body', undefined], ['null', 'null'])
    // The one that clients in PHP call without a body.
    if (operation.id !== 'create_checkout_session') bodies.push(['an empty array', []])
    test.each(bodies)('refuses %s', async (_name, body) => {
      const response = await service.send(routeToNothing(operation), body, {
        headers: { 'content-type': 'application/json' },
      })

      expect(response.statusCode).toBe(400)
      expect(response.json().message).toBe('Request failed validation')
    })
  },
)

const recording = changing.filter((operation) => usable.includes(operation))

describe.each(recording.map((operation) => ({ name: operation.route, operation })))(
  '$name',
  ({ operation }) => {
    test(isRecorded(operation) ? 'writes an audit entry' : 'writes no audit entry', async () => {
      const route = await routeTo(operation)
      const body = await freshBody(operation)
      const entriesBefore = await auditEntries()

      await service.send(route, body)

      expect(await auditEntries()).toBe(entriesBefore + (isRecorded(operation) ? 1 : 0))
    })
  },
)

/** One of each listed resource that can be created. */
const MADE_FOR_LISTS = lists
  .filter(({ route }) => operations.some((create) => create.route === route.replace('GET', 'POST')))
  .flatMap(({ route }) => operations.filter((item) => item.route.startsWith(`${route}/:`)).slice(0, 1))
  .flatMap(parameterNames)
  .concat('merchant_account_id')

let isMadeForLists = false
async function makeForLists(): Promise<void> {
  if (isMadeForLists) return
  isMadeForLists = true
  for (const name of MADE_FOR_LISTS) await make(name)
}

test('the walked lists contain every kind of item', () => {
  expect(MADE_FOR_LISTS).toEqual(
    expect.arrayContaining([
      'buyer_id',
      'payment_method_id',
      'payment_service_id',
      'gift_card_id',
      'transaction_id',
    ]),
  )
})

describe.each(lists.map((operation) => ({ name: operation.route, operation })))('$name', ({ operation }) => {
  test('shows nothing of another merchant account', async () => {
    await makeForLists()
    const token = await signToken(await service.addKey({ merchantAccountIds: ['other-shop'] }))

    for (const account of ['other-shop', '*']) {
      const { items } = (await service.send(await routeTo(operation), undefined, { token, account })).json()
      const accounts = items.flatMap(
        (item: { merchant_account_id?: string }) => item.merchant_account_id ?? [],
      )
      expect(accounts.filter((id: string) => id !== 'other-shop')).toEqual([])
    }
  })
})

describe.each(guarded.filter(({ operation }) => !operation.embed))('$name', ({ operation }) => {
  test('refuses a browser token', async () => {
    const token = await signToken(service.admin, { scopes: ['embed'] })

    const response = await service.send(await routeTo(operation), await freshBody(operation), { token })

    expect(response.statusCode, response.body).toBe(403)
  })
})

describe.each(posting.map((operation) => ({ name: operation.route, operation })))(
  '$name',
  ({ operation }) => {
    test('answers a repeated idempotency key with the same bytes', async () => {
      const route = await routeTo(operation)
      const body = await freshBody(operation)
      const headers = { 'idempotency-key': crypto.randomUUID() }

      const first = await service.send(route, body, { headers })
      const again = await service.send(route, body, { headers })

      expect(first.statusCode, first.body).toBe(successOf(operation))
      expect(again.statusCode).toBe(first.statusCode)
      if (operation.neverStored) expect(again.json()).toEqual({ ...first.json(), ...operation.shownOnce })
      else expect(again.rawPayload.equals(first.rawPayload)).toBe(true)
      expect(again.headers['idempotent-replayed']).toBe('true')
      expect(first.headers['idempotent-replayed']).toBeUndefined()
    })
  },
)

/** Where the id of another holder is in the body, another body is of another holder, whose keys are its own. */
const repeatable = posting.filter(({ body, params, scope }) => body && (params || scope !== null))

describe.each(repeatable.map((operation) => ({ name: operation.route, operation })))(
  '$name',
  ({ operation }) => {
    test('answers 422 when the key comes back with another request', async () => {
      const route = await routeTo(operation)
      const headers = { 'idempotency-key': crypto.randomUUID() }
      await service.send(route, await freshBody(operation), { headers })

      const response = await service.send(route, await changedBody(operation), { headers })

      expect(response.statusCode, response.body).toBe(422)
      expect(response.json().detail).toMatchObject([
        { loc: ['header', 'idempotency-key'], type: 'value_error.conflict' },
      ])
    })
  },
)

test('every operation has an id, a tag and a summary of its own', () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  expect(new Set(operations.map(({ route }) => route)).size).toBe(operations.length)
  for (const { tag, summary, scope } of operations) {
    expect(tag && summary).toBeTruthy()
    if (scope !== null) expect(scope).toMatch(/^[a-z0-9.-]+[.](read|write)$/)
  }
})

/** They change nothing of ours, although they use POST. */
const READING_POSTS = new Set([
  'create_flow_dry_run',
  'create_flow_back_test',
  'list_payment_options',
  'sync_transaction',
  'list_gift_card_balances',
  'create_report_execution_url',
])

test('operations that read need a read scope, and those that write a write scope', () => {
  for (const { operation, scope } of guarded) {
    const isReading = methodOf(operation) === 'GET' || READING_POSTS.has(operation.id)
    expect(scope.endsWith(isReading ? '.read' : '.write'), operation.id).toBe(true)
  }
})

/** Operations that only pass a question on to a provider or a receiver, and change nothing of ours. */
const RELAYS = new Set([
  'create_payment_method_network_token_cryptogram',
  'verify_payment_service_credentials',
  'create_payment_service_session',
  'create_payment_service_definition_session',
  'create_step_up_options',
  'create_passkey_options',
  'create_password_options',
  'create_google_pay_digital_wallet_session',
  'create_apple_pay_digital_wallet_session',
  'create_paze_digital_wallet_session',
  'create_paze_mobile_session',
  'review_paze_mobile_session',
  'complete_paze_mobile_session',
])

function isRecorded({ id, scope }: Operation): boolean {
  // It changes nothing, but gives a file to anyone who has the URL.
  if (id === 'create_report_execution_url') return true
  // Takes no token, and changes what the shop then charges.
  if (id.endsWith('_checkout_session_fields')) return true
  return scope?.endsWith('.write') === true && !RELAYS.has(id)
}

/** A new item for the operation to be tried on. */
async function make(name: string): Promise<string | undefined> {
  const [anyOperation] = operations
  return anyOperation && makerOf(name)?.({}, anyOperation)
}

type Target = { readonly route: string; readonly body: Record<string, unknown> | undefined }

let target: (Target & { readonly operation: Operation }) | undefined

/** Where a request goes that must be refused. Such requests share it with the test before, since none may change it. */
async function refusedTarget(operation: Operation): Promise<Target> {
  if (target?.operation !== operation) {
    target = { operation, route: await routeTo(operation), body: await freshBody(operation) }
  }
  return target
}

async function routeTo(operation: Operation): Promise<string> {
  const made: Record<string, string> = {}
  for (const name of parameterNames(operation)) {
    const makeOne = makerOf(name)
    if (!makeOne) throw new Error(`${operation.route}: tell this test how to make a ${name}`)
    made[name] = await makeOne(made, operation)
  }
  const route = operation.route.replaceAll(/:(\w+)/g, (_match, name) => made[name] ?? '')
  const query = exampleQuery(operation, made)
  return query === '' ? route : `${route}?${query}`
}

/** The documented examples of query parameters. Required parameters must have one. */
function exampleQuery({ query }: Operation, made: Record<string, string> = {}): string {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, { examples?: string[] }> }
  const examples = Object.entries(properties).flatMap(([name, { examples }]): [string, string][] =>
    examples?.[0] === undefined ? [] : [[name, examples[0]]],
  )
  if ('token' in properties && made['token'] !== undefined) examples.push(['token', made['token']])
  return String(new URLSearchParams(examples))
}

function routeToNothing(operation: Operation): string {
  return operation.route
    .replaceAll(/:(\w+)/g, (whole, name) => wordsOf(operation).get(name)?.[0] ?? whole)
    .replace(':merchant_account_id', 'missing')
    .replaceAll(/:\w+/g, '01900000-0000-7000-8000-0000000000ff')
}

function parameterNames(operation: Operation): string[] {
  return [...pathOf(operation).matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}

/** The words that a parameter of the path may be. */
function wordsOf({ params }: Operation): Map<string, readonly string[]> {
  const { properties = {} } = (params ?? {}) as { properties?: Record<string, { enum?: string[] }> }
  return new Map(
    Object.entries(properties).flatMap(([name, { enum: words }]) => (words ? [[name, words]] : [])),
  )
}

function idNames(operation: Operation): string[] {
  return parameterNames(operation).filter((name) => !wordsOf(operation).has(name))
}

function exampleBody(operation: Operation | undefined): Record<string, unknown> | undefined {
  const examples = (operation?.body as { examples?: Record<string, unknown>[] } | undefined)?.examples
  if (operation?.body && !examples?.[0]) throw new Error(`${operation.id} has no example body`)
  return examples?.[0]
}

/** The documented example with suitable ids: new ones for new items, existing ones for references. */
async function freshBody(operation: Operation): Promise<Record<string, unknown> | undefined> {
  const example = exampleBody(operation)
  if (!example) return undefined
  count += 1
  // An account has one wallet of each provider.
  if (operation.id === 'configure_digital_wallet') await removeWallets(service.send)
  if (operation.id === 'create_monitoring_metric') await monitor.removeAll()
  // The clock is moved by one advance at a time, or by one history.
  if (/^advance_sandbox_clock$|^create_sandbox_fill$/.test(operation.id)) await endSandboxWork(service)
  if (operation.id === 'create_step_up')
    return { password: PASSWORD, code: await addRecoveryCode(service, walker.userId) }
  if (operation.id === 'set_password') {
    // Other operations need it as it is, and it must be none of the last four.
    await service.context.db.deleteFrom('user_former_passwords').execute()
    return { password: PASSWORD }
  }
  if (operation.id === 'create_passkey') {
    const { challenge_id, passkey } = (await service.send('POST /auth/passkeys/options')).json()
    return { ...example, challenge_id, passkey: new PasskeyDevice().register(passkey) }
  }
  if (operation.id === 'create_flow_back_test') {
    // No more than three may be under way.
    await runBackTests(service, new AbortController().signal)
    return { created_at_gte: new Date().toISOString(), rules: [] }
  }
  if (operation.id === 'create_flow_version') {
    await make('rule_id')
    await make('rule_id')
  }
  return {
    ...example,
    ...(operation.id === 'create_flow_version' && { restore: 1 }),
    ...(operation.id === 'create_flow_rule' && { outcome: toSimulator() }),
    ...(operation.id === 'create_user' && { email_address: `walk-${count}@example.com` }),
    ...('id' in example && { id: `fresh-${count}` }),
    ...('host' in example && { host: `fresh-${count}.example.com` }),
    ...(/^create_role$|^(create|update)_saved_view$/.test(operation.id) && { name: `Fresh ${count}` }),
    ...('payment_service_id' in example && { payment_service_id: simulatorId }),
    ...(operation.id === 'create_sandbox_chargeback' && { transaction_id: await sellAtSimulator() }),
    ...(operation.id === 'create_sandbox_notification' && { transaction_id: await sellAtSimulator() }),
    ...('payment_method_ids' in example && { payment_method_ids: [await make('payment_method_id')] }),
    ...(walletKey !== '' &&
      'certificate' in example && { certificate: issueCertificate(createPublicKey(walletKey)) }),
    ...(pathOf(operation).startsWith('/digital-wallets') &&
      (await readyForSession(service.send, pathOf(operation)))),
  }
}

function toSimulator() {
  return {
    type: 'card-routing',
    version: 2,
    result: [{ payment_service_id: simulatorId, instrument: 'pan' }],
  }
}

async function sellAtSimulator(): Promise<string> {
  const example = exampleBody(operations.find(({ id }) => id === 'create_transaction'))
  const body = { ...example, amount: 5_000, intent: 'capture', payment_service_id: simulatorId }
  return (await service.send('POST /transactions', body)).json().id
}

async function changedBody(operation: Operation): Promise<Record<string, unknown>> {
  const body = { ...(await freshBody(operation)) }
  if ('payment_method_ids' in body) return body
  if ('restore' in body) return { restore: 2 }
  if ('host' in body) return { ...body, host: 'another.example.com' }
  if ('outcome' in body && 'description' in body) return { ...body, description: 'Another' }
  if ('transaction' in body) return { ...body, version: 1 }
  if ('code' in body && 'password' in body) return { ...body, password: 'another password' }
  if (typeof body['amount'] === 'number') return { ...body, amount: body['amount'] + 1 }
  if (typeof body['delta'] === 'number') return { delta: body['delta'] + 1 }
  if (operation.id === 'create_report_execution_url') return { expires_in: 61 }
  if ('texts' in body) return { texts: [{ name: 'story', text: 'another' }] }
  if ('effect' in body) return { effect: 'late' }
  if ('event' in body) return { ...body, event: 'capture.failed' }
  if ('days' in body) return { days: 2 }
  if ('by' in body) return { by: 'P4D' }
  if (operation.id === 'create_flow_back_test') return { ...body, version: 1, rules: undefined }
  if ('since' in body) return { since: '2026-01-02T00:00:00Z' }
  if ('purpose' in body) return { purpose: 'apple-merchant-identity' }
  if ('origin_domain' in body) return { origin_domain: 'pay.example.com' }
  if ('validation_url' in body) return { ...body, domain_name: 'pay.example.com' }
  if ('source' in body) return { source: 'web' }
  if ('decision' in body) return { decision: 'reject' }
  if ('sessionId' in body) return { ...body, sessionId: 'another' }
  if (typeof body['merchant_initiated'] === 'boolean') return { ...body, merchant_initiated: true }
  if ('reason' in body) return { ...body, reason: 'another' }
  if ('items' in body) return { items: [{ number: '4123455541234561234', pin: '02000' }] }
  if ('pin' in body) return { ...body, pin: '02000' }
  if ('bin' in body) return { ...body, bin: '555555' }
  if ('postal_code' in body) return { ...body, postal_code: 'N1 9GU' }
  if ('payload' in body) return { payload: { domain_name: 'another.example.com' } }
  if ('conditions' in body) return { ...body, conditions: { amount: 1300 } }
  if ('redirect_url' in body) return { ...body, redirect_url: 'https://shop.example.com/elsewhere' }
  if ('fields' in body) return { ...body, fields: [{ key: 'merchant_id', value: 'another' }] }
  const isText = (name: string) => name.endsWith('name') || name === 'url' || name === 'expiration_date'
  const text = Object.entries(body).find(([name, value]) => isText(name) && typeof value === 'string')
  if (!text) throw new Error(`${operation.id}: no field to change`)
  return { ...body, [text[0]]: text[0] === 'expiration_date' ? '11/41' : `${text[1]} changed` }
}

/** Every scope except the one that the operation needs and its alternatives. */
function allScopesBut({ scope, orScope }: Operation): string[] {
  const every = operations.flatMap((operation) => [operation.scope ?? [], operation.andScope ?? []].flat())
  return [...new Set(every)].filter((candidate) => candidate !== scope && candidate !== orScope)
}

/** A key whose role allows everything except one permission. */
async function keyWithout(operation: Operation) {
  const id = newId()
  await service.context.db
    .insertInto('roles')
    .values({
      id,
      slug: id,
      name: id,
      description: '',
      permissions: allScopesBut(operation),
      assignable_to: ['api-key-pair'],
      applies_to: [],
      is_standalone_assignable: true,
      is_custom: false,
      created_at: new Date(),
      updated_at: null,
    })
    .execute()
  return service.addKey({ roleIds: [id] })
}

const badTokens = new Map<string, Promise<string>>()

/** Made once: to sign one for each operation took a second. */
function badToken(kind: string): Promise<string> {
  const made = badTokens.get(kind) ?? makeBadToken(kind)
  badTokens.set(kind, made)
  return made
}

async function makeBadToken(kind: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  if (kind === 'expired') return signToken(service.admin, { exp: now - 60 })
  if (kind === 'future') return signToken(service.admin, { nbf: now + 3_000 })
  if (kind === 'unknown kid') return signToken(service.admin, {}, { kid: 'A'.repeat(43) })
  if (kind === 'odd kid') return signToken(service.admin, {}, { kid: 'a\u0000b' })
  if (kind === 'another curve' || kind === 'foreign signature') return foreignToken(kind)
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const header = encode({ alg: kind, kid: service.admin.publicKey.thumbprint })
  return `${header}.${encode({ scopes: ['*.read', '*.write'], exp: now + 3_600 })}.${kind === 'none' ? '' : 'c2lnbmF0dXJl'}`
}

/** Signed by another key in the name of ours. */
async function foreignToken(kind: string): Promise<string> {
  const isCurve = kind === 'another curve'
  const { privateKey } = isCurve
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const signatureAlgorithm = isCurve ? 'ES256' : 'EdDSA'
  return signToken({ privateKey: pem, publicKey: { ...service.admin.publicKey, signatureAlgorithm } })
}

/** Entries about changes. Openings of the vault are recorded, too. */
async function auditEntries(): Promise<number> {
  const row = await service.context.db
    .selectFrom('audit_logs')
    .where('action', '<>', 'revealed')
    .select((eb) => eb.fn.countAll<string>().as('entries'))
    .executeTakeFirstOrThrow()
  return Number(row.entries)
}
