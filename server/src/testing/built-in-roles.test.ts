import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { covers } from '#platform/access/auth.ts'
import { missingScope } from '#platform/http/read-call.ts'
import { startTestService, type TestService } from './harness.ts'
import { OPERATIONS } from './operations.ts'
import { signIn } from './sign-in.ts'
import { openTill } from './till.ts'

const SET_UP: readonly string[] = [
  ...[
    'account-updater-service-definitions',
    'account-updater-services',
    'anti-fraud-service-definitions',
    'anti-fraud-services',
    'api-key-pairs',
    'apple-pay-certificates',
    'attention',
  ],
  ...['card-scheme-definitions', 'digital-wallets', 'events', 'flows', 'gift-card-service-definitions'],
  ...['gift-card-services', 'merchant-accounts', 'monitoring', 'payment-method-definitions'],
  ...[
    'network-token-service-definitions',
    'network-token-services',
    'payment-service-definitions',
    'payment-service-reports',
    'payment-services',
    'roles',
    'three-ds-scenarios',
    'three-ds-service-definitions',
    'three-ds-services',
  ],
]

/** What the phrases of the table in docs/guide/users.md allow to look at. */
const SEES: Readonly<Record<string, readonly string[]>> = {
  everything: ['*'],
  nothing: [],
  payments: [
    ...[
      'attention',
      'bin-checker',
      'card-scheme-definitions',
      'checkout-sessions',
      'events',
      'exchanges',
      'flows',
    ],
    ...['gift-cards', 'payment-links', 'payment-method-definitions', 'payment-methods'],
    ...['payment-service-definitions', 'payment-services', 'payouts', 'transactions'],
  ],
  buyers: ['buyers'],
  'merchant accounts': ['merchant-accounts'],
  figures: ['metrics-explorer', 'monitoring'],
  'figures of payments': ['metrics-explorer'],
  settlements: ['payment-service-reports'],
  reports: ['reports', 'payment-service-reports', 'attention'],
  'digital wallets': ['digital-wallets', 'payment-options'],
  'webhooks without their secrets': ['webhook-deliveries'],
  'the set-up': [...SET_UP, 'webhook-subscriptions', 'vault-forward-configs'],
  'the set-up but for webhooks and where cards are forwarded': SET_UP,
  users: ['users', 'roles'],
  'the audit log': ['audit-logs'],
  'the request log': ['api-logs'],
  'the sandbox': ['sandbox'],
}

/** What they allow to change. */
const CHANGES: Readonly<Record<string, RegExp>> = {
  everything: /./,
  nothing: /^$/,
  'captures, voids, cancels and refunds payments':
    /^(capture|void|cancel)_transaction$|^create_(full_)?transaction_refund$/,
  'asks for open outcomes': /^sync_transaction$/,
  'notes answers to chargebacks': /_chargeback_answer$/,
  'answers disputes': /^(accept_dispute|submit_dispute_evidence)$/,
  'sends payment links': /_payment_link$/,
  'replays webhooks': /^replay_webhook/,
  'makes and changes payments':
    /_transaction(_|$)|_chargeback_answer$|_payment_service(_definition)?_session$/,
  'prepares checkouts': /_checkout_session(_page)?$|^open_checkout_page$/,
  'pays out': /_payout$/,
  'stores payment methods':
    /_payment_method(_network_token.*|_payment_service_token)?$|^create_account_updater_job$/,
  'loads gift cards': /_gift_card$/,
  'changes buyers': /^(add|update|delete)_buyer/,
  'sets digital wallets up': /_digital_wallet(_domain|_session)?$|_paze_mobile_session$/,
  'changes the set-up':
    /_(api_key_pair|merchant_account(_theme)?|three_ds_configuration|digital_wallet(_domain|_session|_key)?|paze_mobile_session|(payment|account_updater|anti_fraud|gift_card|network_token|three_ds)_service|payment_service_(credentials|notifications)|flow_(version|rule)|retry_policy|three_ds_scenario|vault_forward_endpoint|webhook_subscription(_secret)?)$|^send_test_webhook$|^replay_webhook/,
  'has figures watched': /_monitoring_(metric|incident)$|_metrics_explorer_preset$/,
  'saves figures': /_metrics_explorer_preset$/,
  'plays with the sandbox': /_sandbox_/,
  'changes users': /_user(_invitation)?$/,
  'creates reports': /^(add|update)_report$/,
}

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** The rows of the guide: role, what it sees, what it changes. */
function promised(): Map<string, { readonly sees: readonly string[]; readonly changes: readonly string[] }> {
  const guide = readFileSync(new URL('../../../docs/guide/users.md', import.meta.url), 'utf8')
  const [, table = ''] = /\| Role \| Sees \| Changes \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(guide) ?? []
  const rows = table.trim().split('\n')
  return new Map(
    rows.map((row) => {
      const [slug = '', sees = '', changes = ''] = row.split('|').slice(1, -1)
      const phrases = (cell: string) => cell.split(';').map((phrase) => phrase.trim())
      return [slug.replaceAll('`', '').trim(), { sees: phrases(sees), changes: phrases(changes) }]
    }),
  )
}

