import { expect, test } from 'vitest'
import type { ProvisionOrder } from '#connectors/contract/network-token.ts'
import { describeNetworkTokenConnector } from '#connectors/contract/network-token-suite.ts'
import { secret } from '#connectors/contract/secret.ts'
import { STAND_IN_ACCOUNT } from '#sandbox/stand-ins/worldpay/stand-in.ts'
import { worldpayNetworkToken } from './network-tokens.ts'
import { openShop } from './testing/shop.ts'

/** The ninth to twelfth digits decide. */
const CARDS = { active: '4111111111111111', refused: '4111111100211112', slow: '4111111100231110' }

function openTokens() {
  const shop = openShop({ fields: STAND_IN_ACCOUNT })
  const order: ProvisionOrder = {
    attemptId: 'attempt',
    requestor: null,
    clientReference: 'token',
    reference: null,
    number: secret(CARDS.active),
    expirationDate: '12/30',
    scheme: 'visa',
    securityCode: null,
    cardholderName: 'Jane Doe',
    isMerchantInitiated: false,
    isSubsequentPayment: false,
  }
  const provision = (over: Partial<ProvisionOrder> = {}, link = shop.link) =>
    worldpayNetworkToken.provision({ ...order, ...over }, link)
  return { ...shop, provision }
}

describeNetworkTokenConnector(worldpayNetworkToken, async () => ({
  link: openTokens().link,
  wrongFields: { ...STAND_IN_ACCOUNT, password: 'another' },
  cardFor: (outcome) => ({
    number: secret(outcome === 'active' ? CARDS.active : CARDS.refused),
    scheme: 'visa',
    expirationDate: '12/30',
  }),
  requestor: null,
}))

test('a token that is not ready is asked about, and not made again', async () => {
  const { provision, sent, standIn } = openTokens()

  const first = await provision({ number: secret(CARDS.slow) })
  const reference = 'reference' in first ? first.reference : null
  const then = await provision({ number: secret(CARDS.slow), reference })

  expect([first.outcome, then.outcome]).toEqual(['pending', 'approved'])
  expect(sent.map(({ path }) => path)).toEqual(['/tokens/network', `/tokens/network/${reference}`])
  expect(sent[0]?.body).toEqual({
    paymentInstrument: {
      type: 'card/front',
      cardHolderName: 'Jane Doe',
      cardNumber: CARDS.slow,
      cardExpiryDate: { month: 12, year: 2030 },
    },
    merchant: { entity: 'default' },
  })
  expect(standIn.tokens.made).toHaveLength(1)
})

test('a card of nobody gets no token, and the answer says what is missing', async () => {
  const { provision, sent } = openTokens()

  expect(await provision({ cardholderName: null })).toMatchObject({
    outcome: 'failed',
    facts: { rawDescription: expect.stringContaining('billing_details') },
  })
  expect(sent).toEqual([])
})

test('refusals of the scheme are told by their codes, never in its words', async () => {
  const { provision, link } = openTokens()
  const asObject: typeof link = {
    ...link,
    fetch: async () =>
      Response.json({
        tokenReference: 'r',
        paymentInstrument: {},
        provisioningErrors: { errorCode: '301', providerErrorCode: '403', message: '4111111111111111' },
      }),
  }

  expect(await provision({ number: secret(CARDS.refused) })).toMatchObject({
    code: 'unsupported_payment_method',
    facts: { rawCode: '301/403' },
  })
  // The contract's schema has a list of errors, and its example one.
  expect(await provision({}, asObject)).toMatchObject({ outcome: 'failed', facts: { rawCode: '301/403' } })
})

test('an account without network tokens is told so', async () => {
  const { provision, link } = openTokens()

  const answer = await provision({}, { ...link, fields: { ...STAND_IN_ACCOUNT, entity: 'another' } })

  expect(answer).toMatchObject({ outcome: 'failed', code: 'insufficient_service_permissions' })
})

test('a cryptogram is asked for by the number, which Worldpay is asked for', async () => {
  const { provision, link, sent } = openTokens()
  const made = await provision()
  const reference = made.outcome === 'approved' ? made.reference : ''
  const number = made.outcome === 'approved' ? made.networkToken?.number.use(String) : ''

  const answer = await worldpayNetworkToken.makeCryptogram(
    { requestor: null, reference, scheme: 'visa', isMerchantInitiated: false },
    link,
  )

  expect(answer).toMatchObject({ outcome: 'made', eci: '07' })
  expect(sent.slice(1)).toEqual([
    { path: `/tokens/network/${reference}`, body: {} },
    { path: '/tokens/network/cryptograms', body: { tokenNumber: number } },
  ])
})

test('the contract has nothing to suspend a token', async () => {
  const { link, sent } = openTokens()
  const order = { attemptId: 'attempt', requestor: null, operation: 'suspend', reference: 'r' } as const

  expect(await worldpayNetworkToken.change(order, link)).toMatchObject({ code: 'invalid_operation' })
  expect(sent).toEqual([])
})
