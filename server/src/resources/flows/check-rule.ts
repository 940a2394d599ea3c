import { isCurrency } from '#domain/currency.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/validation.ts'
import { complaintsIn } from '#resources/transactions/wire/variants.ts'
import { readRange } from './conditions/ranges.ts'
import { type Condition, type ConditionName, reasonAgainst, SHAPES_OF } from './conditions/schemas.ts'
import { type FlowRuleCreate, type FlowRuleUpdate, OUTCOMES, type ServiceEntry } from './schemas.ts'
import { ACTIONS_OF, type Place } from './vocabulary.ts'

type Given = Pick<FlowRuleCreate | FlowRuleUpdate, 'conditions' | 'outcome' | 'error_code'>

/** What is wrong with a rule by itself. Whether its services exist is looked up later. */
export function ruleComplaints(given: Sound<Given>, { flow, action }: Sound<Place>): ErrorDetail[] {
  if (!flow || !action) return []
  const place = { flow, action }
  const wrongPlace = placeComplaints(place)
  if (wrongPlace.length > 0) return wrongPlace
  return [
    ...(given.conditions ?? []).flatMap((condition, index) =>
      condition ? conditionComplaints(condition, `/conditions/${index}`, place) : [],
    ),
    ...(given.outcome === undefined ? [] : outcomeComplaints(given.outcome, place)),
    ...errorCodeComplaints(given, place),
  ]
}

export function placeComplaints({ flow, action }: Sound<Place>): ErrorDetail[] {
  if (!flow || !action || ACTIONS_OF[flow].includes(action)) return []
  const message = `the flow ${flow} has no action ${action}: use ${ACTIONS_OF[flow].join(' or ')}`
  return [{ location: 'path', pointer: '/action', type: 'value_error.conflict', message }]
}

function errorCodeComplaints({ error_code }: Sound<Given>, { action }: Place): ErrorDetail[] {
  if (error_code === undefined || error_code === null || action === 'decline-early') return []
  return [inBody('/error_code', 'value_error.conflict', 'leave it out: only decline-early declines payments')]
}

function conditionComplaints(given: object, pointer: string, place: Place): ErrorDetail[] {
  const { name, operator } = given as { name?: unknown; operator?: unknown }
  const shapes = typeof name === 'string' ? SHAPES_OF.get(name) : undefined
  if (!shapes) {
    const known = [...SHAPES_OF.keys()].join(', ')
    return name === undefined
      ? [inBody(`${pointer}/name`, 'value_error.missing', 'field required')]
      : [inBody(`${pointer}/name`, 'type_error.enum', `must be one of ${known}`)]
  }
  const shape = shapes.find(({ operators }) => operators.includes(operator as string))
  if (!shape) {
    const known = shapes.flatMap(({ operators }) => operators).join(', ')
    return [inBody(`${pointer}/operator`, 'type_error.enum', `must be one of ${known}`)]
  }
  const complaints = complaintsIn(pointer, shape.schema, given)
  if (complaints.length > 0) return complaints
  return meaningComplaints(given as Condition, pointer, place)
}

function meaningComplaints(condition: Condition, pointer: string, place: Place): ErrorDetail[] {
  const reason = reasonAgainst(condition.name as ConditionName, place.action)
  if (reason !== undefined)
    return [inBody(`${pointer}/name`, 'value_error.conflict', `leave it out: ${reason}`)]
  const value = `${pointer}/value`
  switch (condition.name) {
    case 'any_of':
      return condition.value.flatMap((inner, index) =>
        (inner.name as string) === 'any_of'
          ? [inBody(`${value}/${index}/name`, 'value_error.conflict', 'any_of cannot hold another any_of')]
          : conditionComplaints(inner, `${value}/${index}`, place),
      )
    case 'amount':
      return [
        ...unknownCurrencies([condition.value.currency], () => `${value}/currency`),
        ...(condition.operator === 'is_between' ? crossed(condition.value as Span, value) : []),
      ]
    case 'currency':
      return unknownCurrencies(condition.value, (index) => `${value}/${index}`)
    case 'card_bin':
      return wrongRanges(condition.value, value, 8)
    case 'gift_card_bin':
      return wrongRanges(condition.value, value, 9)
    case 'weekday':
      return wrongZone(condition.value.time_zone, value)
    case 'time_of_day': {
      const { from, to, time_zone } = condition.value
      const isEmpty = from === to
      return [
        ...wrongZone(time_zone, value),
        ...(isEmpty ? [inBody(`${value}/to`, 'value_error.conflict', 'must differ from `from`')] : []),
      ]
    }
    default:
      return []
  }
}

type Span = { readonly min: number; readonly max: number }

