import type { Secret } from '#connectors/contract/orders.ts'

/** An issuer's first answer about a payment (EMV 3-D Secure, transaction status), or none in time. */
export const ISSUER_ANSWERS = ['Y', 'N', 'A', 'R', 'U', 'C', 'timeout'] as const
export type IssuerAnswer = (typeof ISSUER_ANSWERS)[number]

/** An issuer's answer after a challenge, or none in time. */
export const CHALLENGE_RESULTS = ['Y', 'N', 'timeout'] as const
export type ChallengeResult = (typeof CHALLENGE_RESULTS)[number]

/** What a simulated issuer is told to answer about a payment. */
export type Scenario = {
  /** Null: the simulator's own version. */
  readonly version: string | null
  readonly answer: IssuerAnswer
  /** Only with the answer C. */
  readonly result: ChallengeResult | null
}

/** A card payment that the cardholder may have to approve. */
type Authentication = {
  readonly number: Secret
  readonly scheme: string
  readonly amount: number
  readonly currency: string
  /** Null: the issuer decides by itself. Only a simulator follows scenarios. */
  readonly scenario: Scenario | null
}

/** The issuer's answer through its scheme's directory (EMV 3-D Secure, transaction status). */
export type Verdict =
  | Conclusion
  /** C: the cardholder has to approve on a page. */
  | ({ readonly outcome: 'challenge' } & Challenge)
  /** It could not be begun, so no directory was asked. The payment goes on. */
  | ({ readonly outcome: 'setup_error'; readonly version: null } & ThreeDSecureError)

type Conclusion =
  /** Y: authenticated. A: attempted. U: could not be done. The payment goes on. */
  | ({ readonly outcome: 'done'; readonly transactionStatus: 'Y' | 'A' | 'U' } & Proof)
  /** N, R: the issuer refuses. The payment ends. */
  | { readonly outcome: 'refused'; readonly transactionStatus: 'N' | 'R'; readonly version: string }
  /** The directory could not be asked, or did not answer. */
  | ({ readonly outcome: 'error'; readonly version: string | null } & ThreeDSecureError)

export type ThreeDSecureError = {
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

/** What the server needs again to conclude a challenge. It is kept with the payment. */
export type Challenge = {
  readonly version: string
  readonly directoryTransactionId: string
  /** What a simulated issuer answers once the cardholder has approved. */
  readonly result: ChallengeResult
}

/** A 3-D Secure server. */
export type ThreeDSecureServer = {
  /**
   * Whether the card takes part, so that a payment without a redirect URL can be refused before it starts.
   */
  readonly isEnrolled: (number: Secret) => boolean
  readonly authenticate: (authentication: Authentication) => Promise<Verdict>
  /** Concludes a challenge with the cardholder's decision. */
  readonly conclude: (
    challenge: Challenge & { readonly scheme: string; readonly isApproved: boolean },
  ) => Promise<Conclusion>
}
