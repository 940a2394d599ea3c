import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/meaning.ts'
import { TOKEN_SCHEMES } from '#processing/token-service.ts'
import type { Settings } from './store.ts'

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
