/** Why a wallet's token is not accepted. */
export type Refusal =
  | 'unreadable'
  | 'unsupported'
  | 'wrong-signature'
  | 'expired'
  | 'wrong-key'
  | 'other-merchant'

/** A wallet's token that is not accepted. The message completes "the token is refused:", and repeats no part of the token. */
export class RefusedToken extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal, message: string) {
    super(message)
    this.name = 'RefusedToken'
    this.refusal = refusal
  }
}
