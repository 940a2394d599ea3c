import { useRef, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { ApiError, send, useRead } from '../api/client.ts'
import { Form, type Progress, useAct } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { countryName } from '../parts/countries.ts'
import { type Field, field, nested, type Typed, type Values } from '../parts/fields.tsx'
import { Columns, FactCard, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { actionText, timeLimitText, WAYS, worksText } from '../payment-service-definitions/words.ts'
import { type Entry, entriesIn, initialOf, namingKeys, questionsOf } from '../service-accounts/entries.tsx'
import { notify } from '../shell/notices.tsx'
import { methodName } from '../transactions/words.ts'
import { type Definition, PATH, type Service, SWITCHES } from './words.ts'
import '../service-accounts/service-accounts.css'

export function NewService() {
  const { params } = useAddress()
  const path = { payment_service_definition_id: params['definition'] ?? '' }
  const definition = useRead('GET /payment-service-definitions/{payment_service_definition_id}', { path })
  return <Loaded of={definition}>{(it) => <NewOf key={it.id} definition={it} />}</Loaded>
}

function NewOf({ definition }: { readonly definition: Definition }) {
  const { go } = useAddress()
  return (
    <Page title={`New service: ${definition.display_name}`} back={WAYS}>
      <Columns
        main={
          <Section title="The service">
            <Form
              fields={fieldsOf(definition)}
              initial={newValues(definition)}
              verb="Create service"
              send={(values, idempotencyKey) => {
                const body = createBody(definition, values)
                return namingKeys(sentIn(body), () =>
                  send('POST /payment-services', { body, idempotencyKey }),
                )
              }}
              onDone={({ id, display_name }) => {
                notify({ title: `${display_name} is connected` })
                go(`${PATH}/${id}`)
              }}
              onCancel={() => go(PATH)}
            >
              {(values, mark) => (
                <Verify
                  definition={definition}
                  entries={entriesIn(definition.fields, nested(values))}
                  onRefusal={mark}
                />
              )}
            </Form>
          </Section>
        }
        side={<About definition={definition} />}
      />
    </Page>
  )
}

function sentIn({ fields, reporting_fields }: ReturnType<typeof createBody>) {
  return { fields, reporting_fields: reporting_fields ?? [] }
}

function About({ definition }: { readonly definition: Definition }) {
  const { id, method, supported_currencies, supported_countries, terms } = definition
  return (
    <FactCard
      title={definition.display_name}
      facts={[
        ['Method', methodName(method)],
        ['The buyer', actionText(definition)],
        ['What works', worksText(definition)],
        ['Time for the buyer', timeLimitText(definition)],
        ['Paid out after', terms.payout_days === null ? null : `${terms.payout_days} business days`],
        ['Needs of the payment', terms.required_details.join('; ') || null],
        ['Currencies', `${supported_currencies.length}`],
        ['Countries', `${supported_countries.length}`],
        [
          'Definition',
          <span key="id" className="mono">
            {id}
          </span>,
        ],
      ]}
    />
  )
}

export function EditService() {
  const { params } = useAddress()
  const path = { payment_service_id: params['id'] ?? '' }
  const service = useRead('GET /payment-services/{payment_service_id}', { path })
  return <Loaded of={service}>{(it) => <WithDefinition key={it.id} service={it} />}</Loaded>
}

function WithDefinition({ service }: { readonly service: Service }) {
  const path = { payment_service_definition_id: service.payment_service_definition_id }
  const definition = useRead('GET /payment-service-definitions/{payment_service_definition_id}', { path })
  return <Loaded of={definition}>{(it) => <EditOf service={service} definition={it} />}</Loaded>
}

type Props = { readonly service: Service; readonly definition: Definition }

function EditOf({ service, definition }: Props) {
  const { go } = useAddress()
  // What the person has seen, however often the page reads it again.
  const [seen] = useState(service)
  const back = `${PATH}/${seen.id}`
  return (
    <Page title={`Edit ${seen.display_name}`} back={{ to: back, label: seen.display_name }}>
      <Columns
        main={
          <Section title="The service">
            <Form
              fields={fieldsOf(definition, seen)}
              initial={valuesOf(definition, seen)}
              verb="Save"
              send={(values) => {
                const body = updateBody(definition, seen, values)
                const sent = { fields: body.fields ?? [], reporting_fields: body.reporting_fields ?? [] }
                return namingKeys(sent, () =>
                  send('PUT /payment-services/{payment_service_id}', {
                    path: { payment_service_id: seen.id },
                    body,
                  }),
                )
              }}
              onDone={({ display_name }) => {
                notify({ title: `${display_name} was changed` })
                go(back)
              }}
              onCancel={() => go(back)}
            >
              {(values, mark) => (
                <Verify
                  definition={definition}
                  serviceId={seen.id}
                  entries={entriesIn(definition.fields, nested(values), seen.fields ?? [])}
                  onRefusal={mark}
                />
              )}
            </Form>
          </Section>
        }
        side={<About definition={definition} />}
      />
    </Page>
  )
}

type VerifyProps = {
  readonly definition: Definition
  /** A service that is there: what it keeps fills the gaps. */
  readonly serviceId?: string
  /** What was typed. It stays in the memory of the page. */
  readonly entries: readonly Entry[]
  /** Called with the inputs that the provider refused. */
  readonly onRefusal?: (faults: Readonly<Record<string, string>>) => void
}

/** Asks the provider whether it accepts the credentials. Nothing is stored. */
export function Verify({ definition, serviceId, entries, onRefusal }: VerifyProps) {
  const { progress, send: act } = useAct<unknown>()
  const asked = useRef<readonly Entry[]>([])
  if (!definition.supported_features['verify_credentials']) return null
  const verify = () => {
    asked.current = entries
    // No key: whatever is asked, nothing changes. With one, other credentials would count as another request.
    return act(async () => {
      try {
        return await send('POST /payment-services/verify', {
          body: {
            payment_service_definition_id: definition.id,
            ...(serviceId && { payment_service_id: serviceId }),
            fields: [...entries].filter(({ value }) => value !== ''),
          },
        })
      } catch (error) {
        onRefusal?.(faultsOf(definition, refusalIn(error) ?? ''))
        throw error
      }
    })
  }
  const isAboutThese = isSame(asked.current, entries)
  return (
    <div className="checked">
      <Button disabled={progress.at === 'sending'} onClick={() => void verify()}>
        {progress.at === 'sending' ? 'Checking…' : 'Check credentials'}
      </Button>
      {isAboutThese && <Result definition={definition} progress={progress} />}
    </div>
  )
}

type ResultProps = { readonly definition: Definition; readonly progress: Progress<unknown> }

function Result({ definition, progress }: ResultProps) {
  const name = definition.display_name
  if (progress.at === 'answered')
    return (
      <Notice tone="good" title={`${name} accepts these credentials`} isNews>
        Nothing was saved or charged.
      </Notice>
    )
  if (progress.at === 'open')
    return (
      <Notice tone="wait" title={`${name} could not be reached`} isNews>
        No answer, so the credentials are neither accepted nor refused. Try again in a moment.
      </Notice>
    )
  if (progress.at !== 'refused' || !(progress.error instanceof ApiError)) return null
  const { details, message, status } = progress.error
  const refusal = refusalIn(progress.error)
  if (refusal)
    return (
      <Notice tone="bad" title={`${name} refused these credentials`} isNews>
        {inWords(definition, refusal)}.
      </Notice>
    )
  return (
    <Notice tone={status === 403 ? 'bad' : 'info'} title="The credentials cannot be checked yet" isNews>
      {details.map((detail) => detail.message).join('. ') || message}
    </Notice>
  )
}

/** How the API marks what the provider itself has refused. */
const CONFLICT = 'value_error.conflict'

/** The sentence of the provider, without ours before it. Undefined: it did not refuse. */
function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const refusal = error.details.find(({ pointer, type }) => pointer === '/fields' && type === CONFLICT)
  return refusal?.message.replace(/^the provider rejects these credentials: /, '')
}

/** With the labels of the form instead of the keys of the API. */
function inWords({ fields }: Definition, message: string): string {
  return fields.reduce((text, { key, display_name }) => text.replaceAll(keyIn(key), display_name), message)
}

/** The fields that the refusal names, each with a sentence. */
function faultsOf({ display_name, fields }: Definition, message: string): Record<string, string> {
  const named = fields.filter(({ key }) => message.match(keyIn(key)))
  return Object.fromEntries(
    named.map((field) => [`fields.${field.key}`, `${display_name} refused this ${field.display_name}.`]),
  )
}

function keyIn(key: string): RegExp {
  return new RegExp(`\\b${key}\\b`, 'g')
}

function isSame(one: readonly Entry[], other: readonly Entry[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

type Create = Schemas['CreatePaymentService']

const CURRENCIES = new Intl.DisplayNames('en', { type: 'currency' })

/** The questions about a service, as its definition has them. */
function fieldsOf(definition: Definition, service?: Service) {
  return (typed: Typed): readonly Field[] => [
    field('text', 'display_name', 'Name', { isRequired: true, hint: 'Shown in lists and on payments.' }),
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

const ACTIVE: Field = field('flag', 'active', 'Activate now', {
  hint: 'Otherwise you can activate it later.',
})

function acceptanceOf({ supported_currencies, supported_countries }: Definition): readonly Field[] {
  const countries = supported_countries.map((value) => ({ value, label: countryName(value) }))
  return [
    field('choices', 'accepted_currencies', 'Currencies', {
      isRequired: true,
      heading: 'Accepted payments',
      options: supported_currencies.map((value) => ({ value, label: `${value} ${CURRENCIES.of(value)}` })),
    }),
    field('choices', 'accepted_countries', 'Buyer countries', {
      isRequired: true,
      options: countries.toSorted((one, other) => one.label.localeCompare(other.label, 'en')),
    }),
  ]
}

function switchesOf({ supported_features }: Definition): readonly Field[] {
  const offered = SWITCHES.filter(({ toggle }) => supported_features[toggle])
  return offered.map(({ name, label, hint }, index) =>
    field('flag', name, label, { hint, ...(index === 0 && { heading: 'Settings' }) }),
  )
}

/** What stands in the form of a new service: all that the provider takes, and its own settings. */
function newValues(definition: Definition): Values {
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

function valuesOf(definition: Definition, service: Service): Values {
  return {
    ...service,
    ...initialOf(definition.fields, service.fields ?? []),
    ...initialOf(definition.reporting_fields, service.reporting_fields ?? [], 'reporting_fields'),
  }
}

function createBody(definition: Definition, body: Values): Create {
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
function updateBody(definition: Definition, service: Service, body: Values): Schemas['UpdatePaymentService'] {
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
