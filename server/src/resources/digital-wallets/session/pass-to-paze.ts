import type { Static, TSchema } from 'typebox'
import type { Scope } from '#platform/database/db.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Providers } from '#processing/provider.ts'
import { askWallet } from './ask-wallet.ts'
import { findWallet } from './find-wallet.ts'
import { pazeUrlOf } from './open-paze.ts'

type Message<Schema extends TSchema> = {
  readonly step: 'create' | 'review' | 'complete'
  readonly body: object
  readonly answer: Schema
}

/** A step of an app's session. Paze judges the access token and the code; we only pass them on. */
export async function passToPaze<Schema extends TSchema>(
  scope: Scope,
  once: Once,
  providers: Providers,
  { step, body, answer }: Message<Schema>,
): Promise<Finished<Static<Schema>>> {
  await findWallet(scope, 'paze')
  const told = await askWallet(providers, { url: `${pazeUrlOf(providers)}/sessions/${step}`, body, answer })
  return inFinalTransaction(scope, once, async () => told)
}
