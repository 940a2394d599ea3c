import type { Connector } from '#connectors/contract/connector.ts'
import { isCountry } from '#domain/country.ts'
import { isCurrency } from '#domain/currency.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import {
  countriesOf,
  currenciesOf,
  type Features,
  featuresOf,
} from '#resources/payment-service-definitions/show.ts'
import type { UpdatePaymentService } from './schemas.ts'

/** The settings that merchants can switch. A switch can be on only if the connector has its feature. */
export type Switches = Readonly<Record<keyof typeof SWITCHES, boolean>>

const SWITCHES = {
  open_loop: { words: 'open loop', default: 'open_loop', toggle: 'open_loop_toggle' },
  network_tokens_enabled: {
    words: 'network tokens',
    default: 'network_tokens_default',
    toggle: 'network_tokens_toggle',
  },
  payment_method_tokenization_enabled: {
    words: 'tokenization of payment methods',
    default: 'payment_method_tokenization',
    toggle: 'payment_method_tokenization_toggle',
  },
  settlement_reporting_enabled: {
    words: 'settlement reporting',
    default: null,
    toggle: 'settlement_reporting',
  },
  three_d_secure_enabled: { words: '3-D Secure', default: null, toggle: 'three_d_secure_hosted' },
} as const satisfies Record<
  string,
  { readonly words: string; readonly default: keyof Features | null; readonly toggle: keyof Features }
>

const NAMES = Object.keys(SWITCHES) as (keyof Switches)[]

export function defaultSwitches(connector: Connector): Switches {
  const features = featuresOf(connector)
  const entries = NAMES.map((name) => [name, isOnByDefault(features, name)])
  return Object.fromEntries(entries) as Switches
}

/** The switches after a request. A switch that is left out or null stays as it is. */
export function turn(before: Switches, request: UpdatePaymentService): Switches {
  const entries = NAMES.map((name) => [name, request[name] ?? before[name]])
  return Object.fromEntries(entries) as Switches
}

export function complaintsAboutSettings(
  connector: Connector,
  request: UpdatePaymentService,
  after: Switches,
): ErrorDetail[] {
  return [
    ...complaintsAboutCodes('/accepted_currencies', request.accepted_currencies ?? [], {
      isKnown: isCurrency,
      unknown: 'Unknown ISO 4217 currency code',
      supported: new Set(currenciesOf(connector)),
      unsupported: `${connector.manifest.id} does not take this currency`,
    }),
    ...complaintsAboutCodes('/accepted_countries', request.accepted_countries ?? [], {
      isKnown: isCountry,
      unknown: 'Unknown ISO 3166-1 country code',
      supported: new Set(countriesOf(connector)),
      unsupported: `${connector.manifest.id} does not take this country`,
    }),
    ...complaintsAboutSwitches(connector, request, after),
  ]
}

type CodeRule = {
  readonly isKnown: (code: string) => boolean
  readonly unknown: string
  readonly supported: ReadonlySet<string>
  readonly unsupported: string
}

function complaintsAboutCodes(
  pointer: string,
  codes: readonly (string | undefined)[],
  rule: CodeRule,
): ErrorDetail[] {
  return codes.flatMap((code, index) => {
    if (code === undefined) return []
    if (!rule.isKnown(code)) return [inBody(`${pointer}/${index}`, 'type_error.enum', rule.unknown)]
    if (rule.supported.has(code)) return []
    return [inBody(`${pointer}/${index}`, 'value_error.conflict', rule.unsupported)]
  })
}

function complaintsAboutSwitches(
  connector: Connector,
  request: UpdatePaymentService,
  after: Switches,
): ErrorDetail[] {
  const features = featuresOf(connector)
  const refused = NAMES.filter((name) => {
    const wanted = request[name] ?? null
    const isFixed = wanted !== null && !features[SWITCHES[name].toggle]
    return isFixed && wanted !== isOnByDefault(features, name)
  })
  const complaints = refused.map((name) => {
    const { words } = SWITCHES[name]
    const message = `${connector.manifest.id} ${request[name] ? 'does not support' : 'always has'} ${words}`
    return inBody(`/${name}`, 'value_error.conflict', message)
  })
  if (complaints.length === 0 && after.network_tokens_enabled && !after.open_loop) {
    complaints.push(
      inBody(
        '/network_tokens_enabled',
        'value_error.conflict',
        'turn on open_loop, too: network tokens need it',
      ),
    )
  }
  return complaints
}

function isOnByDefault(features: Features, name: keyof Switches): boolean {
  const feature = SWITCHES[name].default
  return feature !== null && features[feature]
}
