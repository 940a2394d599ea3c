import type { User } from '#resources/users/schemas.ts'
import * as users from '#resources/users/store.ts'
import type { Foundation } from '../open-foundation.ts'

/** By e-mail address or by id. */
export async function findUser({ context }: Foundation, given: string): Promise<User> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)
  const user = isId ? await users.find(context, given) : await users.findByEmail(context, given)
  if (user) return user
  throw new Error(`There is no user "${given}". See: switchyard users list`)
}
