import type { Caller } from '#platform/auth.ts'
import { type ErrorDetail, inBody } from '#platform/errors.ts'
import { isSameValue } from '#platform/pinned.ts'
import type { StoredSession } from '#resources/checkout/sessions/store.ts'
import type { TransactionCreate } from '../wire/transaction.ts'
import { WHO_MAY_SET } from './who-may-set.ts'

type Field = keyof TransactionCreate

/** What a page may not say, or says against its checkout session. The door has refused what contradicts its token. */
export function browserComplaints(
  request: TransactionCreate,
  { isEmbed, pinned }: Caller,
  session: StoredSession | undefined,
): ErrorDetail[] {
  if (!isEmbed) return []
  return (Object.keys(WHO_MAY_SET) as Field[]).flatMap((name) => {
    const said = request[name] ?? null
    if (said === null) return []
    const rule = WHO_MAY_SET[name]
    const fixed = rule.session ? (session?.[name as keyof StoredSession] ?? null) : null
    if (fixed !== null) {
      const message = 'contradicts the checkout session; leave it out, or send what the session says'
      return isSameValue(said, fixed) ? [] : [inBody(`/${name}`, 'value_error.conflict', message)]
    }
    if (Object.hasOwn(pinned, name)) return []
    return rule.page
      .refused(said, request)
      .map((below) =>
        inBody(
          `/${name}${below}`,
          'value_error.conflict',
          'not allowed with a browser token; let your server say it',
        ),
      )
  })
}
