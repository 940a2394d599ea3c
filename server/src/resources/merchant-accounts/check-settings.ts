import { TOKEN_SCHEMES } from '#connectors/contract/network-token.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Context } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import type { Reach } from '#platform/http/operation.ts'
import type { Sound } from '#platform/http/validation.ts'
import { ownerOfNetworkToken, type Settings } from './store.ts'

const FIELDS: Readonly<Record<string, 'requestor_id' | 'app_id'>> = {
  network_tokens_requestor_id: 'requestor_id',
  network_tokens_app_id: 'app_id',
}

type Field = keyof Settings

/** Settings that only work together: all of a group are set, or none. */
const TOGETHER: readonly (readonly Field[])[] = [
  ['loon_client_key', 'loon_secret_key'],
  [
    'account_updater_request_encryption_key',
    'account_updater_request_encryption_key_id',
    'account_updater_response_decryption_key',
    'account_updater_response_decryption_key_id',
  ],
  ...TOKEN_SCHEMES.map((scheme): readonly Field[] => [
    `${scheme}_network_tokens_requestor_id`,
    `${scheme}_network_tokens_app_id`,
  ]),
]

export function checkSettings(settings: Settings): void {
  const details = settingsComplaints(settings)
  if (details.length > 0) throw errors.invalid(...details)
}

/** The same as a list. Settings that are left out count as not set. */
export function settingsComplaints(settings: Sound<Partial<Settings>>): ErrorDetail[] {
  return TOGETHER.flatMap((group) => {
    const missing = group.filter((field) => !settings[field])
    if (missing.length === 0 || missing.length === group.length) return []
    return missing.map((field) =>
      inBody(`/${field}`, 'value_error.missing', `${group.join(', ')} must be set together or not at all`),
    )
  })
}

/** Names the field whose value another scheme or account already uses. Returns other errors unchanged. */
export async function refuseTakenNetworkToken(
  context: Context,
  callerReach: Reach,
  settings: Settings,
  error: unknown,
): Promise<unknown> {
  const kind = FIELDS[violatedUnique(error) ?? '']
  if (!kind) return error
  const fields = TOKEN_SCHEMES.map((scheme) => ({
    scheme,
    field: `${scheme}_network_tokens_${kind}` as const,
  }))
  for (const { field } of fields) {
    const owner = settings[field] ? await ownerOfNetworkToken(context, kind, settings[field]) : undefined
    if (!owner || owner.accountId === settings.id) continue
    // The owner stays hidden from a key that may not see that account.
    const isVisible = callerReach === 'all' || callerReach.includes(owner.accountId)
    const detail = inBody(`/${field}`, 'value_error.duplicate', 'is in use by another merchant account')
    return errors.duplicate(isVisible ? owner.accountId : undefined, detail)
  }
  const values = fields.map(({ field }) => settings[field])
  const twice = fields.find(
    ({ field }, index) => settings[field] && values.indexOf(settings[field]) !== index,
  )
  return errors.invalid(
    inBody(`/${twice?.field}`, 'value_error.duplicate', 'two schemes cannot share one value'),
  )
}
