import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { askCryptogram } from './ask-cryptogram.ts'
import { findToken, type Place } from './find.ts'
import type { CreateCryptogram, Cryptogram } from './schemas.ts'

type Asked = { readonly once: Once; readonly place: Place; readonly request: CreateCryptogram }

/** Gets a cryptogram for a payment that is made elsewhere. It is not stored. */
export async function createCryptogram(
  scope: Scope,
  engine: Engine,
  { once, place, request }: Asked,
): Promise<Finished<Cryptogram>> {
  const token = await findToken(scope, place)
  if (token.status !== 'active' || token.operation !== null) {
    const state = token.operation === null ? token.status : `about to ${token.operation}`
    throw errors.refused(`Use an active token: this one is ${state}.`)
  }
  const answer = await askCryptogram(engine, token, request.merchant_initiated)
  if (answer.outcome === 'unknown') {
    throw errors.unanswered('gateway_timeout', 'The token service did not answer.')
  }
  if (answer.outcome === 'refused') throw errors.refused(`The token service refuses: ${answer.code}.`)
  const { cryptogram } = answer
  try {
    return await inFinalTransaction(scope, once, async (tx) => {
      const entry = { type: 'network-token', id: token.id, name: 'cryptogram' }
      await auditLogs.record(tx, 'revealed', entry)
      return { type: 'network-token-cryptogram' as const, cryptogram: cryptogram.use(String) }
    })
  } finally {
    cryptogram.clear()
  }
}
