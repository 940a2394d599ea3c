import { describe } from 'vitest'
import type { Connector, Message } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { type Bench, describeConnector } from '#connectors/contract/suite.ts'
import { reportLink } from '#processing/report-link.ts'
import { signAnew } from '#sandbox/stand-ins/adyen/notifications.ts'
import { adyenConnectors } from './connectors.ts'
import { METHODS } from './methods.ts'
import { ASKED, CARD_ORDER, CARD_WITH_CODE, contact, openShop, orderBy } from './testing/shop.ts'

type Orders = {
  readonly approved: Partial<AuthorizeOrder>
  readonly declined: Partial<AuthorizeOrder>
  readonly pending?: Partial<AuthorizeOrder>
}

const CARD: Orders = { approved: CARD_ORDER, declined: { billing: contact({ first_name: 'DECLINED' }) } }

const POOR_CARD = '4166676667666746'

function bank(currency: string, account: object): Orders {
  const pay = (holder: string) => {
    const payload = secret(JSON.stringify({ ...account, account_holder: { first_name: holder } }))
    return { instrument: { kind: 'bank', payload, mandate: null }, currency } as const
  }
  return { approved: pay('Jane'), declined: pay('DECLINED') }
}

const ORDERS: Readonly<Record<string, Orders>> = {
  card: CARD,
  ...Object.fromEntries(
    METHODS.map((row): [string, Orders] => [
      row.method,
      {
        approved: orderBy(row),
        declined: { billing: orderBy(row, { email_address: 'jane+denied@example.com' }).billing },
        pending: { billing: orderBy(row, { first_name: 'PENDING' }).billing },
      },
    ]),
  ),
  sepa: bank('EUR', { scheme: 'sepa', account_number: 'NL13TEST0123456789' }),
  bacs: bank('GBP', { scheme: 'bacs', account_number: '09083055', routing_number: '560036' }),
  ach: bank('USD', {
    scheme: 'ach',
    account_number: '123456789',
    routing_number: '121000358',
    account_type: 'checking',
  }),
}

async function openBench(connector: Connector): Promise<Bench> {
  const shop = openShop()
  const { link, standIn, takeMessage } = shop
  const { approved, declined, pending } = ORDERS[connector.manifest.method] as Orders
  const { authorize, capture, complete, refund } = connector as Required<Connector> &
    Pick<Connector, 'complete' | 'refund'>

  /** A payment that is paid, or waits for its bank. */
  async function pay(over: Partial<AuthorizeOrder> = {}): Promise<samples.Authorized> {
    const order = samples.authorizeOrder({ ...approved, ...over })
    const answer = await authorize(order, link)
    if (answer.outcome !== 'approval_required' || !complete) return { order, reference: referenceOf(answer) }
    const { attemptId, transactionId, amount, currency, intent } = order
    const returned = await shop.decideOn(answer, 'approve')
    const { reference } = answer
    const completion = { attemptId, transactionId, amount, currency, intent, reference, returned }
    return { order, reference: referenceOf(await complete(completion, link)) }
  }

  return {
    link,
    effectsOf: shop.effectsOf,
    approved,
    declined,
    pending: pending ?? { billing: contact({ first_name: 'PENDING' }) },
    partly: async () => {
      await standIn.control('balances', { number: POOR_CARD, value: 500 })
      return { instrument: samples.card({ number: secret(POOR_CARD), securityCode: null }) }
    },
    tokenized: { instrument: CARD_WITH_CODE },
    finish: async (_operation, reference) => {
      const page = await shop.pageOf(reference)
      if (page) return { by: 'return', returned: await shop.decide(page, 'approve') }
      await standIn.control('finish', { pspReference: reference })
      return { by: 'message', message: await takeMessage() }
    },
    buyer: {
      asked: connector.manifest.mode === 'card' ? ASKED : {},
      decide: shop.decideOn,
    },
    notify: async () => {
      const { hmac_key: hmacKey = '' } = link.fields
      // What other tests have left.
      await standIn.control('finish')
      await takeMessage()
      const { order, reference } = await pay()
      await standIn.control('finish')
      const paid = await takeMessage()
      if (!capture)
        return { about: 'authorization', reference, attemptId: order.attemptId, ...spoilt(paid, hmacKey) }
      const { attemptId, ...captured } = samples.captureOrder({ order, reference })
      const own = referenceOf(await capture({ attemptId, ...captured }, link))
      await standIn.control('finish')
      return { about: 'capture', reference: own, attemptId, ...spoilt(await takeMessage(), hmacKey) }
    },
    reports: {
      link: reportLink({ fetch: standIn.fetch, timeoutMs: 10_000, environment: 'sandbox' }, link.fields),
      publish: async () => {
        const sale = await pay({ intent: 'capture' })
        await standIn.control('finish')
        await refund?.(samples.refundOrder(sale, { amount: 300 }), link)
        await standIn.control('finish')
        await standIn.control('reports')
        return takeMessage()
      },
    },
  }
}

/** The signature is inside the body, over fields of it. A space more changes nothing. */
function spoilt(message: Message, hmacKey: string) {
  const text = message.body.toString()
  const body = (changed: string) => ({ headers: {}, body: Buffer.from(changed) })
  return {
    message,
    sign: (body: string) => ({ headers: {}, body: Buffer.from(signAnew(body, hmacKey)) }),
    unsigned: body(text.replace(/"hmacSignature":"[^"]+"/, '"other":"x"')),
    changed: body(text.replace(/"value":(\d+)/, '"value":1$1')),
  }
}

function referenceOf(answer: object): string {
  return 'reference' in answer && typeof answer.reference === 'string' ? answer.reference : ''
}

for (const connector of adyenConnectors) {
  describe(connector.manifest.id, () => describeConnector(connector, () => openBench(connector)))
}
