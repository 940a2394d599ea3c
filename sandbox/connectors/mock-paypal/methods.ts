import { type BuyerField, isBuyerField } from '#connectors/contract/buyer-fields.ts'
import type {
  Approval,
  AuthorizeAnswer,
  Connector,
  Link,
  SyncAnswer,
} from '#connectors/contract/connector.ts'
import { DAY, field, HOUR, MINUTE, termsOf } from '#connectors/contract/describe.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { mockPayPal } from './connector.ts'

/** What the buyer gets to see, made of the address of the simulator's page, where the buyer decides. */
const SHOWN = {
  qr: (url: string): Approval => ({ kind: 'qr', text: url, url }),
  voucher: (url: string, reference: string): Approval => ({
    kind: 'voucher',
    number: numberOf(reference),
    url,
  }),
  wait: (url: string): Approval => ({ kind: 'wait', url }),
}

type Row = {
  readonly method: string
  readonly displayName: string
  readonly shape: keyof typeof SHOWN
  /** How long it can be paid. The processor waits for a day at most. */
  readonly seconds: number
  readonly refunds?: false
  readonly fields?: Readonly<Partial<Record<BuyerField, true>>>
}

const ROWS: readonly Row[] = [
  { method: 'pix', displayName: 'Mock Pix', shape: 'qr', seconds: HOUR },
  { method: 'boleto', displayName: 'Mock Boleto', shape: 'voucher', seconds: DAY, refunds: false },
  { method: 'mbway', displayName: 'Mock MB WAY', shape: 'wait', seconds: 5 * MINUTE },
  {
    method: 'blik',
    displayName: 'Mock BLIK',
    shape: 'wait',
    seconds: 2 * MINUTE,
    fields: { blik_code: true },
  },
]

/**
 * A method of each shape that is no page of the provider: a code, a number, a message to a phone. The buyer decides on the same page of the
 * simulator as for its wallet, and the money is taken at once. See docs/guide/simulator.md.
 */
export const mockMethods: readonly Connector[] = ROWS.map(byRow)

function byRow(row: Row): Connector {
  const { method, displayName, refunds, fields = {} } = row
  const asks = Object.keys(fields).filter(isBuyerField)
  const { manifest, authorize, sync, cancel, refund, activity, verify } = mockPayPal as Required<Connector>
  return {
    manifest: {
      ...manifest,
      id: `mock-${method}`,
      displayName,
      method,
      instruments: ['redirect'],
      terms: termsOf(row),
      ...(asks.length > 0 && { buyerFields: asks }),
      capabilities: { ...manifest.capabilities, partialRefunds: refunds ?? true },
    },
    authorize: async (order, link) => {
      const { instrument } = order
      const given = instrument.kind === 'redirect' ? (instrument.fields ?? {}) : {}
      const missing = asks.find((name) => given[name] === undefined)
      return missing === undefined
        ? present(row, await authorize(order, link))
        : refused('invalid_request_parameters', {
            rawDescription: `payment_method.fields.${missing} is missing`,
          })
    },
    sync: async (inquiry, link) => present(row, await sync(inquiry, link)),
    cancel,
    ...(refunds !== false && { refund }),
    activity,
    verify,
  }
}

/**
 * The buyer permits a debit on the page of the simulator, which shows the mandate. The bank pays, or refuses, three days later, and the
 * amounts of cards say what follows: a failure after that, or a chargeback.
 */
export function mockDebit({ readNotification, simulation }: Telling): Connector {
  const { manifest, authorize, sync, cancel, refund, activity, verify } = mockPayPal as Required<Connector>
  return {
    manifest: {
      ...manifest,
      id: 'mock-sepa',
      displayName: 'Mock SEPA Direct Debit',
      method: 'sepa',
      instruments: ['redirect'],
      currencies: ['EUR'],
      terms: termsOf({ shape: 'debit' }),
      fields: [...manifest.fields, field('webhook_secret', 'Webhook secret', { isSecret: true })],
    },
    authorize: async (order, link) => withoutScript(await authorize(order, asDebit(link))),
    sync: async (inquiry, link) => withoutScript(await sync(inquiry, asDebit(link))),
    cancel: (order, link) => cancel(order, asDebit(link)),
    refund: (order, link) => refund(order, asDebit(link)),
    activity: (order, link) => activity(order, asDebit(link)),
    verify,
    readNotification,
    simulation,
  }
}

/** What tells of debits, and of cards: the processor has one way for both. */
type Telling = Required<Pick<Connector, 'readNotification' | 'simulation'>>

/** The processor keeps its lines of business apart. */
function asDebit(link: Link): Link {
  return {
    ...link,
    fetch: (url, init) => {
      const headers = new Headers(init?.headers)
      headers.set('x-product', 'debit')
      return link.fetch(url, { ...init, headers })
    },
  }
}

function withoutScript<Answer extends AuthorizeAnswer | SyncAnswer>(answer: Answer): Answer {
  if (answer.outcome !== 'approval_required') return answer
  const { hasSession: _script, ...rest } = answer
  return rest as Answer
}

function present<Answer extends AuthorizeAnswer | SyncAnswer>(
  { shape, seconds }: Row,
  answer: Answer,
): Answer {
  if (answer.outcome !== 'approval_required' || answer.approval.kind !== 'redirect') return answer
  const { reference, approval, facts, outcome } = answer
  const expiresAt = new Date(madeAtMs(reference) + seconds * 1_000)
  return { outcome, reference, approval: SHOWN[shape](approval.url, reference), expiresAt, facts } as Answer
}

/** The simulator's ids begin with the time at which they were made. */
function madeAtMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** As long as that of a boleto, and always the same for a payment. */
function numberOf(reference: string): string {
  const digits = reference.replace(/\D/g, '').padEnd(32, '0')
  return `${digits.slice(0, 5)}.${digits.slice(5, 10)} ${digits.slice(10, 15)}.${digits.slice(15, 21)} ${digits.slice(21, 32)}`
}
