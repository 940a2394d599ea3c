import type { Scope, Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Finished, Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { carryOut, finish } from './carry-out.ts'
import { recordToken } from './drop.ts'
import { findToken, type Place } from './find.ts'
import type { NetworkToken } from './schemas.ts'
import type { Viewer } from './show.ts'
import { after, type Operation } from './state.ts'
import * as networkTokens from './store.ts'

type Asked = {
  readonly once: Once
  readonly viewer: Viewer
  readonly place: Place
  readonly operation: Operation
}

/** Suspends a token, or resumes it. A token that is already as it should be stays as it is. */
export async function changeNetworkToken(
  scope: Scope,
  engine: Engine,
  { once, viewer, place, operation }: Asked,
): Promise<Finished<NetworkToken>> {
  const token = await findToken(scope, place)
  if (!once.begun && isDone(token, operation)) return finish(scope, engine, { once, viewer }, token.id)
  return carryOut(scope, engine, {
    kind: `${operation}-token`,
    once,
    viewer,
    begin: (tx) => begin(tx, token.id, operation),
  })
}

function isDone({ status, operation: open }: networkTokens.StoredToken, operation: Operation): boolean {
  return open === null && status === after(operation)
}

async function begin(tx: Scope<Tx>, id: string, operation: Operation): Promise<networkTokens.StoredToken> {
  const token = await networkTokens.lock(tx, id)
  if (!networkTokens.isLive(token)) throw errors.notFound()
  if (token.operation !== null || isDone(token, operation)) {
    throw errors.tooEarly('Try again later: another change of this token has not ended.')
  }
  if (token.status === 'inactive') {
    throw errors.refused('Wait until the issuer has activated the token: it is inactive.')
  }
  await recordToken(tx, 'updated', token)
  return networkTokens.change(tx, token, { operation })
}
