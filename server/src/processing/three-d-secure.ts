import type { Secret } from '#connectors/contract/orders.ts'

/** A card payment that the cardholder may have to approve. */
type Authentication = {
  readonly number: Secret
  readonly scheme: string
  readonly amount: number
  readonly currency: string
}

/** The issuer's answer through its scheme's directory (EMV 3-D Secure, transaction status). */
export type Verdict =
  /** Y: authenticated. A: attempted. U: could not be done. The payment goes on. */
  | ({ readonly outcome: 'done'; readonly transactionStatus: 'Y' | 'A' | 'U' } & Proof)
  /** N, R: the issuer refuses. The payment ends. */
  | { readonly outcome: 'refused'; readonly transactionStatus: 'N' | 'R'; readonly version: string }
  /** C: the cardholder has to approve on a page. */
  | { readonly outcome: 'challenge'; readonly version: string; readonly directoryTransactionId: string }
  /** The directory could not be asked. The payment goes on without 3-D Secure. */
  | {
      readonly outcome: 'error'
      readonly code: string
      readonly description: string
      readonly component: string
    }

export type Proof = {
  readonly version: string
  readonly eci: string | null
  readonly cavv: string | null
  readonly directoryTransactionId: string
}

/** A 3-D Secure server. */
export type ThreeDSecureServer = {
  /**
   * Whether the card takes part, so that a payment without a redirect URL can be refused before it starts.
   */
  readonly isEnrolled: (number: Secret) => boolean
  readonly authenticate: (authentication: Authentication) => Promise<Verdict>
  /** Concludes a challenge with the cardholder's decision. */
  readonly conclude: (challenge: {
    readonly directoryTransactionId: string
    readonly scheme: string
    readonly isApproved: boolean
  }) => Promise<Proof | 'refused'>
}
