import { useState } from 'react'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Button, LinkButton } from '../parts/controls.tsx'
import { countryName } from '../parts/countries.ts'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { type Fact, Facts, Id, Json, Status, When } from '../parts/values.tsx'
import { Credentials } from '../service-accounts/credentials.tsx'
import { PaymentsOf } from '../transactions/payments-of.tsx'
import { methodName } from '../transactions/words.ts'
import { DeleteService, SwitchService } from './acts.tsx'
import { Notifications } from './notifications.tsx'
import { Profiles } from './profiles.tsx'
import { Verify } from './verify.tsx'
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
  const { tone, label } = markOf(service)
  return (
    <Page
      title={service.display_name}
      back={LIST}
      under={
        <>
          <Status tone={tone}>{label}</Status>
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
      <Section title="Settings">
        <Facts facts={switchFacts(service, definition)} />
      </Section>
      <Section title="Details">
        <Facts
          facts={[
            ['Id', <Id key="id" value={service.id} isShort />],
            ['Position', String(service.position)],
            ['Created', <When key="created" at={service.created_at} />],
            ['Updated', <When key="changed" at={service.updated_at} />],
          ]}
        />
      </Section>
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
      <Section title="JSON">
        <Json value={service} openDepth={0} />
      </Section>
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
