import type { Context, Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import { limitsFor } from '#resources/flows/retry-policy/show.ts'
import type { StoredTransaction } from '../store.ts'
import type { Standing } from './objection.ts'
import * as cardDeclines from './store.ts'

/** What the scheme of a card says about it, by the declines that were committed before. `holdLimit` sees to payments at the same time. */
export async function findStanding(
  scope: Scope,
  { providers }: Pick<Engine, 'providers'>,
  { payment_method_fingerprint: fingerprint }: Pick<StoredTransaction, 'payment_method_fingerprint'>,
  known?: Known,
): Promise<Standing | undefined> {
  if (fingerprint === null) return undefined
  const { policy, declines } =
    known && !known.has_declines
      ? { policy: known.retry_policy, declines: [] }
      : await cardDeclines.findOf(scope, fingerprint)
  const isAdvised = declines.some(({ kind }) => kind !== null)
  const approved = isAdvised ? await cardDeclines.lastApprovedOf(scope, fingerprint) : undefined
  return {
    isObeyed: policy?.mode !== 'warn',
    limits: limitsFor(policy, providers),
    declines: approved === undefined ? declines : declines.map((decline) => lifted(decline, approved)),
  }
}

/** What was read just before. Most cards have no declines, and need no other question. */
type Known = { readonly retry_policy: cardDeclines.Found['policy']; readonly has_declines: boolean }

/** An approval shows that the issuer takes the card again. The decline still counts for limits. */
function lifted(decline: cardDeclines.CardDecline, approvedId: string): cardDeclines.CardDecline {
  return decline.transaction_id < approvedId ? { ...decline, kind: null, code: null } : decline
}

export function forgetDeclines(context: Context): Promise<void> {
  return cardDeclines.forget(context, context.clock())
}
