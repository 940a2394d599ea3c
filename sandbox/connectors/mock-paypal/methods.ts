import type { Approval, AuthorizeAnswer, Connector, SyncAnswer } from '#connectors/contract/connector.ts'
import { mockPayPal } from './connector.ts'

/** What the buyer of a method gets to see, made of the address of the simulator's page, where the buyer decides. */
type Shape = {
  readonly method: string
  readonly displayName: string
  readonly show: (url: string, reference: string) => Approval
  /** How long it can be paid. The processor waits for a day at most. */
  readonly livesMs: number
  readonly hasRefunds: boolean
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const SHAPES: readonly Shape[] = [
  {
    method: 'pix',
    displayName: 'Mock Pix',
    show: (url) => ({ kind: 'qr', text: url, url }),
    livesMs: 60 * MINUTE_MS,
    hasRefunds: true,
  },
  {
    method: 'boleto',
    displayName: 'Mock Boleto',
    show: (url, reference) => ({ kind: 'voucher', number: numberOf(reference), url }),
    livesMs: DAY_MS,
    hasRefunds: false,
  },
  {
    method: 'mbway',
    displayName: 'Mock MB WAY',
    show: (url) => ({ kind: 'wait', url }),
    livesMs: 5 * MINUTE_MS,
    hasRefunds: true,
  },
]

/**
 * A method of each shape that is no page of the provider: a code, a number, a message to a phone. The buyer decides on the same page of the
 * simulator as for its wallet, and the money is taken at once. See docs/guide/simulator.md.
 */
export const mockMethods: readonly Connector[] = SHAPES.map((shape) => {
  const { method, displayName, hasRefunds } = shape
  const { manifest, authorize, sync, cancel, refund, activity, verify } = mockPayPal as Required<Connector>
  return {
    manifest: {
      ...manifest,
      id: `mock-${method}`,
      displayName,
      method,
      instruments: ['redirect'],
      capabilities: { ...manifest.capabilities, partialRefunds: hasRefunds },
    },
    authorize: async (order, link) => present(shape, await authorize(order, link)),
    sync: async (inquiry, link) => present(shape, await sync(inquiry, link)),
    cancel,
    ...(hasRefunds && { refund }),
    activity,
    verify,
  }
})

function present<Answer extends AuthorizeAnswer | SyncAnswer>(
  { show, livesMs }: Shape,
  answer: Answer,
): Answer {
  if (answer.outcome !== 'approval_required' || answer.approval.kind !== 'redirect') return answer
  const { reference, approval, facts, outcome } = answer
  const expiresAt = new Date(madeAtMs(reference) + livesMs)
  return { outcome, reference, approval: show(approval.url, reference), expiresAt, facts } as Answer
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
