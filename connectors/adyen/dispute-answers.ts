import { DEFENSE, type DisputeAnswers } from '#connectors/contract/answer-dispute.ts'

/** Adyen takes longer images, but a request here can hold no more. */
const FILE_BYTES = 6_000_000
/** Of a PDF. https://docs.adyen.com/risk-management/understanding-disputes/defense-requirements */
export const PDF_BYTES = 2_000_000

/** Adyen takes files, and names those of each dispute (`disputeFields`). It has no texts: the defense is chosen by its code. */
export const DISPUTE_ANSWERS = {
  accepts: ['notification', 'chargeback'],
  defends: ['inquiry', 'notification', 'chargeback'],
  texts: { [DEFENSE]: 100 },
  textsMax: 100,
  files: [],
  contentTypes: ['application/pdf', 'image/jpeg', 'image/tiff'],
  fileBytesMax: FILE_BYTES,
  filesBytesMax: FILE_BYTES,
} as const satisfies DisputeAnswers
