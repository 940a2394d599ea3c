import type { Connector } from './connector.ts'
import { CAPTURE_WAYS, type Field, type Manifest } from './manifest.ts'
import type { OptionSchema } from './option-schemas.ts'

/** The last word of an id, by kind of provider. That of a connector for payments is its method. */
const PURPOSES = {
  connectors: null,
  giftCards: 'gift-card',
  antiFraud: 'anti-fraud',
  threeDSecure: 'three-ds',
  accountUpdaters: 'account-updater',
  networkTokens: 'network-token',
} as const

type Described = Pick<Connector, Exclude<keyof Connector, 'manifest'>> & {
  readonly manifest: Partial<Manifest>
}

/** Mistakes that types cannot detect, but that merchants would see. */
export function checkManifestText(kind: keyof typeof PURPOSES, connector: Described): readonly string[] {
  const { id = '', method, fields = [], reportingFields = [], ...manifest } = connector.manifest
  const purpose = PURPOSES[kind] ?? method
  const keys = [...fields, ...reportingFields].map(({ key }) => key)
  return [
    ...(id.endsWith(`-${purpose}`) ? [] : [`manifest.id must end with -${purpose}`]),
    ...repeated(keys).map((key) => `manifest.fields names ${key} twice`),
    ...checkOptions('options', manifest.options),
    ...checkOptions('payoutOptions', manifest.payoutOptions),
    ...checkShown(manifest.shownInTranscripts ?? []),
    ...(kind === 'connectors' ? checkPromises(connector as Connector, fields) : []),
  ]
}

function checkPromises(connector: Connector, fields: readonly Field[]): readonly string[] {
  const { capabilities, recovery, reportingFields, currencies, countries, instruments } = connector.manifest
  const needs: Readonly<Record<string, boolean>> = {
    authorize:
      capabilities.directCapture || capabilities.zeroAuthorization || capabilities.partialAuthorization,
    capture: capabilities.multipleCaptures || capabilities.overCapture,
    void: capabilities.remainderVoids,
    refund: capabilities.partialRefunds,
    ...Object.fromEntries(
      Object.keys(capabilities.operationNeeds ?? {})
        .filter((name) => !CAPTURE_WAYS.some((way) => way === name))
        .map((name) => [name, true]),
    ),
  }
  const missing = Object.keys(needs).filter((name) => needs[name] && !connector[name as 'authorize'])
  const isVerified = fields.some(({ isVerifiable }) => isVerifiable)
  return [
    ...missing.map((name) => `manifest.capabilities promises ${name}, which the connector does not have`),
    ...(isVerified === (connector.verify !== undefined)
      ? []
      : ['manifest.fields must have a field that isVerifiable if there is a verify, and none without it']),
    ...((recovery.by === 'notification') === (connector.sync === undefined)
      ? []
      : ['manifest.recovery must be by notification without a sync, and by lookup or replay with one']),
    ...((connector.answerDispute === undefined) === (connector.manifest.disputeAnswers === undefined)
      ? []
      : ['manifest.disputeAnswers must say what answerDispute sends, and be left out without it']),
    ...(reportingFields.length > 0 && !connector.reports
      ? ['manifest.reportingFields are for reports, which the connector does not have']
      : []),
    ...checkList('currencies', currencies),
    ...checkList('countries', countries),
    ...checkList('instruments', instruments),
  ]
}

/** Names under which providers have secrets. A name within another one, as in `instrument.number`, is no better. */
const SECRET_NAMES =
  /^(pan|number|card_?number|cvc|cvv|cvc2|cvv2|security_?code|pin|token|payment_?method|password|secret|client_?secret|authorization|cookie|api_?key|cryptogram|cavv|iban|account_?number|email|phone|name)$/i

/** Transcripts show merchants what the list names. */
function checkShown(entries: readonly string[]): readonly string[] {
  const names = (entry: string) => entry.split('.').at(-1)?.replaceAll('-', '_') ?? ''
  return [
    ...repeated(entries).map((entry) => `manifest.shownInTranscripts names ${entry} twice`),
    ...entries
      .filter((entry) => !/^(\/[\w.-]+(\/[*])?|!?[\w.-]+(=[\w.-]+[*])?)$/.test(entry))
      .map((entry) => `manifest.shownInTranscripts cannot be understood: ${entry}`),
    ...entries
      .filter((entry) => !/^[/!]|=/.test(entry) && SECRET_NAMES.test(names(entry)))
      .map((entry) => `manifest.shownInTranscripts would show secrets: ${entry}`),
  ]
}

function checkList(name: string, list: 'all' | readonly string[]): readonly string[] {
  if (list === 'all') return []
  if (list.length === 0) return [`manifest.${name} must not be empty`]
  return repeated(list).map((item) => `manifest.${name} names ${item} twice`)
}

/** An option that merchants misspell must not be ignored. */
function checkOptions(name: string, options: OptionSchema | undefined): readonly string[] {
  if (!options) return []
  const { type, title, additionalProperties } = options
  const isNamed = typeof title === 'string' && /^[A-Z][A-Za-z]+Options$/.test(title)
  if (type === 'object' && isNamed && additionalProperties === false) return []
  return [
    `manifest.${name} must be the schema of an object that refuses what it does not name, with a title such as AcmeCardOptions`,
  ]
}

function repeated(list: readonly string[]): string[] {
  return [...new Set(list.filter((item, index) => list.indexOf(item) !== index))]
}
