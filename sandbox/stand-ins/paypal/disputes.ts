import type { Books, Capture, Dispute, Json } from './books.ts'
import { inventId } from './books.ts'
import type { Desk } from './desk.ts'
import { readEvidence, type SentFile } from './evidence.ts'
import type { Answer } from './idempotency.ts'
import { writeMoney } from './money.ts'
import { Problem } from './problem.ts'
import { link, self } from './views.ts'

const REASONS = [
  'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
  'MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED',
  'UNAUTHORISED',
  'CREDIT_NOT_PROCESSED',
  'DUPLICATE_TRANSACTION',
  'INCORRECT_AMOUNT',
  'PAYMENT_BY_OTHER_MEANS',
  'CANCELED_RECURRING_BILLING',
  'PROBLEM_WITH_REMITTANCE',
  'OTHER',
]

/** A dispute that begins as a chargeback takes the money at once; an inquiry takes nothing yet. */
export function openDispute(
  desk: Desk,
  captureId: string,
  over: Partial<Pick<Dispute, 'stage' | 'reason'>>,
): Dispute {
  const { books } = desk
  const capture = books.captures.get(captureId)
  if (!capture) throw new Problem(404, 'INVALID_RESOURCE_ID')
  if (!REASONS.includes(over.reason ?? 'OTHER')) throw new Problem(400, 'INVALID_PARAMETER_VALUE')
  const dispute: Dispute = {
    id: `PP-R-${inventId(3)}-${inventId(8)}`,
    clientId: capture.clientId,
    captureId,
    amount: capture.amount,
    reason: over.reason ?? 'UNAUTHORISED',
    createdAt: books.now(),
    stage: over.stage ?? 'CHARGEBACK',
    status: 'WAITING_FOR_SELLER_RESPONSE',
    outcome: null,
    evidences: [],
    updatedAt: books.now(),
  }
  books.disputes.set(dispute.id, dispute)
  if (dispute.stage !== 'INQUIRY') move(desk, dispute, 'T1201')
  tell(desk, dispute, 'CUSTOMER.DISPUTE.CREATED')
  return dispute
}

export function escalateDispute(desk: Desk, id: string): Dispute {
  const dispute = findDispute(desk, id)
  if (dispute.stage === 'INQUIRY') move(desk, dispute, 'T1201')
  dispute.stage = 'CHARGEBACK'
  dispute.updatedAt = desk.books.now()
  tell(desk, dispute, 'CUSTOMER.DISPUTE.UPDATED')
  return dispute
}

export function resolveDispute(desk: Desk, id: string, outcome: string): Dispute {
  const dispute = findDispute(desk, id)
  const isSellers = outcome === 'RESOLVED_SELLER_FAVOUR' || outcome === 'CANCELED_BY_BUYER'
  if (dispute.stage !== 'INQUIRY' && isSellers) move(desk, dispute, 'T1202')
  if (dispute.stage === 'INQUIRY' && outcome === 'RESOLVED_BUYER_FAVOUR') move(desk, dispute, 'T1106')
  dispute.status = 'RESOLVED'
  dispute.outcome = outcome
  dispute.updatedAt = desk.books.now()
  tell(desk, dispute, 'CUSTOMER.DISPUTE.RESOLVED')
  return dispute
}

type Moved = Pick<Dispute, 'captureId' | 'clientId' | 'amount'>

/** T1201: chargeback. T1202: its reversal. T1106: PayPal takes a payment back. */
function move(desk: Desk, moved: Moved, code: 'T1201' | 'T1202' | 'T1106'): void {
  const { books } = desk
  const { captureId, clientId, amount } = moved
  const order = books.orders.get(books.captures.get(captureId)?.orderId ?? '')
  books.movements.push({
    id: inventId(),
    clientId,
    code,
    referenceId: captureId,
    referenceType: 'TXN',
    amount,
    gross: code === 'T1202' ? amount.hundredths : -amount.hundredths,
    fee: 0,
    invoiceId: order?.unit.invoice_id ?? null,
    customId: order?.unit.custom_id ?? null,
    at: books.now(),
  })
  if (code !== 'T1202') tellReversal(desk, moved)
}

/** PayPal takes a capture back without a dispute, as when the buyer's bank does not pay. */
export function reverseCapture(desk: Desk, { id, clientId, amount }: Capture): void {
  move(desk, { captureId: id, clientId, amount }, 'T1106')
}

/** The resource is shaped as a refund of the capture. */
function tellReversal({ books, events, url }: Desk, { captureId, clientId, amount }: Moved): void {
  const id = inventId()
  const order = books.orders.get(books.captures.get(captureId)?.orderId ?? '')
  const { invoice_id: invoice, custom_id: custom } = order?.unit ?? {}
  events.tell(clientId, 'PAYMENT.CAPTURE.REVERSED', {
    type: 'refund',
    body: {
      id,
      status: 'COMPLETED',
      amount: writeMoney(amount),
      ...(invoice && { invoice_id: invoice }),
      ...(custom && { custom_id: custom }),
      create_time: books.now().toISOString(),
      links: [
        self(url(), `/v2/payments/refunds/${id}`),
        link(url(), `/v2/payments/captures/${captureId}`, 'up', 'GET'),
      ],
    },
  })
}

function tell({ books, events, url }: Desk, dispute: Dispute, type: string): void {
  events.tell(dispute.clientId, type, { type: 'dispute', body: viewDispute(books, url(), dispute) })
}

