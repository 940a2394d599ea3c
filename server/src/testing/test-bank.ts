import type { Approval, AuthorizeAnswer, Connector } from '#connectors/contract/connector.ts'
import { NO_CAPABILITIES } from '#connectors/contract/manifest.ts'
import type { AuthorizeOrder, CompleteOrder } from '#connectors/contract/orders.ts'

type Payment = { outcome: 'waiting' | 'approved' | 'declined' | 'canceled'; readonly reference: string }

/**
 * A bank that asks its customers on its own pages, and takes the money only when it is asked to complete. It keeps one
 * outcome for each attempt. Tests read what it was asked, and decide how it answers.
 */
export type TestBank = {
  readonly connector: Connector
  readonly authorized: AuthorizeOrder[]
  readonly completed: CompleteOrder[]
  /** How the next customers approve. */
  approval: (reference: string) => Approval
  expiresAt: Date | undefined
  /** Runs before a completion is answered. It may answer itself, or fail as the network does. */
  meanwhile: (order: CompleteOrder) => Promise<AuthorizeAnswer | undefined>
  /** What the customer's browser brings back. */
  readonly decide: (reference: string, decision: 'approve' | 'refuse') => Record<string, string>
  readonly outcomeOf: (attemptId: string) => Payment['outcome'] | undefined
  readonly reset: () => void
}

export function openTestBank({ cancels = true }: { readonly cancels?: boolean } = {}): TestBank {
  const payments = new Map<string, Payment>()
  const bank: TestBank = {
    authorized: [],
    completed: [],
    ...START,
    meanwhile: async () => undefined,
    decide: (reference, decision) => ({ result: `${reference}:${decision}` }),
    outcomeOf: (attemptId) => payments.get(attemptId)?.outcome,
    reset: () => Object.assign(bank, START, { meanwhile: async () => undefined }),
    connector: { manifest: MANIFEST },
  }
  const answerFor = ({ outcome, reference }: Payment): AuthorizeAnswer => {
    switch (outcome) {
      case 'approved':
        return { outcome, reference, facts: {} }
      case 'waiting': {
        const { expiresAt } = bank
        const approval = bank.approval(reference)
        return {
          outcome: 'approval_required',
          reference,
          approval,
          facts: {},
          ...(expiresAt && { expiresAt }),
        }
      }
      default:
        return {
          outcome: 'declined',
          code: outcome === 'canceled' ? 'canceled_payment_method' : 'issuer_decline',
          isRetriable: false,
          reference,
          facts: {},
        }
    }
  }
  const connector: Connector = {
    manifest: MANIFEST,
    authorize: async (order) => {
      bank.authorized.push(order)
      const payment = payments.get(order.attemptId) ?? {
        outcome: 'waiting',
        reference: `bank-${order.attemptId}`,
      }
      payments.set(order.attemptId, payment)
      return answerFor(payment)
    },
    complete: async (order) => {
      bank.completed.push(order)
      const payment = payments.get(order.attemptId)
      if (payment?.outcome === 'waiting') {
        const { result } = order.returned ?? {}
        if (result === `${order.reference}:approve`) payment.outcome = 'approved'
        if (result === `${order.reference}:refuse`) payment.outcome = 'declined'
      }
      const other = await bank.meanwhile(order)
      return other ?? (payment ? answerFor(payment) : { outcome: 'unknown', reason: 'no such payment' })
    },
    sync: async ({ attemptId }) => {
      const payment = payments.get(attemptId)
      return payment ? answerFor(payment) : { outcome: 'not_found' }
    },
    ...(cancels && {
      cancel: async ({ reference, transactionId }) => {
        const payment = [...payments.values()].find((known) => known.reference === reference)
        if (payment?.outcome !== 'waiting') {
          const refused = { outcome: 'failed', code: 'invalid_operation', isRetriable: false } as const
          return { ...refused, reference: null, facts: {} }
        }
        payment.outcome = 'canceled'
        return { outcome: 'approved', reference: transactionId, facts: {} }
      },
    }),
  }
  return Object.assign(bank, { connector })
}

const START = {
  approval: (reference: string): Approval => ({
    kind: 'redirect',
    url: `https://bank.example.com/approve/${reference}`,
  }),
  expiresAt: undefined,
}

const MANIFEST: Connector['manifest'] = {
  id: 'test-bancontact',
  displayName: 'Test bank',
  method: 'bancontact',
  mode: 'redirect',
  instruments: ['redirect'],
  fields: [],
  reportingFields: [],
  currencies: 'all',
  countries: 'all',
  capabilities: {
    ...NO_CAPABILITIES,
    directCapture: true,
  },
  recovery: { by: 'lookup' },
  isSimulator: true,
}
