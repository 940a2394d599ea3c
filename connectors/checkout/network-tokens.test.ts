import { expect, test } from 'vitest'
import type { Link } from '#connectors/contract/connector.ts'
import type { ProvisionOrder } from '#connectors/contract/network-token.ts'
import { describeNetworkTokenConnector } from '#connectors/contract/network-token-suite.ts'
import { testLink } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { createStandIn } from '#sandbox/stand-ins/checkout/stand-in.ts'
import { ACCESS_KEY } from '#sandbox/stand-ins/checkout/vault-services.ts'
import { checkoutNetworkToken } from './network-tokens.ts'
import { watch } from './testing/published-contract.ts'

/** The ninth to twelfth digits decide. */
const CARDS = { active: '4111111111111111', declined: '4111111100211112', requested: '4111111100231110' }

function openVault() {
  const standIn = createStandIn({ now: () => new Date() })
  const sent: { readonly route: string; readonly body: Record<string, unknown> }[] = []
  const fetch: Link['fetch'] = watch((url, init) => {
    const { pathname } = new URL(url)
    const read = () => (init?.body ? JSON.parse(String(init.body)) : undefined)
    if (pathname !== '/connect/token')
      sent.push({ route: `${init?.method ?? 'GET'} ${pathname}`, body: read() })
    return standIn.fetch(url, init)
  })
  const link = testLink({ fetch, fields: ACCESS_KEY })
  const provision = (number: string, over: Partial<ProvisionOrder> = {}) =>
    checkoutNetworkToken.provision(
      {
        attemptId: 'attempt',
        requestor: null,
        clientReference: 'token',
        reference: null,
        number: secret(number),
        expirationDate: '12/30',
        scheme: 'visa',
        securityCode: null,
        cardholderName: null,
        isMerchantInitiated: false,
        isSubsequentPayment: false,
        ...over,
      },
      link,
    )
  return { standIn, link, sent, provision }
}

describeNetworkTokenConnector(checkoutNetworkToken, async () => ({
  link: openVault().link,
  wrongFields: { ...ACCESS_KEY, client_secret: 'another' },
  cardFor: (outcome) => ({
    number: secret(outcome === 'active' ? CARDS.active : CARDS.declined),
    scheme: 'visa',
    expirationDate: '12/30',
  }),
  requestor: null,
}))

test('a token that is not ready is asked about, and not made again', async () => {
  const { provision, sent, standIn } = openVault()

  const first = await provision(CARDS.requested, { securityCode: secret('123') })
  const reference = 'reference' in first ? first.reference : null
  const then = await provision(CARDS.requested, { reference })

  expect([first.outcome, then.outcome]).toEqual(['pending', 'approved'])
  expect(sent.map(({ route }) => route)).toEqual(['POST /network-tokens', `GET /network-tokens/${reference}`])
  expect(sent[0]?.body).toMatchObject({
    source: { type: 'card', expiry_month: '12', expiry_year: '2030', cvv: '123' },
  })
  expect(standIn.violations).toEqual([])
})

test('a lost answer is asked for again, and leads to the same token', async () => {
  const { provision, standIn } = openVault()

  const answers = [await provision(CARDS.active), await provision(CARDS.active)]

  expect(new Set(answers.map((answer) => ('reference' in answer ? answer.reference : '')))).toHaveLength(1)
  expect(standIn.vault.tokens.size).toBe(1)
})

test('a cryptogram is for the kind of payment, with two digits of the ECI', async () => {
  const { link, provision, sent } = openVault()
  const made = await provision(CARDS.active)
  const reference = made.outcome === 'approved' ? made.reference : ''
  const ask = (isMerchantInitiated: boolean) =>
    checkoutNetworkToken.makeCryptogram(
      { requestor: null, reference, scheme: 'visa', isMerchantInitiated },
      link,
    )

  const answers = [await ask(false), await ask(true)]

  expect(answers).toMatchObject([{ outcome: 'made', eci: '07' }, { outcome: 'made' }])
  expect(sent.slice(-2).map(({ body }) => body)).toEqual([
    { transaction_type: 'ecom' },
    { transaction_type: 'recurring' },
  ])
})

test('the contract has nothing to suspend a token', async () => {
  const { link, sent } = openVault()
  const order = { attemptId: 'attempt', requestor: null, operation: 'suspend', reference: 'nt' } as const

  expect(await checkoutNetworkToken.change(order, link)).toMatchObject({ code: 'invalid_operation' })
  expect(sent).toEqual([])
})
