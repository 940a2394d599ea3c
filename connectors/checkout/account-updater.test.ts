import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import type { UpdaterScheme } from '#connectors/contract/account-updater.ts'
import { describeAccountUpdaterConnector } from '#connectors/contract/account-updater-suite.ts'
import type { Link } from '#connectors/contract/connector.ts'
import { testLink } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { createStandIn } from '#sandbox/stand-ins/checkout/stand-in.ts'
import { ACCESS_KEY } from '#sandbox/stand-ins/checkout/vault-services.ts'
import { checkoutAccountUpdater } from './account-updater.ts'
import { watch } from './testing/published-contract.ts'

const NUMBERS = {
  new_number: '4111111100011116',
  new_date: '4111111100021115',
  closed: '4111111100031114',
  unchanged: '4111111111111111',
}

/** Checkout.com has the public half. */
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const FIELDS = { ...ACCESS_KEY, private_key: keys.privateKey }

function openVault({ isEncrypting = true } = {}) {
  let now = new Date()
  const standIn = createStandIn({ now: () => now })
  if (isEncrypting) standIn.vault.publicKey = keys.publicKey
  const sent: { readonly path: string; readonly body: string; readonly authorization: string | null }[] = []
  const fetch: Link['fetch'] = watch((url, init) => {
    const { pathname, host } = new URL(url)
    const authorization = new Headers(init?.headers).get('authorization')
    sent.push({ path: `${host}${pathname}`, body: String(init?.body), authorization })
    return standIn.fetch(url, init)
  })
  const link = testLink({ fetch, fields: FIELDS, now: () => now })
  const ask = (number: string, over: Partial<Link> = {}, scheme: UpdaterScheme = 'visa') =>
    checkoutAccountUpdater.findUpdate(
      { inquiryId: 'inquiry', number: secret(number), expirationDate: '12/30', scheme },
      { ...link, ...over },
    )
  const wait = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1_000)
  }
  return { standIn, link, sent, ask, wait }
}

describeAccountUpdaterConnector(checkoutAccountUpdater, async () => ({
  link: openVault().link,
  wrongFields: { ...FIELDS, client_secret: 'another' },
  cardFor: (outcome) => ({ number: secret(NUMBERS[outcome]), scheme: 'visa' }),
}))

test('a token is asked for once, until it ends or Checkout.com takes it back', async () => {
  const { standIn, sent, ask, wait } = openVault()
  const tokens = () => sent.filter(({ path }) => path.endsWith('/connect/token')).length

  await ask(NUMBERS.closed)
  await ask(NUMBERS.closed)
  const shared = tokens()
  wait(3_600)
  await ask(NUMBERS.closed)
  const later = tokens()
  standIn.vault.revoke()
  const again = await ask(NUMBERS.closed)

  expect([shared, later, tokens()]).toEqual([1, 2, 3])
  expect(again.outcome).toBe('closed')
  expect(standIn.violations).toEqual([])
})

test('each environment has hosts of its own, with the prefix of the account', async () => {
  const { sent, ask } = openVault()
  const fields = { ...FIELDS, url_prefix: 'abcd1234' }

  await ask(NUMBERS.closed, { fields })
  await ask(NUMBERS.closed, {
    fields,
    environment: 'production',
    remember: async (_, make) => (await make()).value,
  })

  expect(sent.map(({ path }) => path)).toEqual([
    'abcd1234.access.sandbox.checkout.com/connect/token',
    'abcd1234.api.sandbox.checkout.com/account-updater/cards',
    'abcd1234.access.checkout.com/connect/token',
    'abcd1234.api.checkout.com/account-updater/cards',
  ])
})

test.each([
  ['takes no part', '4111111100061111', { outcome: 'unchanged' }],
  ['gives no reason', '4111111100051112', { outcome: 'refused', reason: expect.stringContaining('UNKNOWN') }],
  [
    'is of a scheme that is not known',
    '6011000000000004',
    { outcome: 'refused', reason: expect.stringContaining('card_scheme_not_supported') },
  ],
])('a card that %s', async (_name, number, expected) => {
  const { ask, standIn } = openVault()

  expect(await ask(number)).toMatchObject(expected)
  expect(standIn.violations).toEqual([])
})

test('a new number that cannot be read is told once, with what to do', async () => {
  const other = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const { ask } = openVault()
  const answers = [
    await openVault({ isEncrypting: false }).ask(NUMBERS.new_number),
    await ask(NUMBERS.new_number, { fields: ACCESS_KEY }),
    await ask(NUMBERS.new_number, { fields: { ...FIELDS, private_key: other.privateKey } }),
    await ask(NUMBERS.new_number, { fields: { ...FIELDS, private_key: 'no key' } }),
  ]

  expect(answers.map(({ outcome }) => outcome)).toEqual(answers.map(() => 'refused'))
  expect(answers.map((answer) => ('reason' in answer ? answer.reason : ''))).toEqual([
    expect.stringContaining('encrypted_card_number'),
    expect.stringContaining('Enter private_key'),
    expect.stringContaining('cannot be read'),
    expect.stringContaining('cannot be read'),
  ])
})
