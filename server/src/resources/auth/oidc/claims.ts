import type { OidcSettings } from './settings.ts'

/** What a provider says about a person, in the words of this program. */
export type Claims = {
  readonly issuer: string
  readonly subject: string
  readonly emailAddress: string | null
  readonly isEmailVerified: boolean
  readonly name: string | null
  /** Values of the claim for roles, before they are looked up. */
  readonly groups: readonly string[]
  /** Merchant accounts, or `*` for all. Null: the claim is not there, or not asked for. */
  readonly accounts: readonly string[] | null
  /** When the person last proved who they are. */
  readonly provedAt: Date | null
  readonly acr: string | null
  /** Whether the provider has said what we need without being asked for more. */
  readonly isWhole: boolean
}

type Raw = Readonly<Record<string, unknown>>

const EMAIL = /^[^\s@\p{Cc}]{1,250}@[^\s@\p{Cc}]{1,250}$/u

export function readClaims({ rolesClaim, accountsClaim }: OidcSettings, raw: Raw): Claims {
  const email = textOf(raw['email'])
  const emailAddress = email && email.length <= 254 && EMAIL.test(email) ? email : null
  const groups = valuesAt(raw, rolesClaim)
  const accounts = accountsClaim === null ? null : valuesAt(raw, accountsClaim)
  const provedAt = raw['auth_time']
  return {
    issuer: String(raw['iss']),
    subject: String(raw['sub']),
    emailAddress,
    isEmailVerified: isVerified(raw),
    name: nameOf(raw),
    groups: groups ?? [],
    accounts,
    provedAt: typeof provedAt === 'number' ? new Date(provedAt * 1000) : null,
    acr: textOf(raw['acr']),
    isWhole: emailAddress !== null && groups !== null && (accountsClaim === null || accounts !== null),
  }
}

/** Entra ID says it in a claim of its own: the address is of a domain that the company has proved to own. */
function isVerified(raw: Raw): boolean {
  return raw['email_verified'] === true || [true, 1, '1', 'true'].includes(raw['xms_edov'] as string)
}

/** A name that fits our column, on one line. */
function nameOf(raw: Raw): string | null {
  const name = textOf(raw['name']) ?? textOf(raw['preferred_username'])
  return (
    name
      ?.replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 200) || null
  )
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** The claim may be one word or a list. Null if it is not there. */
function valuesAt(raw: Raw, claim: string): string[] | null {
  const value = raw[claim] ?? deepValue(raw, claim)
  if (value === undefined || value === null) return null
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((entry): entry is string => typeof entry === 'string')
}

/** Some providers nest their claims: `realm_access.roles`. */
function deepValue(raw: Raw, claim: string): unknown {
  return claim.split('.').reduce<unknown>((value, name) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    return isObject ? (value as Raw)[name] : undefined
  }, raw)
}
