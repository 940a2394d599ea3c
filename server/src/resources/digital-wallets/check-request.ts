import { isCountry } from '#domain/country.ts'
import { toDomainName } from '#domain/domain-name.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import { child } from '#platform/http/explain.ts'
import type { Sound } from '#platform/http/validation.ts'
import type { CreateDigitalWallet, ExtraConfiguration, UpdateDigitalWallet } from './schemas.ts'

/** Apple's files have some nine thousand characters. */
const ASSOCIATION_LENGTH_MAX = 20_000
const NAME_LENGTH_MAX = 255

const NO_DOMAIN =
  'is not the name of a public host: send one such as shop.example.com, without scheme, path and port'

export function complaintsAboutNew(request: Sound<CreateDigitalWallet>): ErrorDetail[] {
  return [...termsComplaints(request.accept_terms_and_conditions), ...complaintsAboutSettings(request)]
}

function termsComplaints(isAccepted: boolean | undefined): ErrorDetail[] {
  if (isAccepted !== false) return []
  const message = 'must be true: a wallet can be registered only if you accept the terms of its provider'
  return [inBody('/accept_terms_and_conditions', 'value_error.const', message)]
}

export function complaintsAboutSettings(request: Sound<UpdateDigitalWallet>): ErrorDetail[] {
  const { domain_names: names, merchant_country_code: country, extra_configuration: extra } = request
  return [
    ...(names ?? []).flatMap((name, index) => domainComplaints(`/domain_names/${index}`, name)),
    ...(country && !isCountry(country)
      ? [inBody('/merchant_country_code', 'type_error.enum', 'unknown country: use one such as US')]
      : []),
    ...(extra ? extraComplaints(extra as ExtraConfiguration) : []),
  ]
}

export function domainComplaints(pointer: string, name: string | undefined): ErrorDetail[] {
  if (name === undefined || toDomainName(name) !== undefined) return []
  return [inBody(pointer, 'value_error.str.regex', NO_DOMAIN)]
}

/** Names by which a provider knows the merchant account. They are sent to pages and providers. */
const NAMES = ['digital_payment_application_id', 'client_id', 'profile_id', 'merchant_id'] as const

function extraComplaints(extra: ExtraConfiguration): ErrorDetail[] {
  const at = '/extra_configuration'
  const names = NAMES.filter((name) => extra[name] !== undefined && !isName(extra[name]))
  return [
    ...names.map((name) =>
      inBody(`${at}/${name}`, 'type_error.string', `must be text of 1 to ${NAME_LENGTH_MAX} characters`),
    ),
    ...(['boolean', 'undefined'].includes(typeof extra['official_button'])
      ? []
      : [inBody(`${at}/official_button`, 'type_error.bool', 'must be true or false')]),
    ...associationComplaints(`${at}/domain_associations`, extra['domain_associations']),
  ]
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= NAME_LENGTH_MAX
}

function associationComplaints(at: string, files: unknown): ErrorDetail[] {
  if (files === undefined || files === null) return []
  if (typeof files !== 'object' || Array.isArray(files))
    return [inBody(at, 'type_error.object', 'must be an object: the content of Apple’s file by domain')]
  return Object.entries(files).flatMap(([domain, content]) => [
    ...(domain === toDomainName(domain)
      ? []
      : [inBody(child(at, domain), 'value_error.str.regex', NO_DOMAIN)]),
    ...(isFile(content)
      ? []
      : [inBody(child(at, domain), 'type_error.string', 'must be the content of Apple’s file, as text')]),
  ])
}

/** Text on one or more lines. A page could not be made of it: it is served as plain text. */
function isFile(content: unknown): boolean {
  if (typeof content !== 'string' || content.length > ASSOCIATION_LENGTH_MAX) return false
  return /^[\x20-\x7e\r\n]+$/.test(content)
}
