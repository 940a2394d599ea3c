import { isBuyerField } from '#connectors/contract/buyer-fields.ts'
import type { Connector, Message } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { authorizeOrder, card, enteredFor } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { type Bench, describeConnector } from '#connectors/contract/suite.ts'
import { type StandIn, TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import { sign } from '#sandbox/stand-ins/stripe/webhooks.ts'
import { stripeConnectors } from './connectors.ts'
import { METHODS, type MethodRow } from './methods.ts'
import { API, openShop } from './testing/shop.ts'

const SECRET = 'whsec_of_the_suite'
const RETURN = 'https://pay.example.com/return'

const BILLING = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email_address: 'ada@example.com',
  phone_number: null,
  tax_id: { kind: 'br.cpf', value: '568.617.525-09' },
  address: {
    city: 'Amsterdam',
    country: 'NL',
    postal_code: '1011 AB',
    state: 'Noord-Holland',
    state_code: null,
    house_number_or_name: null,
    line1: 'Damrak 1',
    line2: null,
    organization: null,
  },
}

/** A payment by a redirect method, held first where that is possible. */
const redirect = ({
  method,
  currencies,
  countries,
  captures,
  fields = {},
}: MethodRow): Partial<AuthorizeOrder> => {
  const [currency = ''] = currencies === 'all' ? ['EUR'] : currencies
  const [country = ''] = countries === 'all' ? ['NL'] : countries
  return {
    instrument: {
      kind: 'redirect',
      method,
      country,
      currency,
      fields: enteredFor(Object.keys(fields).filter(isBuyerField)),
    },
    currency,
    country,
    intent: captures ? 'authorize' : 'capture',
    billing: BILLING,
    redirectUrl: RETURN,
  }
}

const bank = (account: object, currency: string): Partial<AuthorizeOrder> => ({
  instrument: { kind: 'bank', payload: secret(JSON.stringify(account)), mandate: null },
  currency,
  intent: 'capture',
  billing: BILLING,
  redirectUrl: RETURN,
})

const HOLDER = { account_holder: { first_name: 'Ada', last_name: 'Lovelace' } }
const THREE_D_SECURE = { instrument: card({ number: secret('4000002760003184') }), redirectUrl: RETURN }

/** What each connector is asked for, so that Stripe approves, and so that it asks the buyer. */
const ORDERS: Readonly<Record<string, Pick<Bench, 'approved' | 'declined' | 'pending'>>> = {
  card: {
    declined: { instrument: card({ number: secret('4000000000000002') }) },
    pending: THREE_D_SECURE,
  },
  ...Object.fromEntries(METHODS.map((row) => [row.method, { approved: redirect(row) }])),
  sepa: { approved: bank({ ...HOLDER, account_number: 'DE89370400440532013000' }, 'EUR') },
  bacs: {
    approved: bank({ ...HOLDER, account_number: '00012345', routing_number: '108800' }, 'GBP'),
  },
  ach: {
    approved: bank({ ...HOLDER, account_number: '000123456789', routing_number: '110000000' }, 'USD'),
  },
}

async function open(connector: Connector): Promise<Bench> {
  const { method } = connector.manifest
  const { standIn, control, decide, finish, ...shop } = openShop()
  const link = { ...shop.link, fields: { ...shop.link.fields, webhook_secret: SECRET } }
  const orders = ORDERS[method] ?? {}
  const asked = orders.pending ?? orders.approved ?? {}
  const sell = () => connector.authorize?.(authorizeOrder({ ...orders.approved, intent: 'capture' }), link)
  return {
    link,
    ...orders,
    pending: asked,
    walletToken: 'tok_visa',
    effectsOf: async (attemptId) => standIn.effectsOf(attemptId),
    ...(connector.trial?.movesMoney && { movesMoney: connector.trial.movesMoney }),
    finish: async (_operation, reference) => {
      await finish(reference)
      return undefined
    },
    buyer: { asked, decide },
    notify: async () => {
      await sell()
      for (const { id } of await openIntents(standIn)) await finish(id)
      await control('finish')
      const event = standIn.events.findLast(({ type }) => type === 'payment_intent.succeeded')
      const { id } = (event?.data.object ?? {}) as { id?: string }
      const signed = (body: string): Message => {
        const headers = { 'stripe-signature': sign(body, { secret: SECRET, now: new Date() }) }
        return { headers, body: Buffer.from(body) }
      }
      const message = signed(JSON.stringify(event))
      return { about: 'authorization', reference: id ?? '', message, sign: signed }
    },
    reports: {
      link: {
        ...link,
        stream: async (url, init) => {
          const { status, headers, body } = await standIn.fetch(url, init)
          return { status, headers, body: body as unknown as AsyncIterable<Uint8Array> }
        },
      },
      publish: async () => {
        await sell()
        for (const { id } of await openIntents(standIn)) await finish(id)
        await control('finish')
        await control('payouts')
      },
    },
  }
}

async function openIntents(standIn: StandIn): Promise<{ id: string }[]> {
  const headers = { authorization: `Bearer ${TEST_KEY}` }
  const list = (await (await standIn.fetch(`${API}/v1/payment_intents?limit=1`, { headers })).json()) as {
    data: { id: string; status: string }[]
  }
  return list.data.filter(({ status }) => status === 'requires_action')
}

for (const connector of stripeConnectors) describeConnector(connector, () => open(connector))
