import { type Context, violatedUnique } from '../../platform/db.ts'
import { errors, inBody } from '../../platform/errors.ts'
import { ownerOfNetworkToken, type Settings, TOKEN_SCHEMES } from './store.ts'

const FIELDS: Readonly<Record<string, 'requestor_id' | 'app_id'>> = {
  network_tokens_requestor_id: 'requestor_id',
  network_tokens_app_id: 'app_id',
}

/** Names the field whose value another scheme or account already uses. Other errors pass through. */
export async function refuseTakenNetworkToken(
  context: Context,
  settings: Settings,
  error: unknown,
): Promise<unknown> {
  const kind = FIELDS[violatedUnique(error) ?? '']
  if (!kind) return error
  for (const scheme of TOKEN_SCHEMES) {
    const field = `${scheme}_network_tokens_${kind}` as const
    const owner = settings[field] && (await ownerOfNetworkToken(context, settings[field]))
    if (owner) {
      return errors.duplicate(
        owner,
        inBody(`/${field}`, 'value_error.duplicate', 'is in use by another scheme or account'),
      )
    }
  }
  const field = TOKEN_SCHEMES.map((scheme) => `${scheme}_network_tokens_${kind}` as const).find(
    (name) => settings[name],
  )
  return errors.invalid(inBody(`/${field}`, 'value_error.duplicate', 'two schemes cannot share one value'))
}
