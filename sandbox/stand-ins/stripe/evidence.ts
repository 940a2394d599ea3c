import { createHash } from 'node:crypto'
import type { Books } from './books.ts'
import { findDispute } from './disputes.ts'
import type { Dispute, StoredFile } from './money-objects.ts'
import { checkParams, isTrueAt, metadataAt, type Params, textAt, valueAt } from './params.ts'
import { conflict, invalid } from './stripe-error.ts'

const LINE = 5_000
const STORY = 20_000
const FILE = 'file'
const ALL_MAX = 150_000

/** Source: https://docs.stripe.com/api/disputes/update, with the lengths that it names. */
const FIELDS: Readonly<Record<string, number | typeof FILE>> = {
  access_activity_log: STORY,
  billing_address: LINE,
  cancellation_policy: FILE,
  cancellation_policy_disclosure: STORY,
  cancellation_rebuttal: STORY,
  customer_communication: FILE,
  customer_email_address: LINE,
  customer_name: LINE,
  customer_purchase_ip: LINE,
  customer_signature: FILE,
  duplicate_charge_documentation: FILE,
  duplicate_charge_explanation: STORY,
  duplicate_charge_id: LINE,
  product_description: STORY,
  receipt: FILE,
  refund_policy: FILE,
  refund_policy_disclosure: STORY,
  refund_refusal_explanation: STORY,
  service_date: LINE,
  service_documentation: FILE,
  shipping_address: LINE,
  shipping_carrier: LINE,
  shipping_date: LINE,
  shipping_documentation: FILE,
  shipping_tracking_number: LINE,
  uncategorized_file: FILE,
  uncategorized_text: STORY,
}

/** Evidence is staged, and goes to the bank with `submit`, once. */
export function updateDispute(books: Books, id: string, params: Params, key: string | null): Dispute {
  const dispute = findDispute(books, id)
  const names = Object.fromEntries(Object.keys(FIELDS).map((name) => [name, 'text' as const]))
  checkParams(params, { evidence: names, metadata: 'metadata', submit: 'boolean', expand: 'texts' })
  const given = Object.entries(valueAt(params, 'evidence') ?? {}) as [string, string][]
  for (const [name, value] of given) checkEvidence(books, name, value)
  const isInquiry = dispute.status === 'warning_needs_response'
  if (!isInquiry && dispute.status !== 'needs_response')
    throw conflict('status_transition_invalid', 'This dispute takes no evidence any more.')
  const details = dispute.evidence_details
  if (books.seconds() > details.due_by) {
    details.past_due = true
    throw conflict('status_transition_invalid', 'The time to submit evidence is over.')
  }
  const evidence = { ...dispute.evidence, ...Object.fromEntries(given) }
  const written = Object.values(evidence).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  )
  if (written > ALL_MAX)
    throw invalid('parameter_invalid_string_too_long', 'The evidence is too long.', 'evidence')
  Object.assign(dispute.evidence, evidence)
  Object.assign(dispute.metadata, metadataAt(params))
  details.has_evidence ||= given.length > 0
  if (isTrueAt(params, 'submit')) {
    details.submission_count += 1
    details.submission_method = 'manual'
    dispute.status = isInquiry ? 'warning_under_review' : 'under_review'
  }
  books.emit('charge.dispute.updated', dispute, key)
  return dispute
}

function checkEvidence(books: Books, name: string, value: string): void {
  const param = `evidence[${name}]`
  const max = FIELDS[name]
  if (max === FILE) {
    if (books.files.get(value)?.purpose !== 'dispute_evidence')
      throw invalid('resource_missing', `No such file upload: '${value}'`, param)
  } else if (value.length > (max ?? 0)) {
    throw invalid('parameter_invalid_string_too_long', `${param} is too long.`, param)
  }
}

/** Only a dispute that waits for an answer can be given up. Source: https://docs.stripe.com/api/disputes/close */
export function acceptDispute(books: Books, id: string, params: Params, key: string | null): Dispute {
  const dispute = findDispute(books, id)
  checkParams(params, { expand: 'texts' })
  if (dispute.status !== 'needs_response')
    throw conflict('status_transition_invalid', 'Only a dispute that needs a response can be closed.')
  dispute.status = 'lost'
  books.emit('charge.dispute.closed', dispute, key)
  return dispute
}

const FILE_BYTES_MAX = 5 * 1024 * 1024
const SIGNATURES = { pdf: '255044462d', png: '89504e47', jpg: 'ffd8ff' } as const

/** A file as a parameter: its bytes in base64. */
export function createFile(books: Books, params: Params): Omit<StoredFile, 'sha256'> {
  checkParams(params, {
    purpose: ['dispute_evidence'],
    file: { name: 'text', content: 'text' },
    expand: 'texts',
  })
  const content = Buffer.from(textAt(params, 'file', 'content') ?? '', 'base64')
  if (content.length > FILE_BYTES_MAX)
    throw invalid('file_too_large', 'The file is larger than 5 MB.', 'file')
  const hex = content.subarray(0, 8).toString('hex')
  const type = Object.entries(SIGNATURES).find(([, signature]) => hex.startsWith(signature))?.[0]
  if (type === undefined) throw invalid('invalid_file_type', 'Send a PDF, a JPEG or a PNG.', 'file')
  const file: StoredFile = {
    id: books.id('file'),
    object: 'file',
    created: books.seconds(),
    purpose: textAt(params, 'purpose') ?? '',
    filename: textAt(params, 'file', 'name'),
    size: content.length,
    type,
    sha256: createHash('sha256').update(content).digest('hex'),
  }
  books.files.set(file.id, file)
  const { sha256: _sha256, ...shown } = file
  return shown
}
