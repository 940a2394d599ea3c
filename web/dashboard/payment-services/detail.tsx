import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { pointingElsewhere, send, useRead, useReadAll } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { THREE_DS } from '../merchant-accounts/fields.ts'
import { Ask, Deletion, ProgressNotice, useAct } from '../parts/ask.tsx'
import { Button, LinkButton } from '../parts/controls.tsx'
import { countryName } from '../parts/countries.ts'
import type { Field } from '../parts/fields.tsx'
import type { RowOf } from '../parts/list/list.tsx'
import { type Column, column, Table } from '../parts/list/table.tsx'
import { Columns, FactCard, JsonCard, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { type Fact, Id, Marked, type Marks, When } from '../parts/values.tsx'
import { Credentials, WebhookAddress } from '../service-accounts/entries.tsx'
import { PaymentsOf } from '../transactions/payments-of.tsx'
import { methodName, plain, schemeName } from '../transactions/words.ts'
import { Verify } from './form.tsx'
import { ALL, codesText, type Definition, FEW, LIST, markOf, PATH, type Service, SWITCHES } from './words.ts'
import './payment-services.css'

export function ServiceDetail() {
  const { params } = useAddress()
  const path = { payment_service_id: params['id'] ?? '' }
  const service = useRead('GET /payment-services/{payment_service_id}', { path })
  return <Loaded of={service}>{(it) => <Detail key={it.id} service={it} />}</Loaded>
}

function Detail({ service }: { readonly service: Service }) {
  const may = useMay()
  const canChange = may('payment-services.write')
  const definition = useRead('GET /payment-service-definitions/{payment_service_definition_id}', {
    path: { payment_service_definition_id: service.payment_service_definition_id },
    isWanted: may('payment-service-definitions.read'),
  }).data
  return (
    <Page
      title={service.display_name}
      back={LIST}
      under={
        <>
          <Marked of={markOf(service)} />
          <span>{methodName(service.method)}</span>
          <span>{definition?.display_name ?? service.payment_service_definition_id}</span>
        </>
      }
      actions={canChange && <Actions service={service} canEdit={definition !== undefined} />}
    >
      <Columns
        main={
          <>
            {definition && (
              <Credentials
                title={`Account at ${definition.display_name}`}
                known={knownOf(service, definition)}
                kept={[...(service.fields ?? []), ...(service.reporting_fields ?? [])]}
                secrets={[...service.secret_fields, ...service.secret_reporting_fields]}
              >
                {canChange && <Verify definition={definition} serviceId={service.id} entries={NONE} />}
              </Credentials>
            )}
            <Notifications service={service} definition={definition} canChange={canChange} />
            {definition && hasProfiles(definition) && <Profiles service={service} canChange={canChange} />}
            <PaymentsOf
              filter={{ payment_service_id: service.id }}
              empty="No payments through this service yet."
            />
          </>
        }
        side={<Side service={service} definition={definition} />}
      />
    </Page>
  )
}

/** Without settlement files, nothing has to be kept for them. */
function knownOf({ settlement_reporting_enabled: isOn }: Service, definition: Definition) {
  const reporting = definition.reporting_fields.map((one) => ({ ...one, required: one.required && isOn }))
  return [...definition.fields, ...reporting]
}

/** What the service keeps is checked as it is. */
const NONE: readonly never[] = []

function hasProfiles({ supported_features }: Definition): boolean {
  return Boolean(
    supported_features['three_d_secure_hosted'] || supported_features['three_d_secure_pass_through'],
  )
}

function Actions({ service, canEdit }: { readonly service: Service; readonly canEdit: boolean }) {
  const [act, setAct] = useState<'switch' | 'delete'>()
  const close = () => setAct(undefined)
  return (
    <>
      <Button onClick={() => setAct('delete')}>Delete</Button>
      <Button onClick={() => setAct('switch')}>{service.active ? 'Deactivate' : 'Activate'}</Button>
      {canEdit && (
        <LinkButton tone="main" to={`${PATH}/${service.id}/edit`}>
          Edit
        </LinkButton>
      )}
      {act === 'switch' && <SwitchService service={service} onClose={close} />}
      {act === 'delete' && <DeleteService service={service} onClose={close} />}
    </>
  )
}

type SideProps = { readonly service: Service; readonly definition: Definition | undefined }

function Side({ service, definition }: SideProps) {
  const { accepted_currencies: currencies, accepted_countries: countries } = service
  return (
    <>
      <FactCard title="Settings" facts={switchFacts(service, definition)} />
      <FactCard
        title="Details"
        facts={[
          ['Id', <Id key="id" value={service.id} isShort />],
          ['Position', String(service.position)],
          ['Created', <When key="created" at={service.created_at} />],
          ['Updated', <When key="changed" at={service.updated_at} />],
        ]}
      />
      <Section title="Accepted payments">
        <Codes
          codes={currencies}
          summary={codesText(currencies, definition?.supported_currencies)}
          what="currencies"
        />
        <Codes
          codes={countries.map(countryName)}
          summary={codesText(countries.map(countryName), definition?.supported_countries)}
          what="countries"
        />
      </Section>
      <JsonCard of={service} />
    </>
  )
}

type CodesProps = { readonly codes: readonly string[]; readonly summary: string; readonly what: string }

/** A few at a glance, all of them on demand. */
function Codes({ codes, summary, what }: CodesProps) {
  const isAll = summary === ALL
  if (!isAll && codes.length <= FEW) return <p className="accepted-codes">{codes.join(', ')}</p>
  return (
    <details className="accepted-codes">
      <summary>{isAll ? `All ${codes.length} ${what}` : summary}</summary>
      <p>{codes.toSorted().join(', ')}</p>
    </details>
  )
}

/** What the provider does not support is left out, unless it is on. */
function switchFacts(service: Service, definition: Definition | undefined): readonly Fact[] {
  const shown = SWITCHES.filter(
    ({ name, toggle }) => service[name] || definition?.supported_features[toggle] !== false,
  )
  return shown.map(({ name, label }) => [label, service[name] ? 'On' : 'Off'])
}

type Props = { readonly service: Service; readonly onClose: () => void }

function SwitchService({ service, onClose }: Props) {
  const { id, display_name: name, active } = service
  const isLast = useIsLast(service)
  const method = methodName(service.method)
  return (
    <Ask
      title={`${active ? 'Deactivate' : 'Activate'} ${name}`}
      verb={active ? 'Deactivate' : 'Activate'}
      says={
        active ? (
          <>
            <p>New payments no longer use it. Earlier payments can still be captured, voided and refunded.</p>
            {isLast && <LastOne method={method} />}
          </>
        ) : (
          'New payments use it from now on, in its position.'
        )
      }
      send={() =>
        send('PUT /payment-services/{payment_service_id}', {
          path: { payment_service_id: id },
          body: { active: !active },
        })
      }
      outcome={(after) => `${name} is ${after.active ? 'active' : 'inactive'}`}
      onClose={onClose}
    />
  )
}

/** Says what depends on the service before it goes. */
function DeleteService({ service, onClose }: Props) {
  const { id, display_name: name } = service
  const isLast = useIsLast(service)
  return (
    <Deletion
      id={id}
      name={name}
      says={
        <>
          <p>
            Payments that went through <strong>{name}</strong> can no longer be captured or refunded. To stop
            new payments only, deactivate it instead.
          </p>
          <OpenPayments id={id} />
          {isLast && <LastOne method={methodName(service.method)} />}
        </>
      }
      send={() => send('DELETE /payment-services/{payment_service_id}', { path: { payment_service_id: id } })}
      list={PATH}
      onClose={onClose}
    />
  )
}

function LastOne({ method }: { readonly method: string }) {
  return (
    <p>
      <strong>It is the only active service for the method {method}.</strong> These payments fail without it.
    </p>
  )
}

const SOME = 50

/** Held money that only this service can take. */
function OpenPayments({ id }: { readonly id: string }) {
  const may = useMay()
  const { data } = useRead('GET /transactions', {
    query: { payment_service_id: [id], status: ['authorization_succeeded'], limit: SOME },
    isWanted: may('transactions.read'),
  })
  if (!data || data.items.length === 0) return null
  const count = data.next_cursor ? `More than ${SOME}` : String(data.items.length)
  return (
    <p>
      <strong>
        {count} {count === '1' ? 'payment is' : 'payments are'} authorized and not captured.
      </strong>{' '}
      Capture or void {count === '1' ? 'it' : 'them'} first: afterwards they can only be voided.
    </p>
  )
}

function useIsLast({ id, method, active }: Service): boolean {
  const { data } = useReadAll('GET /payment-services')
  if (!active || !data) return false
  return !data.some((one) => one.id !== id && one.method === method && one.active)
}

type Row = RowOf<'GET /payment-services/{payment_service_id}/notifications'>

type NotificationsProps = {
  readonly service: Service
  readonly definition: Definition | undefined
  readonly canChange: boolean
}

/** Where the provider tells what happened, and what it told about payments that were not known. */
function Notifications({ service, definition, canChange }: NotificationsProps) {
  const isNeeded = definition?.supported_features['requires_webhook_setup'] === true
  return (
    <>
      {service.webhook_url && (
        <WebhookAddress
          url={service.webhook_url}
          hint={
            isNeeded
              ? 'The provider must send its webhooks to this URL. Register it automatically, or enter it in the provider’s settings.'
              : 'The provider sends its webhooks to this URL.'
          }
        >
          {isNeeded && canChange && <Register id={service.id} />}
        </WebhookAddress>
      )}
      <Unmatched id={service.id} />
    </>
  )
}

function Register({ id }: { readonly id: string }) {
  const { progress, send: act } = useAct<unknown>()
  const register = () =>
    act(() =>
      send('POST /payment-services/{payment_service_id}/notifications', { path: { payment_service_id: id } }),
    )
  return (
    <>
      <Button disabled={progress.at === 'sending'} onClick={() => void register()}>
        {progress.at === 'sending' ? 'Registering…' : 'Register at the provider'}
      </Button>
      {progress.at === 'answered' ? (
        <Notice tone="good" title="The provider sends its notifications here" isNews />
      ) : (
        <ProgressNotice progress={progress} />
      )}
    </>
  )
}

const STATUSES: Marks<Row['status']> = {
  held: { tone: 'wait', label: 'Held' },
  matched: { tone: 'good', label: 'Matched' },
  expired: { tone: 'mute', label: 'Expired' },
}

/** Nothing if all that came was known. */
function Unmatched({ id }: { readonly id: string }) {
  const { data } = useRead('GET /payment-services/{payment_service_id}/notifications', {
    path: { payment_service_id: id },
    query: { limit: 10 },
  })
  if (!data || data.items.length === 0) return null
  return (
    <Section title="Webhooks for unknown payments" isFlush>
      <Table label="Webhooks for unknown payments: rows" rows={data.items} columns={COLUMNS} />
    </Section>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  column('kind', 'About', { cell: ({ kind }) => plain(kind) }),
  column('status', 'Status', { status: ({ status }) => STATUSES[status] }),
  column('reference', 'Reference', { from: 'tablet', look: 'clip mono', text: 'reference' }),
  column('received_at', 'Received', { isTime: true, text: 'received_at' }),
]

type Profile = Schemas['MerchantProfileScheme']
type Act = { readonly kind: 'new' } | { readonly kind: 'edit' | 'remove'; readonly scheme: string }
type ProfilesProps = { readonly service: Service; readonly canChange: boolean }

/** How the merchant is known to the schemes at this service. One of them is enough to have buyers authenticated. */
function Profiles({ service, canChange }: ProfilesProps) {
  const [act, setAct] = useState<Act>()
  const profiles = Object.entries((service.merchant_profile ?? {}) as Readonly<Record<string, Profile>>)
  return (
    <Section
      title="Merchant details by scheme"
      actions={
        canChange && (
          <Button icon="plus" onClick={() => setAct({ kind: 'new' })}>
            Add a scheme
          </Button>
        )
      }
    >
      {profiles.length === 0 ? (
        <p className="quiet-text">
          None. Adding a scheme also turns on 3-D Secure for payments through this service.
        </p>
      ) : (
        <ul className="entries">
          {profiles.map(([scheme, profile]) => (
            <li key={scheme}>
              <div>
                <p>{schemeName(scheme)}</p>
                <small>
                  {profile.merchant_name} · {profile.merchant_acquirer_id} at the acquirer
                </small>
              </div>
              {canChange && (
                <div className="actions">
                  <Button onClick={() => setAct({ kind: 'edit', scheme })}>Edit</Button>
                  <Button onClick={() => setAct({ kind: 'remove', scheme })}>Remove</Button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {act && (
        <Save
          service={service}
          act={act}
          known={Object.fromEntries(profiles)}
          onClose={() => setAct(undefined)}
        />
      )}
    </Section>
  )
}

type SaveProps = {
  readonly service: Service
  readonly act: Act
  readonly known: Readonly<Record<string, Profile>>
  readonly onClose: () => void
}

const OF_SCHEME: readonly Field[] = THREE_DS.filter(({ name }) => !['scheme', 'currency'].includes(name))
const SCHEME: readonly Field[] = THREE_DS.filter(({ name }) => name === 'scheme')

function Save({ service, act, known, onClose }: SaveProps) {
  const scheme = act.kind === 'new' ? undefined : act.scheme
  const name = scheme && schemeName(scheme)
  const save = (of: string, profile: object | null) =>
    pointingElsewhere(
      () =>
        send('PUT /payment-services/{payment_service_id}', {
          path: { payment_service_id: service.id },
          body: { merchant_profile: { [of]: profile } },
        }),
      (pointer) => pointer.replace(`/merchant_profile/${of}`, ''),
    )
  const common = {
    outcome: () => ({ kind: 'done', title: `${service.display_name} was changed` }) as const,
    onClose,
  }
  if (scheme && act.kind === 'remove')
    return (
      <Ask
        {...common}
        title={`Remove ${name} from ${service.display_name}`}
        verb="Remove"
        isDangerous
        says={`${service.display_name} no longer sends merchant details for ${name}.`}
        send={() => save(scheme, null)}
      />
    )
  return (
    <Ask
      {...common}
      title={name ? `Edit ${name} at ${service.display_name}` : `Add a scheme to ${service.display_name}`}
      verb="Save"
      says="You get these from your acquirer. With wrong values, banks refuse to authenticate buyers."
      fields={scheme ? OF_SCHEME : [...SCHEME, ...OF_SCHEME]}
      initial={(scheme && known[scheme]) || {}}
      send={({ scheme: chosen, ...profile }) => save(scheme ?? String(chosen), profile)}
    />
  )
}
