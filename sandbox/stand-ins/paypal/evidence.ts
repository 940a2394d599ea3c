import type { Dispute, Json } from './books.ts'
import { Problem } from './problem.ts'

/** `evidence_type` of the contract. */
const TYPES = new Set(
  `PROOF_OF_FULFILLMENT PROOF_OF_REFUND PROOF_OF_DELIVERY_SIGNATURE PROOF_OF_RECEIPT_COPY RETURN_POLICY BILLING_AGREEMENT
  PROOF_OF_RESHIPMENT ITEM_DESCRIPTION POLICE_REPORT AFFIDAVIT PAID_WITH_OTHER_METHOD COPY_OF_CONTRACT TERMINAL_ATM_RECEIPT
  PRICE_DIFFERENCE_REASON SOURCE_CONVERSION_RATE BANK_STATEMENT CREDIT_DUE_REASON REQUEST_CREDIT_RECEIPT PROOF_OF_RETURN
  CHANGE_REASON PROOF_OF_REFUND_OUTSIDE_PAYPAL RECEIPT_OF_MERCHANDISE CUSTOMS_DOCUMENT CUSTOMS_FEE_RECEIPT
  INFORMATION_ON_RESOLUTION ADDITIONAL_INFORMATION_OF_ITEM DETAILS_OF_PURCHASE PROOF_OF_DAMAGE DELIVERY_RECEIPT
  PROOF_OF_INSTORE_RECEIPT ADDITIONAL_TRACKING_INFORMATION PROOF_OF_SHIPMENT_POSTAGE ONLINE_TRACKING_INFORMATION
  PROOF_OF_INSTORE_REFUND PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED DELIVERY_ADDRESS ORDER_DETAILS LISTING_URL
  SHIPPING_INSURANCE PHOTOS_OF_SHIPPED_ITEM MERCHANT_RESPONSE DECLARATION OTHER`.split(/\s+/),
)
const NAME = /^[A-Za-z0-9-_,\s]+[.]{1}[A-Za-z]+$/
const EXTENSIONS = ['jpg', 'jpeg', 'gif', 'png', 'pdf']
const FILE_BYTES = 10_000_000
const CALL_BYTES = 50_000_000

/** A part of a form with files. */
export type SentFile = { readonly name: string; readonly bytes: number }

/** Reads what `provide-evidence` gets: `input` as JSON, and the files that it names. Nothing of the files is kept. */
export function readEvidence({ evidences }: Json, files: readonly SentFile[]): Dispute['evidences'] {
  if (!Array.isArray(evidences) || evidences.length === 0 || evidences.length > 100)
    throw new Problem(400, 'MISSING_OR_INVALID_REQUEST_BODY')
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > CALL_BYTES)
    throw new Problem(400, 'TOTAL_FILE_SIZE_EXCEEDED')
  for (const { name, bytes } of files) checkFile(name, bytes)
  const named = evidences.flatMap((one: Json) => checkEvidence(one))
  const isWhole =
    named.every((name) => files.some((file) => file.name === name)) && named.length === files.length
  if (!isWhole || new Set(named).size < named.length) throw new Problem(400, 'INVALID_EVIDENCE_FILE')
  return evidences
}

function checkFile(name: string, bytes: number): void {
  const extension = name.split('.').at(-1)?.toLowerCase() ?? ''
  if (!NAME.test(name) || !EXTENSIONS.includes(extension)) throw new Problem(400, 'INVALID_EVIDENCE_FILE')
  if (bytes === 0 || bytes >= FILE_BYTES) throw new Problem(400, 'FILE_SIZE_LIMIT_EXCEEDED')
}

/** The names of its files. */
function checkEvidence({ evidence_type: type, notes, documents = [], evidence_info: info }: Json): string[] {
  if (typeof type !== 'string' || !TYPES.has(type)) throw new Problem(400, 'INVALID_EVIDENCE_TYPE')
  if (notes !== undefined && (typeof notes !== 'string' || notes === '' || notes.length > 2_000))
    throw new Problem(400, 'INVALID_STRING_LENGTH', { field: '/evidences/notes' })
  const { tracking_info: tracking = [] } = (info ?? {}) as { tracking_info?: Json[] }
  const isTracked = tracking.every(
    ({ carrier_name: carrier, tracking_number: number, carrier_name_other: other }) =>
      typeof carrier === 'string' &&
      /^[0-9A-Z_]{1,255}$/.test(carrier) &&
      typeof number === 'string' &&
      number.length <= 255 &&
      (carrier !== 'OTHER' || typeof other === 'string'),
  )
  if (!isTracked) throw new Problem(400, 'MISSING_TRACKING_INFO')
  return (documents as Json[]).map(({ name }) => String(name))
}
