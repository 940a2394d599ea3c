import type { Json } from './check-request.ts'
import { textOf } from './check-request.ts'
import type { Desk } from './desk.ts'
import { type Reply, ServiceError } from './errors.ts'
import type { Dispute } from './state.ts'

export const DISPUTES_PATH = 'ca/services/DisputeService/v30/'

/** The reasons of a dispute about goods, as in Adyen's example. */
const REASONS: Readonly<Record<string, Readonly<Record<string, 'Required' | 'Optional' | 'OneOrMore'>>>> = {
  GoodsNotReturned: { TIDorInvoice: 'Optional', GoodsNotReturned: 'Required' },
  GoodsWereAsDescribed: { TIDorInvoice: 'Required', GoodsWereAsDescribed: 'Required' },
  GoodsOrServicesProvided: { ProofOfDelivery: 'OneOrMore', ProofOfUse: 'OneOrMore' },
  SupplyDefenseMaterial: { TIDorInvoice: 'Optional', DefenseMaterial: 'Required' },
}

const SIZES: Readonly<Record<string, number>> = {
  'application/pdf': 2_000_000,
  'image/jpeg': 10_000_000,
  'image/tiff': 10_000_000,
}

/** Adyen's Disputes API. Where it has read a request and does not do it, it says so with 200. */
export function answerDispute(desk: Desk, act: string, body: Json): Reply {
  if (textOf(body['merchantAccountCode']) !== desk.account.merchantAccount)
    throw new ServiceError(403, '901', 'Invalid Merchant Account', 'security')
  const reference = textOf(body['disputePspReference'])
  if (reference === '')
    throw new ServiceError(422, '702', 'Required field disputePspReference is not provided')
  const run = ACTS[act]
  if (!run) throw new ServiceError(404, '000', 'Not Found', 'internal')
  const dispute = desk.state.disputes.get(reference)
  if (!dispute) return refuse('Dispute not found')
  if (dispute.answer !== null) return refuse(`Dispute is already ${dispute.answer}`)
  if (dispute.status !== 'told' && dispute.status !== 'open') return refuse('Dispute cannot be defended')
  if (desk.now() > dispute.defendUntil) return refuse('The defense period has ended')
  return run(desk, dispute, body)
}

const ACTS: Readonly<Record<string, (desk: Desk, dispute: Dispute, body: Json) => Reply>> = {
  retrieveApplicableDefenseReasons: (_desk, { documents }) =>
    done({ defenseReasons: reasonsWith(documents) }),
  supplyDefenseDocument: (_desk, dispute, body) => supply(dispute, body),
  deleteDisputeDefenseDocument: (_desk, { documents }, body) =>
    documents.delete(textOf(body['defenseDocumentType'])) ? done() : refuse('Document not found'),
  defendDispute: defend,
  acceptDispute: (desk, dispute) => {
    dispute.answer = 'accepted'
    desk.tellDispute(dispute.pspReference, 'CHARGEBACK', 'Accepted')
    return done()
  },
}

function supply({ documents }: Dispute, { defenseDocuments: given }: Json): Reply {
  if (!Array.isArray(given) || given.length === 0)
    throw new ServiceError(422, '702', 'Required field defenseDocuments is not provided')
  const read = given.map((one: Json) => {
    const type = textOf(one['defenseDocumentTypeCode'])
    const content = Buffer.from(textOf(one['content']), 'base64')
    const max = SIZES[textOf(one['contentType'])]
    if (max === undefined) return 'Unsupported content type'
    if (content.length === 0 || content.length > max) return 'Invalid file size'
    if (!Object.values(REASONS).some((types) => type in types)) return 'Invalid document type'
    return documents.has(type) ? 'Document already supplied' : ([type, content.length] as const)
  })
  const problem = read.find((one) => typeof one === 'string')
  if (typeof problem === 'string') return refuse(problem)
  for (const one of read) if (typeof one !== 'string') documents.set(...one)
  return done()
}

function defend(desk: Desk, dispute: Dispute, body: Json): Reply {
  const code = textOf(body['defenseReasonCode'])
  const reason = reasonsWith(dispute.documents).find(({ defenseReasonCode }) => defenseReasonCode === code)
  if (!reason) return refuse('Invalid defense reason')
  if (!reason.satisfied) return refuse('Insufficient defense material')
  dispute.answer = 'defended'
  desk.tellDispute(dispute.pspReference, 'INFORMATION_SUPPLIED', 'Pending')
  return done()
}

function reasonsWith(documents: Dispute['documents']) {
  return Object.entries(REASONS).map(([defenseReasonCode, types]) => {
    const defenseDocumentTypes = Object.entries(types).map(([defenseDocumentTypeCode, requirementLevel]) => ({
      available: documents.has(defenseDocumentTypeCode),
      defenseDocumentTypeCode,
      requirementLevel,
    }))
    const of = (level: string) => defenseDocumentTypes.filter((type) => type.requirementLevel === level)
    const [all, some] = [of('Required'), of('OneOrMore')]
    const satisfied =
      all.every(({ available }) => available) &&
      (some.length === 0 || some.some(({ available }) => available))
    return { defenseDocumentTypes, defenseReasonCode, satisfied }
  })
}

function done(more: object = {}): Reply {
  return { status: 200, body: { ...more, disputeServiceResult: { success: true } } }
}

function refuse(errorMessage: string): Reply {
  return { status: 200, body: { disputeServiceResult: { success: false, errorMessage } } }
}
