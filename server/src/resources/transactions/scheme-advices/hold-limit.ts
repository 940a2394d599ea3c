import type { Scope, Tx } from '#platform/database/db.ts'
import {
  isNearLimit,
  limitAgainst,
  MONTH_MS,
  type Objection,
  type Planned,
  type Standing,
} from './objection.ts'
import * as cardDeclines from './store.ts'

type Begun = {
  readonly standing: Standing | undefined
  readonly planned: Planned & {
    readonly payment: { readonly id: string; readonly payment_method_fingerprint: string | null }
  }
}

/**
 * Two payments with one card at the same time must not both be the last that a limit allows. So the commit that begins an attempt with a
 * card that was declined lately locks the card until its end, and counts payments that wait for an answer as if they were declined. A
 * card without declines is not locked: most payments do nothing here.
 */
export async function holdLimit(tx: Scope<Tx>, { standing, planned }: Begun): Promise<Objection | undefined> {
  const { id, payment_method_fingerprint: fingerprint } = planned.payment
  if (!standing?.isObeyed || fingerprint === null || !isNearLimit(standing, planned)) return undefined
  await cardDeclines.lockCard(tx, fingerprint)
  const since = new Date(planned.now.getTime() - MONTH_MS)
  const { declines, underWay } = await cardDeclines.findWithUnderWay(tx, {
    fingerprint,
    since,
    besidesId: id,
  })
  return limitAgainst({ ...standing, declines }, { ...planned, underWay })
}
