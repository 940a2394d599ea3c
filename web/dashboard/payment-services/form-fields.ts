import type { Schemas } from '../../api/schema.d.ts'
import { countryName } from '../parts/countries.ts'
import type { Field, Typed, Values } from '../parts/fields.tsx'
import { entriesIn, initialOf, questionsOf } from '../service-accounts/entries.ts'
import { type Definition, type Service, SWITCHES } from './words.ts'

type Create = Schemas['CreatePaymentService']

const CURRENCIES = new Intl.DisplayNames('en', { type: 'currency' })

/** The questions about a service, as its definition has them. */
export function fieldsOf(definition: Definition, service?: Service) {
  return (typed: Typed): readonly Field[] => [
    {
      name: 'display_name',
      label: 'Name',
      kind: 'text',
      isRequired: true,
      hint: 'Shown in lists and on payments.',
    },
    ...questionsOf(definition.fields, {
      heading: `Account at ${definition.display_name}`,
      secrets: service?.secret_fields,
    }),
    ...acceptanceOf(definition),
    ...switchesOf(definition),
    ...questionsOf(definition.reporting_fields, {
      place: 'reporting_fields',
      heading: 'Settlement files',
      secrets: service?.secret_reporting_fields,
      isNeeded: typed['settlement_reporting_enabled'] === true,
    }),
    ...(service ? [] : [ACTIVE]),
  ]
}

const ACTIVE: Field = {
  name: 'active',
  label: 'Activate now',
  kind: 'flag',
  hint: 'Otherwise you can activate it later.',
}

function acceptanceOf({ supported_currencies, supported_countries }: Definition): readonly Field[] {
  const countries = supported_countries.map((value) => ({ value, label: countryName(value) }))
  return [
    {
      name: 'accepted_currencies',
      label: 'Currencies',
      kind: 'choices',
      isRequired: true,
      heading: 'Accepted payments',
      options: supported_currencies.map((value) => ({ value, label: `${value} ${CURRENCIES.of(value)}` })),
    },
    {
      name: 'accepted_countries',
      label: 'Buyer countries',
      kind: 'choices',
      isRequired: true,
      options: countries.toSorted((one, other) => one.label.localeCompare(other.label, 'en')),
    },
  ]
}

function switchesOf({ supported_features }: Definition): readonly Field[] {
  const offered = SWITCHES.filter(({ toggle }) => supported_features[toggle])
  return offered.map(({ name, label, hint }, index) => ({
    name,
    label,
    hint,
    kind: 'flag',
    ...(index === 0 && { heading: 'Settings' }),
  }))
}

/** What stands in the form of a new service: all that the provider takes, and its own settings. */
export function newValues(definition: Definition): Values {
  const { display_name, supported_currencies, supported_countries, supported_features } = definition
  return {
    display_name,
    accepted_currencies: supported_currencies,
    accepted_countries: supported_countries,
    active: true,
    ...Object.fromEntries(
      SWITCHES.map(({ name, byItself }) => [name, byItself !== null && supported_features[byItself]]),
    ),
  }
}

export function valuesOf(definition: Definition, service: Service): Values {
  return {
    ...service,
    ...initialOf(definition.fields, service.fields ?? []),
    ...initialOf(definition.reporting_fields, service.reporting_fields ?? [], 'reporting_fields'),
  }
}

export function createBody(definition: Definition, body: Values): Create {
  const { forgotten: _none, ...settings } = body
  const reporting = entriesIn(definition.reporting_fields, body, [], 'reporting_fields')
  return {
    ...settings,
    payment_service_definition_id: definition.id,
    fields: entriesIn(definition.fields, body),
    reporting_fields: reporting,
  } as unknown as Create
}

/** Only what differs from what the person has seen. So what a colleague has changed since stays. */
export function updateBody(
  definition: Definition,
  service: Service,
  body: Values,
): Schemas['UpdatePaymentService'] {
  const { forgotten: _secrets, fields: _fields, reporting_fields: _reporting, ...settings } = body
  const kept = service as unknown as Values
  const changed = Object.entries(settings).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(kept[name]),
  )
  return {
    ...Object.fromEntries(changed),
    fields: entriesIn(definition.fields, body, service.fields ?? []),
    reporting_fields: entriesIn(
      definition.reporting_fields,
      body,
      service.reporting_fields ?? [],
      'reporting_fields',
    ),
  }
}
