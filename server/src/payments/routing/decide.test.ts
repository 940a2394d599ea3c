import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

type Account = {
  readonly account: string
  readonly first: string
  readonly second: string
  readonly third: string
}

/** An account with three services, asked in this order without a rule. */
async function open(account: string): Promise<Account> {
  await service.send('POST /merchant-accounts', { id: account, display_name: account })
  const options = { account }
  const [first, second, third] = [
    await till.addService({}, options),
    await till.addService({}, options),
    await till.addService({}, options),
  ]
  return { account, first: first.id, second: second.id, third: third.id }
}

async function add(account: string, action: string, body: object, flow = 'card-transaction') {
  const response = await service.send(`POST /flows/${flow}/actions/${action}/rules`, body, { account })
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

const to = (...ids: string[]) => ({
  type: 'card-routing',
  version: 2,
  result: ids.map((payment_service_id) => ({ payment_service_id, instrument: 'pan' })),
})
const EUROS = { name: 'currency', operator: 'is_one_of', value: ['EUR'] }
const DECLINE = { type: 'boolean', result: true }

const read = async (account: string, id: string, what: string) =>
  (await service.send(`GET /transactions/${id}/${what}`, undefined, { account })).json()

describe('a payment', () => {
  test('goes to the services of the first rule that matches, and says why', async () => {
    const { account, first, second, third } = await open('routed')
    const euros = await add(account, 'route-transaction', {
      description: 'Euros',
      conditions: [EUROS],
      outcome: to(third, second),
    })
    await add(account, 'route-transaction', {
      description: 'All others',
      conditions: [],
      outcome: to(second),
    })

    const inEuros = await till.pay({ currency: 'EUR' }, { account })
    const inDollars = await till.pay({}, { account })
    const decision = await read(account, inDollars.id, 'decision')

    expect([inEuros.payment_service.id, inDollars.payment_service.id]).toEqual([third, second])
    expect(await read(account, inEuros.id, 'actions')).toEqual({
      items: [
        {
          type: 'action',
          id: 'route-transaction',
          flow: 'card-transaction',
          rule_id: euros.id,
          created_at: expect.any(String),
          outcome: to(third, second),
        },
      ],
    })
    expect(decision).toMatchObject({
      version: 2,
      summary: 'The rule “All others” sent the payment to Till.',
      candidates: [{ payment_service_id: second, was_asked: true }],
    })
    expect(decision.steps.at(-1)).toMatchObject({
      action: 'route-transaction',
      rule: { position: 1, description: 'All others' },
      passed_over: [
        {
          rule: { id: euros.id },
          because: 'not_met',
          condition: EUROS,
          text: 'The rule “Euros” was passed over: it wants that the currency is EUR.',
        },
      ],
    })
    expect(first).not.toBe(second)
  })

  test('goes on to the next service of the rule after a decline that may be retried, and to no other', async () => {
    const { account, second, third } = await open('cascaded')
    await add(account, 'route-transaction', { conditions: [], outcome: to(third, second) })

    const declined = await till.pay({ amount: 200_016 }, { account })
    const { candidates, summary } = await read(account, declined.id, 'decision')

    expect(declined.status).toBe('authorization_declined')
    expect(
      candidates.map(({ payment_service_id, was_asked }: Record<string, unknown>) => [
        payment_service_id,
        was_asked,
      ]),
    ).toEqual([
      [third, true],
      [second, true],
    ])
    expect(summary).toContain('to Till, then to Till')
  })

  test('without rules goes by position, and with the service that the merchant named to that one', async () => {
    const { account, first, second, third } = await open('plain')
    const plain = await till.pay({}, { account })
    await add(account, 'route-transaction', { conditions: [], outcome: to(third) })
    const named = await till.pay({ payment_service_id: second }, { account })

    expect([plain.payment_service.id, named.payment_service.id]).toEqual([first, second])
    expect(await read(account, plain.id, 'actions')).toEqual({ items: [] })
    expect((await read(account, plain.id, 'decision')).summary).toBe(
      'There were no rules, so the payment went to the first service in the list that takes it: Till.',
    )
    expect((await read(account, named.id, 'decision')).summary).toContain(
      'The request named the payment service',
    )
  })

  test('that no service can take is still judged by rules and by the anti-fraud service', async () => {
    const account = 'unserved'
    await service.send('POST /merchant-accounts', { id: account, display_name: account })
    await add(account, 'decline-early', { conditions: [EUROS], outcome: DECLINE })
    await service.send(
      'POST /anti-fraud-services',
      { display_name: 'Watchful', anti_fraud_service_definition_id: 'mock-anti-fraud', fields: [] },
      { account },
    )

    const ruled = await till.pay({ currency: 'EUR' }, { account })
    const skipped = await till.pay({}, { account })

    expect([ruled.status, ruled.error_code]).toEqual(['authorization_declined', 'flow_decline'])
    expect([skipped.status, skipped.error_code]).toEqual(['authorization_failed', 'all_attempts_skipped'])
    const { items } = await read(account, skipped.id, 'events')
    expect(items.map(({ name }: { name: string }) => name)).toContain('anti-fraud-decision-skipped')
  })

  test('is skipped if no service of the rule can take it, and every service says why', async () => {
    const { account, first, second, third } = await open('skipped')
    await add(account, 'route-transaction', {
      description: 'Second only',
      conditions: [],
      outcome: to(second),
    })
    await service.send(`DELETE /payment-services/${second}`, undefined, { account })

    const paid = await till.pay({}, { account })
    const { candidates } = await read(account, paid.id, 'decision')

    expect([paid.status, paid.error_code]).toEqual(['authorization_failed', 'all_attempts_skipped'])
    expect(candidates).toEqual([
      expect.objectContaining({ payment_service_id: second, was_asked: false }),
      expect.objectContaining({
        payment_service_id: first,
        text: 'Till was skipped: the rule does not name it.',
      }),
      expect.objectContaining({ payment_service_id: third, reason: 'not_in_rule' }),
    ])
  })

  test('that a rule declines asks no service, and has the code of the rule', async () => {
    const { account } = await open('declined')
    const rule = await add(account, 'decline-early', {
      conditions: [EUROS],
      outcome: DECLINE,
      error_code: 'flow_no_euros',
    })
    await add(account, 'decline-early', {
      conditions: [{ name: 'metadata', operator: 'includes', value: { key: 'risk', value: 'high' } }],
      outcome: DECLINE,
    })

    const inEuros = await till.pay({ currency: 'EUR' }, { account })
    const risky = await till.pay({ metadata: { risk: 'high' } }, { account })
    const fine = await till.pay({ metadata: { risk: 'low' } }, { account })

    expect([inEuros.status, inEuros.error_code]).toEqual(['authorization_declined', 'flow_no_euros'])
    expect(risky.error_code).toBe('flow_decline')
    expect(fine.status).toBe('authorization_succeeded')
    expect(await till.books(inEuros.id)).toBeNull()
    expect(await read(account, inEuros.id, 'actions')).toMatchObject({
      items: [{ id: 'decline-early', rule_id: rule.id }],
    })
  })

  test('with an unknown fact matches neither the condition nor its opposite', async () => {
    const { account, first, third } = await open('unknown')
    for (const operator of ['is_one_of', 'is_not_one_of']) {
      await add(account, 'route-transaction', {
        conditions: [{ name: 'browser_language', operator, value: ['en'] }],
        outcome: to(third),
      })
    }

    const paid = await till.pay({}, { account })
    const { steps } = await read(account, paid.id, 'decision')

    expect(paid.payment_service.id).toBe(first)
    expect(steps.at(-1).passed_over.map(({ because }: { because: string }) => because)).toEqual([
      'not_known',
      'not_known',
    ])
  })

  test('of a change of the rules follows the newest, also in another process', async () => {
    const { account, second, third } = await open('changed')
    const rule = await add(account, 'route-transaction', { conditions: [], outcome: to(second) })
    const before = await till.pay({}, { account })
    const path = `/flows/card-transaction/actions/route-transaction/rules/${rule.id}`
    await service.send(`PUT ${path}`, { position: 0, outcome: to(third) }, { account })
    const after = await till.pay({}, { account })
    await service.send(`DELETE ${path}`, undefined, { account })
    const without = await till.pay({}, { account })

    expect([before, after].map(({ payment_service }) => payment_service.id)).toEqual([second, third])
    expect((await read(account, without.id, 'decision')).version).toBeNull()
    expect((await read(account, before.id, 'decision')).summary).toContain('at position 0')
  })
})

describe('a split', () => {
  const buyers = Array.from({ length: 40 }, (_, index) => `4111110000${String(index).padStart(2, '0')}`)

  test('sends a buyer always to the same service, and different buyers to different ones', async () => {
    const { account, first, second } = await open('split')
    await add(account, 'route-transaction', {
      conditions: [],
      outcome: {
        ...to(),
        strategy: 'weighted',
        result: [first, second].map((payment_service_id) => ({
          payment_service_id,
          instrument: 'pan',
          weight: 50,
        })),
      },
    })
    const chosen = new Map<string, Set<string>>()
    for (const name of buyers) {
      const buyer = (await service.send('POST /buyers', { display_name: name }, { account })).json()
      for (let times = 0; times < 2; times += 1) {
        const paid = await till.pay({ buyer_id: buyer.id }, { account })
        chosen.set(name, (chosen.get(name) ?? new Set()).add(paid.payment_service.id))
      }
    }

    const perBuyer = [...chosen.values()]
    expect(perBuyer.every((services) => services.size === 1)).toBe(true)
    const counted = await service.send(
      'GET /metrics-explorer/authorization/metrics/transactions/modules/rule_variant_id?datetime_range=PT1H/now',
      undefined,
      { account },
    )
    const keys = counted.json().map(({ key }: { key: string }) => key)
    expect(new Set(keys)).toEqual(new Set([first, second]))
    // Forty coins that all fall on one side are not to be seen in the life of the universe.
    expect(new Set(perBuyer.flatMap((services) => [...services]))).toEqual(new Set([first, second]))
  })

  test('is another one for each rule', async () => {
    const { account, first, second } = await open('arms')
    const half = { name: 'split_routing', operator: 'less_than_or_equal_to', value: 50 }
    await add(account, 'route-transaction', { conditions: [half], outcome: to(first) })
    await add(account, 'route-transaction', { conditions: [half], outcome: to(second) })
    const passed = new Set<string>()
    for (const name of buyers) {
      const buyer = (await service.send('POST /buyers', { display_name: name }, { account })).json()
      const { steps } = await read(
        account,
        (await till.pay({ buyer_id: buyer.id }, { account })).id,
        'decision',
      )
      const { rule, passed_over } = steps.at(-1)
      passed.add(`${rule?.position ?? 'none'} after ${passed_over.length}`)
    }

    expect(passed).toEqual(new Set(['0 after 0', '1 after 1', 'none after 2']))
  })
})

describe('3-D Secure', () => {
  const CHALLENGED = { ...CARD, number: '4111111111102011', redirect_url: 'https://shop.example/back' }

  test('is done because a rule forces it, and goes on with the services of the rule afterwards', async () => {
    const { account, third } = await open('forced')
    await add(account, 'skip-3ds', {
      conditions: [EUROS],
      outcome: { type: 'three-d-secure', result: 'force' },
    })
    await add(account, 'route-transaction', { conditions: [], outcome: to(third) })

    const waiting = await till.pay({ currency: 'EUR', payment_method: CHALLENGED }, { account })
    const inDollars = await till.pay({ payment_method: CHALLENGED }, { account })
    expect(waiting.status).toBe('buyer_approval_pending')
    await service.app.inject({
      method: 'POST',
      url: new URL(waiting.payment_method.approval_url).pathname,
      payload: 'decision=approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const paid = await till.get(waiting.id, { account })

    expect([paid.status, paid.payment_service.id]).toEqual(['authorization_succeeded', third])
    expect(inDollars.status).toBe('authorization_succeeded')
  })

  test('is skipped because a rule says so', async () => {
    const { account, first } = await open('unforced')
    const path = `/payment-services/${first}`
    await service.send(`PUT ${path}`, { three_d_secure_enabled: true }, { account })
    const before = await till.pay({ payment_method: CHALLENGED }, { account })
    await add(account, 'skip-3ds', { conditions: [], outcome: DECLINE })
    const after = await till.pay({ payment_method: CHALLENGED }, { account })

    expect([before.status, after.status]).toEqual(['buyer_approval_pending', 'authorization_succeeded'])
  })
})