function allowed(permissions: readonly string[]): string[] {
  const granted = new Set(permissions)
  const may = (permission: string) => covers(granted, permission)
  const caller = { may, roleAllows: may, isEmbed: false }
  return OPERATIONS.filter(({ scope, isForUsers }) => scope !== null && !isForUsers)
    .filter((operation) => missingScope(operation, caller) === undefined)
    .map(({ id }) => id)
}

test('each built-in role allows the operations that the guide says, and no others', async () => {
  const { items } = (await service.send('GET /roles')).json()
  const told = promised()
  const looking = new Set(OPERATIONS.filter(({ scope }) => scope?.endsWith('.read')).map(({ id }) => id))

  expect(new Set(told.keys())).toEqual(new Set(items.map(({ slug }: { slug: string }) => slug)))
  for (const { slug, permissions } of items) {
    const { sees = [], changes = [] } = told.get(slug) ?? {}
    const seen = sees.flatMap((phrase) => SEES[phrase] ?? expect.fail(`${slug}: ${phrase}?`))
    const changed = changes.map((phrase) => CHANGES[phrase] ?? expect.fail(`${slug}: ${phrase}?`))
    const expected = OPERATIONS.filter(
      ({ id, scope, isForUsers }) =>
        scope !== null &&
        !isForUsers &&
        changed.some((form) => form.test(id)) &&
        (!looking.has(id) || id === 'sync_transaction' || slug === 'administrator'),
    ).map(({ id }) => id)
    const visible = allowed(seen.map((name) => `${name}.read`)).filter((id) => looking.has(id))
    expect(new Set(allowed(permissions.allow)), slug).toEqual(new Set([...visible, ...expected]))
  }
})

test('customer support corrects payments and replays webhooks, but makes no payment and sees no secret', async () => {
  const till = openTill(service)
  const { headers } = await signIn(service, { roles: ['customer-support'] })
  const send = (route: string, body?: object) => service.send(route, body, { token: null, headers })
  const { id } = await till.pay({ amount: 1299 })
  const stored = await service.send('POST /payment-methods', {
    method: 'card',
    number: '4111111111111111',
    expiration_date: '12/40',
  })
  const subscription = await service.send('POST /webhook-subscriptions', {
    url: 'https://hooks.example.com/support',
  })
  const path = `/webhook-subscriptions/${subscription.json().id}`

  const charged = await send('POST /transactions', {
    amount: 1299,
    currency: 'USD',
    country: 'US',
    merchant_initiated: true,
    payment_method: { method: 'id', id: stored.json().id },
  })
  const captured = await send(`POST /transactions/${id}/capture`, { amount: 1299 })
  const refunded = await send(`POST /transactions/${id}/refunds/all`)
  const listed = await send('GET /webhook-subscriptions')
  const replayed = await send(`POST ${path}/replay`, { status: 'parked' })
  const rotated = await send(`POST ${path}/rotate-secret`)

  expect(charged.statusCode).toBe(403)
  expect(charged.json().details[0].message).toContain('transactions.write')
  expect([captured.statusCode, refunded.statusCode]).toEqual([200, 201])
  expect(listed.json().items).toMatchObject([{ url: 'https://hooks.example.com/support', secret: null }])
  expect([replayed.statusCode, rotated.statusCode]).toEqual([200, 403])
})

test('system support sees webhooks without their secrets, however fresh its proof is', async () => {
  await service.send('POST /webhook-subscriptions', { url: 'https://hooks.example.com/system' })
  const { headers } = await signIn(service, { roles: ['system-support'] })

  const listed = await service.send('GET /webhook-subscriptions?limit=1', undefined, { token: null, headers })

  expect(listed.json().items).toMatchObject([{ url: 'https://hooks.example.com/system', secret: null }])
})
