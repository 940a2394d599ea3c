import type {
  AnswerDisputeOrder,
  DisputeAnswers,
  DisputeFields,
} from '#connectors/contract/answer-dispute.ts'
import type { Answer, Connector, DisputeStep } from '#connectors/contract/connector.ts'
import { registryOf } from '#processing/service-accounts/registry.ts'
import { takeDispute } from '#resources/payment-service-reports/take-dispute.ts'
import type { TestService } from './harness.ts'

const DAY_MS = 24 * 3_600_000

export const DISPUTE_ANSWERS: DisputeAnswers = {
  accepts: ['chargeback'],
  defends: ['inquiry', 'chargeback'],
  texts: { story: 200, shipping_tracking_number: 30 },
  textsMax: 210,
  files: ['shipping_documentation', 'letter'],
  contentTypes: ['application/pdf'],
  fileBytesMax: 1_000_000,
  filesBytesMax: 1_500_000,
}

/** From now on the simulated card processor takes answers to disputes, as this says. Null: it takes none. */
export function answerDisputes(
  { providers }: Pick<TestService, 'providers'>,
  answerDispute: ((order: AnswerDisputeOrder) => Promise<Answer>) | null,
  disputeFields?: () => Promise<DisputeFields>,
): void {
  const list = providers.connectors.list.map((connector): Connector => {
    const { manifest, answerDispute: _before, disputeFields: _fields, ...rest } = connector
    if (manifest.id !== 'mock-card') return connector
    const { disputeAnswers: _answers, ...plain } = manifest
    if (!answerDispute) return { ...rest, manifest: plain }
    const answers = { answerDispute, ...(disputeFields && { disputeFields }) }
    return { ...rest, ...answers, manifest: { ...plain, disputeAnswers: DISPUTE_ANSWERS } }
  })
  Object.assign(providers, { connectors: registryOf(list) })
}

/** A payment as the API shows it. */
type Paid = {
  readonly payment_service: { readonly id: string }
  readonly payment_service_transaction_id: string
}

/** What a provider tells of a dispute about a payment. */
export function tellOfDispute(
  service: Pick<TestService, 'context' | 'engine'>,
  { payment_service, payment_service_transaction_id: reference }: Paid,
  change: Partial<DisputeStep> = {},
): Promise<boolean> {
  const now = service.context.clock().getTime()
  const scope = { ...service.context, merchantAccountId: 'default' }
  return takeDispute(scope, service.engine, payment_service.id, {
    about: 'dispute',
    dispute: `dp ${reference}`,
    reference,
    stage: 'chargeback',
    providerStage: 'TAKEN',
    amount: 1_000,
    currency: 'USD',
    code: '13.1',
    reason: 'Not received',
    postedAt: new Date(now - 3 * DAY_MS),
    respondBy: new Date(now + 5 * DAY_MS),
    ...change,
  })
}
