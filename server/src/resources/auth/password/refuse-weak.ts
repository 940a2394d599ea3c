import type { Context } from '#platform/db.ts'
import { type ApiError, errors, inBody } from '#platform/errors.ts'
import { isPassword } from './hash.ts'
import * as passwords from './store.ts'

type Choice = {
  readonly password: string
  /** Null: the user is not there yet. */
  readonly userId: string | null
  readonly emailAddress: string
}

/** PCI DSS 8.3.6 and 8.3.7. The schema has looked at the length. */
export async function refuseWeakPassword(context: Context, choice: Choice): Promise<void> {
  const { password, userId, emailAddress } = choice
  if (!/\p{L}/u.test(password)) throw weak('add a letter: a password has letters and digits')
  if (!/\p{Nd}/u.test(password)) throw weak('add a digit: a password has letters and digits')
  if (password.toLowerCase().includes(emailAddress.toLowerCase()))
    throw weak('leave your e-mail address out: it is the first that others would try')
  const former = userId === null ? [] : await passwords.remembered(context, userId)
  for (const hash of former) {
    if (await isPassword(password, hash)) throw weak('was one of your last four passwords: choose another')
  }
}

function weak(message: string): ApiError {
  return errors.invalid(inBody('/password', 'value_error.conflict', message))
}
