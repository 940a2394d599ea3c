import { CARD_SCHEMES } from '#domain/card-scheme.ts'
import { PAYMENT_METHODS } from '#domain/payment-method.ts'
import type { Scope } from '#platform/database/db.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { dimensionOf } from './dimensions.ts'
import { filledTo } from './facts/store.ts'
import { NUL, type Question } from './read-question.ts'
import type { FilterName, Metric, Module, ModuleEntry, Source } from './schemas.ts'
import { countByValue, type Sums } from './store.ts'

const RATE_DIGITS = 4
const PERCENT_DIGITS = 2
const NOTHING: Sums = { payments: 0, successes: 0, volume: 0 }

/** The metric for each value of a field. */
export async function showModule(
  scope: Scope,
  source: Source,
  { metric, period, filters }: Question,
  module: Module,
): Promise<ModuleEntry[]> {
  const name = dimensionOf(module)
  const selection = {
    source,
    span: period,
    filters,
    filledTo: await filledTo(scope, scope.merchantAccountId),
  }
  const counted = await countByValue(scope, selection, { name, metric })
  const keys = counted.flatMap(({ key }) => key ?? [])
  const describe = name === 'payment_service_id' ? await describeServices(scope, keys) : describerOf(name)
  return counted.map(({ key, ...sums }) => ({
    type: 'metrics-explorer.module',
    ...(key === null ? { key: NUL, display_name: 'None', metadata: null } : { key, ...describe(key) }),
    value: measured(metric, sums),
  }))
}

type Description = Pick<ModuleEntry, 'display_name' | 'metadata'> & Partial<Pick<ModuleEntry, 'key'>>

async function describeServices(scope: Scope, ids: readonly string[]): Promise<(id: string) => Description> {
  const services = await paymentServices.findMany(scope, ids)
  return (id) => {
    const service = services.get(id)
    if (!service) return plain(id)
    const { payment_service_definition_id, method } = service
    return { display_name: service.display_name, metadata: { payment_service_definition_id, method } }
  }
}

function describerOf(name: FilterName): (key: string) => Description {
  switch (name) {
    case 'country':
    case 'payment_method_country':
      return describerBy('region')
    case 'currency':
      return describerBy('currency')
    case 'method':
      return (id) => plain(ownOf(PAYMENT_METHODS, id)?.name ?? id)
    case 'payment_method_scheme':
      return (id) => plain(ownOf(CARD_SCHEMES, id) ?? id)
    case 'metadata':
      return describePair
    case 'authorized':
    case 'is_subsequent_payment':
    case 'liability_shifted':
    case 'merchant_initiated':
      return (key) => plain(key === 'true' ? 'Yes' : 'No')
    case 'authentication_outcome':
    case 'error_code':
    case 'instrument_type':
    case 'payment_method_card_type':
    case 'payment_source':
    case 'three_d_secure_method':
      return (word) => plain(sentence(word))
    default:
      return plain
  }
}

function plain(display_name: string): Description {
  return { display_name, metadata: null }
}

/** The key is written as the filter takes it, and as callers write JSON. */
function describePair(json: string): Description {
  const pair = JSON.parse(json) as Record<string, string>
  const [[name, value] = ['', '']] = Object.entries(pair)
  return { key: JSON.stringify(pair), display_name: `${name}: ${value}`, metadata: pair }
}

/** Made when it is asked for: loading the names takes 10 ms, which each start would wait for. */
function describerBy(type: 'region' | 'currency'): (code: string) => Description {
  const names = new Intl.DisplayNames('en', { type, fallback: 'code' })
  return (code) => plain(nameIn(names, code))
}

/** A stored code may have another form than the standard's. */
function nameIn(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

function ownOf<Value>(names: Readonly<Record<string, Value>>, id: string): Value | undefined {
  return Object.hasOwn(names, id) ? names[id] : undefined
}

/** `insufficient_funds` as “Insufficient funds”. */
function sentence(word: string): string {
  const words = word.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The value of a metric. A rate of no payments is null. */
export function measured(metric: Metric, { payments, successes, volume }: Sums = NOTHING): number | null {
  switch (metric) {
    case 'volume':
      return volume
    case 'transactions':
      return payments
    case 'auth_rate':
      return payments === 0 ? null : rounded(successes / payments, RATE_DIGITS)
  }
}

/** In percent. For a rate, the plain difference. Null without a value to compare with. */
export function deltaOf(metric: Metric, current: number | null, previous: number | null): number | null {
  if (current === null || previous === null) return null
  if (metric === 'auth_rate') return rounded(current - previous, RATE_DIGITS)
  return previous === 0 ? null : rounded(((current - previous) / previous) * 100, PERCENT_DIGITS)
}

export function addUp(all: readonly Sums[]): Sums {
  return all.reduce(
    (sum, { payments, successes, volume }) => ({
      payments: sum.payments + payments,
      successes: sum.successes + successes,
      volume: sum.volume + volume,
    }),
    NOTHING,
  )
}

function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
