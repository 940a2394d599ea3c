import type { Context } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import * as identities from './store.ts'

/** Another way to sign in would stay when the provider lets the user in no more. */
export async function refuseIfLinked(context: Context, userId: string): Promise<void> {
  if (!(await identities.isLinked(context, userId))) return
  throw errors.refused(
    'change it at the identity provider: users who sign in there have no name, passkey or password of their own here',
  )
}