export function listDisputes({ books, url }: Desk, clientId: string, query: URLSearchParams): Answer {
  const transaction = query.get('disputed_transaction_id')
  const found = [...books.disputes.values()].filter(
    (dispute) => dispute.clientId === clientId && (!transaction || dispute.captureId === transaction),
  )
  const items = found.map((dispute) => viewDispute(books, url(), dispute))
  // The contract has no list of nothing.
  return { status: 200, body: items.length > 0 ? { items } : {} }
}

export function getDispute(desk: Desk, clientId: string, id: string): Answer {
  const dispute = findDispute(desk, id)
  if (dispute.clientId !== clientId) throw new Problem(404, 'INVALID_RESOURCE_ID')
  return { status: 200, body: viewDispute(desk.books, desk.url(), dispute) }
}

type Answered = { readonly clientId: string; readonly body: Json; readonly files: readonly SentFile[] | null }

/** The seller gives in: PayPal refunds the buyer. */
export function acceptClaim(desk: Desk, { clientId, body, files }: Answered, id: string): Answer {
  const dispute = findAnswerable(desk, clientId, id)
  const { note, accept_claim_type: type = 'REFUND' } = body
  if (files === null) throw new Problem(400, 'MISSING_OR_INVALID_REQUEST_BODY')
  if (typeof note !== 'string' || note === '' || note.length > 2_000)
    throw new Problem(400, 'MISSING_REQUIRED_PARAMETER', { field: '/note' })
  if (type !== 'REFUND') throw new Problem(422, 'INVALID_ACCEPT_CLAIM_TYPE')
  resolveDispute(desk, dispute.id, 'RESOLVED_BUYER_FAVOUR')
  return linkTo(desk, id)
}

/** The seller answers, and PayPal looks at it. */
export function provideEvidence(desk: Desk, { clientId, body, files }: Answered, id: string): Answer {
  const dispute = findAnswerable(desk, clientId, id)
  if (files === null) throw new Problem(400, 'MISSING_OR_INVALID_REQUEST_BODY')
  const given = readEvidence(body, files)
  const source = 'SUBMITTED_BY_SELLER'
  const at = { date: desk.books.now().toISOString(), dispute_life_cycle_stage: dispute.stage }
  dispute.evidences = [...dispute.evidences, ...given.map((one) => ({ ...one, source, ...at }))]
  dispute.status = 'UNDER_REVIEW'
  dispute.updatedAt = desk.books.now()
  tell(desk, dispute, 'CUSTOMER.DISPUTE.UPDATED')
  return linkTo(desk, id)
}

function linkTo(desk: Desk, id: string): Answer {
  return { status: 200, body: { links: [self(desk.url(), `/v1/customer/disputes/${id}`)] } }
}

/** From the stage of a claim on, while PayPal waits for the seller. */
function findAnswerable(desk: Desk, clientId: string, id: string): Dispute {
  getDispute(desk, clientId, id)
  const dispute = findDispute(desk, id)
  if (!isAnswerable(dispute, desk.books.now()))
    throw new Problem(422, 'ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE')
  return dispute
}

function isAnswerable(dispute: Dispute, now: Date): boolean {
  const { stage, status } = dispute
  return stage !== 'INQUIRY' && status === 'WAITING_FOR_SELLER_RESPONSE' && now <= dueOf(dispute)
}

function dueOf({ createdAt }: Dispute): Date {
  return new Date(createdAt.getTime() + 10 * 24 * 3_600_000)
}

function viewDispute(books: Books, url: string, dispute: Dispute): Json {
  const { id, captureId, amount, outcome, updatedAt, createdAt } = dispute
  const capture = books.captures.get(captureId)
  const order = books.orders.get(capture?.orderId ?? '')
  const { invoice_id: invoice, custom_id: custom } = order?.unit ?? {}
  return {
    dispute_id: id,
    create_time: createdAt.toISOString(),
    update_time: updatedAt.toISOString(),
    disputed_transactions: [
      {
        seller_transaction_id: captureId,
        create_time: capture?.createdAt.toISOString(),
        transaction_status: 'COMPLETED',
        gross_amount: writeMoney(amount),
        ...(invoice && { invoice_number: invoice }),
        ...(custom && { custom }),
      },
    ],
    reason: dispute.reason,
    status: dispute.status,
    dispute_amount: writeMoney(amount),
    ...(outcome && { dispute_outcome: { outcome_code: outcome, amount_refunded: writeMoney(amount) } }),
    dispute_life_cycle_stage: dispute.stage,
    dispute_channel: dispute.stage === 'INQUIRY' ? 'INTERNAL' : 'EXTERNAL',
    seller_response_due_date: dueOf(dispute).toISOString(),
    ...(dispute.evidences.length > 0 && { evidences: dispute.evidences }),
    ...(isAnswerable(dispute, books.now()) && {
      allowed_response_options: { accept_claim: { accept_claim_types: ['REFUND'] } },
    }),
    links: [
      self(url, `/v1/customer/disputes/${id}`),
      ...(isAnswerable(dispute, books.now())
        ? ['accept-claim', 'provide-evidence'].map((act) =>
            link(url, `/v1/customer/disputes/${id}/${act}`, act.replace('-', '_'), 'POST'),
          )
        : []),
    ],
  }
}

function findDispute({ books }: Desk, id: string): Dispute {
  const dispute = books.disputes.get(id)
  if (!dispute) throw new Problem(404, 'INVALID_RESOURCE_ID')
  return dispute
}
