import type { Context } from '#platform/database/db.ts'
import { type ApiError, errors, inBody } from '#platform/http/errors.ts'
import type { AuthNeeds } from '../needs.ts'
import * as identities from './store.ts'

/** Another way to sign in would stay when the provider lets the user in no more. */
export async function refuseIfLinked(context: Context, userId: string): Promise<void> {
  if (!(await identities.isLinked(context, userId))) return
  throw errors.refused(
    'change it at the identity provider: users who sign in there have no name, passkey or password of their own here',
  )
}

/** A user of the provider signs in there, and in no other way. */
export function signInThere({ oidc }: Pick<AuthNeeds, 'oidc'>): ApiError {
  const message = oidc
    ? `sign in with ${oidc.settings.name}: you have an account there, and no other way to sign in here`
    : 'ask an administrator to run switchyard users reset: you sign in at an identity provider, and none is set up'
  return errors.forbidden(inBody('', 'value_error.conflict', message))
}
