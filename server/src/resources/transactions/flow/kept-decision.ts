import type { ServiceEntry } from '#resources/flows/schemas.ts'

/** What a payment keeps of a decision, to go on after its buyer has approved. */
export type KeptDecision = {
  readonly version: number
  readonly route: readonly ServiceEntry[] | null
  readonly three_d_secure: 'attempt' | 'force' | 'skip' | null
  /** The rules that decided, for statistics. */
  readonly rule_ids: { readonly route: string | null; readonly three_d_secure: string | null }
  /** The service that a weighted rule drew. */
  readonly variant_id: string | null
}
