import type { DisputeAnswers } from '#connectors/contract/answer-dispute.ts'

/** PayPal takes notes of 2000 characters. The first has our mark at its end. */
const NOTES = 1_900
const FIELD = 255

/** What of PayPal's `evidence_type` a seller has. */
export const EVIDENCE_TYPES = [
  'PROOF_OF_FULFILLMENT',
  'PROOF_OF_DELIVERY_SIGNATURE',
  'PROOF_OF_SHIPMENT_POSTAGE',
  'PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED',
  'PROOF_OF_RECEIPT_COPY',
  'PROOF_OF_INSTORE_RECEIPT',
  'PROOF_OF_REFUND',
  'PROOF_OF_REFUND_OUTSIDE_PAYPAL',
  'PROOF_OF_INSTORE_REFUND',
  'PROOF_OF_RESHIPMENT',
  'PHOTOS_OF_SHIPPED_ITEM',
  'ITEM_DESCRIPTION',
  'ORDER_DETAILS',
  'RETURN_POLICY',
  'BILLING_AGREEMENT',
  'COPY_OF_CONTRACT',
  'OTHER',
] as const

/** Carriers that PayPal has a name for, of its hundreds. It knows any other as words. */
export const CARRIERS: ReadonlySet<string> = new Set(
  `UPS USPS FEDEX DHL TNT ROYAL_MAIL PARCELFORCE CA_CANADA_POST
  CA_PUROLATOR DE_DP_DHL_WITHIN_EUROPE DE_DHL_DP_INTL_SHIPMENTS DE_GLS DE_HERMES DE_DPD FR_CHRONOPOST FR_COLIPOSTE
  IT_POSTE_ITALIA ES_CORREOS_DE_ESPANA CH_SWISS_POST_PRIORITY AT_AUSTRIAN_POST_EMS UK_DPD UK_YODEL AU_AU_POST CN_CHINA_POST
  JP_JAPANPOST US_ONTRAC IN_INDIAPOST PL_POCZTA_POLSKA`.split(/\s+/),
)

/** Which evidence these fields of it belong to. The others are notes of the evidence of their name. */
export const FIELD_OF = {
  carrier_name: 'PROOF_OF_FULFILLMENT',
  tracking_number: 'PROOF_OF_FULFILLMENT',
  refund_id: 'PROOF_OF_REFUND',
} as const

/**
 * PayPal's evidence, by the contract of Disputes v1. Whether it takes an answer now, the links of the dispute say: it asks for
 * evidence from the stage of a claim on. Files: https://developer.paypal.com/platforms/disputes/reference/supported-file-types-sizes
 */
export const DISPUTE_ANSWERS = {
  accepts: ['chargeback', 'arbitration'],
  defends: ['chargeback', 'arbitration'],
  texts: {
    carrier_name: FIELD,
    tracking_number: FIELD,
    refund_id: FIELD,
    ...Object.fromEntries(EVIDENCE_TYPES.map((type) => [type, NOTES])),
  },
  textsMax: 3 * FIELD + EVIDENCE_TYPES.length * NOTES,
  files: EVIDENCE_TYPES,
  contentTypes: ['application/pdf', 'image/gif', 'image/jpeg', 'image/png'],
  // PayPal takes more than one request here can hold.
  fileBytesMax: 6_000_000,
  filesBytesMax: 6_000_000,
} as const satisfies DisputeAnswers
