import { useEffect } from 'react'
import { COUNTRIES } from '../../../server/src/domain/country.ts'
import { CURRENCIES } from '../../../server/src/domain/currency.ts'
import { rememberSearch, type Search, useAddress, valuesOf } from '../address.ts'
import { useReadAll } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Button, Link } from '../parts/controls.tsx'
import { countryName, countryOptions } from '../parts/countries.ts'
import { cleared, FilterBar } from '../parts/list/filter-bar.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { type Column, column, downloadCsv, Table } from '../parts/list/table.tsx'
import { Empty, Loaded, Page } from '../parts/page.tsx'
import { codesText, PATH, type Service } from '../payment-services/words.ts'
import { methodName } from '../transactions/words.ts'
import { actionText, type Definition, providerNames, providerOf, WAYS, WORKS, worksText } from './words.ts'
import './payment-service-definitions.css'

export const pages = { '/': WaysToPay }

/** Every way to pay that this installation offers, and which of them the merchant account has. */
function WaysToPay() {
  const { search } = useAddress()
  const may = useMay()
  const definitions = useReadAll('GET /payment-service-definitions')
  const services = useReadAll('GET /payment-services', { isWanted: may('payment-services.read') })
  useEffect(() => rememberSearch(WAYS.to, search), [search])
  return (
    <Page
      title={WAYS.label}
      under="Which method, in which country, through which provider, and what works with it. Choose one to connect your account at the provider."
    >
      <Loaded of={definitions}>
        {(all) => (
          <Ways definitions={all} services={services.data ?? []} canConnect={may('payment-services.write')} />
        )}
      </Loaded>
    </Page>
  )
}

type Props = {
  readonly definitions: readonly Definition[]
  readonly services: readonly Service[]
  readonly canConnect: boolean
}

function Ways({ definitions, services, canConnect }: Props) {
  const { search, change } = useAddress()
  const filters = filtersFor(definitions)
  const shown = definitions
    .filter((one) => fits(one, search, services))
    .toSorted(
      (one, other) =>
        methodName(one.method).localeCompare(methodName(other.method), 'en') || (one.id < other.id ? -1 : 1),
    )
  const columns = columnsFor(services, canConnect)
  return (
    <>
      <div className="list-bar">
        <FilterBar filters={filters} />
        <div className="list-tools">
          <span className="hint way-count" role="status">
            {shown.length} of {definitions.length}
          </span>
          <Button
            tone="quiet"
            icon="download"
            disabled={shown.length === 0}
            onClick={() => downloadCsv('ways-to-pay', columns, shown)}
          >
            CSV
          </Button>
        </div>
      </div>
      <div className="card flush table-card">
        {shown.length === 0 ? (
          <Empty
            title="No way to pay fits these filters"
            action={<Button onClick={() => change(cleared(filters))}>Clear filters</Button>}
          >
            Take one away, or choose another country or currency.
          </Empty>
        ) : (
          <Table
            label="Ways to pay: rows"
            columns={columns}
            rows={shown}
            to={({ id }) => (canConnect ? `${PATH}/new/${id}` : null)}
          />
        )}
      </div>
    </>
  )
}

function filtersFor(definitions: readonly Definition[]): readonly Filter[] {
  const providers = [...providerNames(definitions)].map(([value, label]) => ({ value, label }))
  const usual = { isUsual: true, isSingle: true } as const
  return [
    filterBy('search', 'search', 'Search', { hint: 'Method or provider' }),
    filterBy('choice', 'country', 'Country', { ...usual, options: countryOptions() }),
    filterBy('choice', 'currency', 'Currency', { ...usual, options: CURRENCY_OPTIONS }),
    filterBy('choice', 'provider', 'Provider', { ...usual, options: providers.toSorted(byLabel) }),
    filterBy('choice', 'works', 'What works', { isUsual: true, options: WORKS }),
    filterBy('flag', 'connected', 'Connected', { isUsual: true }),
  ]
}

const CURRENCY_OPTIONS = CURRENCIES.map((value) => ({ value, label: value }))

function byLabel(one: { readonly label: string }, other: { readonly label: string }): number {
  return one.label.localeCompare(other.label, 'en')
}

function fits(one: Definition, search: Search, services: readonly Service[]): boolean {
  const [country, currency, provider, connected, sought = ''] = [
    'country',
    'currency',
    'provider',
    'connected',
    'search',
  ].map((id) => valuesOf(search, id)[0])
  const text = `${one.display_name} ${methodName(one.method)} ${one.id} ${worksText(one)}`.toLowerCase()
  const works = valuesOf(search, 'works')
  return (
    text.includes(sought.toLowerCase()) &&
    (country === undefined || one.supported_countries.includes(country)) &&
    (currency === undefined || one.supported_currencies.includes(currency)) &&
    (provider === undefined || providerOf(one) === provider) &&
    WORKS.every(({ value, has }) => !works.includes(value) || has(one)) &&
    (connected === undefined || servicesOf(one, services).length > 0 === (connected === 'true'))
  )
}

function servicesOf({ id }: Definition, services: readonly Service[]): readonly Service[] {
  return services.filter((one) => one.payment_service_definition_id === id)
}

/** So many are counted. */
const MANY = 100

function codesOf(codes: readonly string[], all: readonly string[]): string {
  return codes.length > MANY && codes.length < all.length ? String(codes.length) : codesText(codes, all)
}

function columnsFor(services: readonly Service[], canConnect: boolean): readonly Column<Definition>[] {
  return [
    column('name', 'Method', {
      text: 'display_name',
      cell: (one) => (
        <span className="offered-way">
          <span>{methodName(one.method)}</span>
          <small>{one.display_name}</small>
        </span>
      ),
    }),
    column('action', 'The buyer', { from: 'desktop', text: actionText }),
    column('countries', 'Countries', {
      from: 'tablet',
      text: ({ supported_countries: codes }) => codes.join(' '),
      cell: ({ supported_countries: codes }) =>
        codes.length === 1 ? countryName(codes[0] ?? '') : codesOf(codes, COUNTRIES),
    }),
    column('currencies', 'Currencies', {
      from: 'tablet',
      text: ({ supported_currencies: codes }) => codes.join(' '),
      cell: ({ supported_currencies: codes }) => codesOf(codes, CURRENCIES),
    }),
    column('works', 'What works', {
      from: 'desktop',
      text: worksText,
      cell: (one) => <span className="way-works">{worksText(one)}</span>,
    }),
    column('connected', 'In this account', {
      text: (one) =>
        servicesOf(one, services)
          .map(({ display_name }) => display_name)
          .join(', '),
      cell: (one) => <Connected id={one.id} services={servicesOf(one, services)} canConnect={canConnect} />,
    }),
  ]
}

type ConnectedProps = Pick<Props, 'services' | 'canConnect'> & { readonly id: string }

/** The services of the account, or the way to the first. */
function Connected({ id: definition, services, canConnect }: ConnectedProps) {
  if (services.length === 0)
    return canConnect ? (
      <Link to={`${PATH}/new/${definition}`} className="way-new">
        Connect
      </Link>
    ) : (
      <span className="quiet-text">Not connected</span>
    )
  return (
    <span className="way-services">
      {services.map(({ id, display_name, active }) => (
        <Link key={id} to={`${PATH}/${id}`}>
          {active ? display_name : `${display_name} (inactive)`}
        </Link>
      ))}
    </span>
  )
}