function crossed({ min, max }: Span, pointer: string): ErrorDetail[] {
  return min <= max
    ? []
    : [inBody(`${pointer}/max`, 'value_error.number.not_ge', `must be at least min, ${min}`)]
}

function unknownCurrencies(codes: readonly string[], at: (index: number) => string): ErrorDetail[] {
  return codes.flatMap((code, index) =>
    isCurrency(code)
      ? []
      : [inBody(at(index), 'value_error.not_found', `${code} is no currency of ISO 4217`)],
  )
}

function wrongRanges(texts: readonly string[], pointer: string, digits: number): ErrorDetail[] {
  return texts.flatMap((text, index) =>
    readRange(text, digits)
      ? []
      : [
          inBody(
            `${pointer}/${index}`,
            'value_error.conflict',
            'the end of the range must not be before its start',
          ),
        ],
  )
}

function wrongZone(zone: string, pointer: string): ErrorDetail[] {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return []
  } catch {
    const message = 'must be an IANA time zone, such as Europe/Berlin'
    return [inBody(`${pointer}/time_zone`, 'value_error.not_found', message)]
  }
}

function outcomeComplaints(outcome: object, place: Place): ErrorDetail[] {
  const complaints = complaintsIn('/outcome', outcomeSchemaOf(outcome, place), outcome)
  if (complaints.length > 0 || !('strategy' in outcome || 'version' in outcome)) return complaints
  const { result, strategy = 'ordered' } = outcome as Routing
  return [
    ...result.flatMap(entryComplaints),
    ...weightComplaints(result, strategy),
    ...costComplaints(result, strategy),
  ]
}

type Routing = { readonly result: readonly ServiceEntry[]; readonly strategy?: string }

function outcomeSchemaOf(outcome: object, { flow, action }: Place) {
  switch (action) {
    case 'route-transaction':
      return flow === 'card-transaction' ? OUTCOMES['route-card'] : OUTCOMES['route-redirect']
    case 'select-payment-options':
      return OUTCOMES['select-payment-options']
    case 'skip-3ds':
      return (outcome as { type?: unknown }).type === 'boolean' ? OUTCOMES.yes : OUTCOMES['skip-3ds']
    case 'decline-early':
      return OUTCOMES.yes
  }
}

function entryComplaints(entry: ServiceEntry, index: number): ErrorDetail[] {
  const pointer = `/outcome/result/${index}`
  return [...transformationComplaints(entry, pointer), ...retryComplaints(entry, pointer)]
}

function transformationComplaints(
  { instrument, transformations = [] }: ServiceEntry,
  pointer: string,
): ErrorDetail[] {
  const isSecondScheme = transformations.some(({ name }) => name === 'use_additional_scheme')
  if (instrument !== 'network_token' || !isSecondScheme) return []
  const message = 'use_additional_scheme needs the number: a network token belongs to one scheme'
  return [inBody(`${pointer}/transformations`, 'value_error.conflict', message)]
}

function retryComplaints({ retry }: ServiceEntry, pointer: string): ErrorDetail[] {
  if (!retry) return []
  const { on, not_on: notOn } = retry
  if (!on && !notOn) {
    const message = 'name error codes in on or not_on, or leave retry out'
    return [inBody(`${pointer}/retry`, 'value_error.missing', message)]
  }
  return (notOn ?? []).flatMap((code, place) =>
    on?.includes(code)
      ? [
          inBody(
            `${pointer}/retry/not_on/${place}`,
            'value_error.conflict',
            `${code} is also in on: keep it in one`,
          ),
        ]
      : [],
  )
}

function costComplaints(result: readonly ServiceEntry[], strategy: string): ErrorDetail[] {
  const index = strategy === 'least_cost' ? -1 : result.findIndex(({ cost }) => cost !== undefined)
  if (index === -1) return []
  const message = 'leave it out, or set strategy to least_cost'
  return [inBody(`/outcome/result/${index}/cost`, 'value_error.conflict', message)]
}

const WHOLE = 100

function weightComplaints(result: readonly ServiceEntry[], strategy: string): ErrorDetail[] {
  if (strategy !== 'weighted') {
    const index = result.findIndex(({ weight }) => weight !== undefined)
    if (index === -1) return []
    const message = 'leave it out, or set strategy to weighted'
    return [inBody(`/outcome/result/${index}/weight`, 'value_error.conflict', message)]
  }
  const missing = result.findIndex(({ weight }) => weight === undefined)
  if (missing !== -1)
    return [inBody(`/outcome/result/${missing}/weight`, 'value_error.missing', 'field required')]
  const sum = result.reduce((total, { weight = 0 }) => total + weight, 0)
  if (sum === WHOLE) return []
  return [
    inBody(
      '/outcome/result',
      'value_error.conflict',
      `the weights must add up to 100: they add up to ${sum}`,
    ),
  ]
}
