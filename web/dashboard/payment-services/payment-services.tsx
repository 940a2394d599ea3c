import { send, useReadAll } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { ProgressNotice, useAct } from '../parts/ask.tsx'
import { LinkButton, MoveButtons } from '../parts/controls.tsx'
import { type Column, column, Table } from '../parts/list/table.tsx'
import { EmptyCard, Loaded, Page, Section } from '../parts/page.tsx'
import { useMoved } from '../parts/use-moved.ts'
import { WAYS } from '../payment-service-definitions/words.ts'
import { notify } from '../shell/notices.tsx'
import { methodName } from '../transactions/words.ts'
import { ServiceDetail } from './detail.tsx'
import { EditService, NewService } from './form.tsx'
import { positionsAfter } from './order.ts'
import { codesText, type Definition, inOrder, markOf, PATH, type Service } from './words.ts'
import './payment-services.css'

export const pages = {
  '/': ServiceList,
  '/new/$definition': NewService,
  '/$id': ServiceDetail,
  '/$id/edit': EditService,
}

function ServiceList() {
  const may = useMay()
  const services = useReadAll('GET /payment-services')
  const canChange = may('payment-services.write')
  const add = canChange && may('payment-service-definitions.read') && (
    <LinkButton tone="main" icon="plus" to={WAYS.to}>
      New service
    </LinkButton>
  )
  return (
    <Page
      title="Payment services"
      under="Your accounts at providers, in the order in which payments try them."
      actions={add}
    >
      <div className="stack">
        <Loaded of={services}>
          {(items) =>
            items.length === 0 ? (
              <EmptyCard title="No payment services yet" action={add}>
                Connect your account at a provider to start taking payments.
              </EmptyCard>
            ) : (
              <Ordered services={inOrder(items)} canChange={canChange} />
            )
          }
        </Loaded>
        <Deleted />
      </div>
    </Page>
  )
}

type Props = { readonly services: readonly Service[]; readonly canChange: boolean }

function Ordered({ services, canChange }: Props) {
  const columns = useColumns(services)
  const { progress, move } = useMove(services)
  const order: Column<Service> = column('order', 'Order', {
    isNumber: true,
    cell: (row) => (
      <span className="row-actions">
        <MoveButtons
          name={row.display_name}
          id={row.id}
          isFirst={row === services[0]}
          isLast={row === services.at(-1)}
          onMove={(step) => void move(row, step)}
        />
      </span>
    ),
  })
  return (
    <>
      <ProgressNotice progress={progress} />
      <div className="card flush table-card">
        <Table
          label="Payment services: rows"
          columns={canChange && services.length > 1 ? [...columns, order] : columns}
          rows={services}
          to={({ id }) => `${PATH}/${id}`}
        />
      </div>
    </>
  )
}

/** Sets the positions one after the other. Each leaves an order in which payments work. */
function useMove(services: readonly Service[]) {
  const { progress, send: act } = useAct<unknown>()
  const placeOf = (id: string) => services.findIndex((one) => one.id === id)
  const follow = useMoved(placeOf)
  const move = async ({ id, display_name }: Service, step: 1 | -1) => {
    const from = placeOf(id)
    follow(id, step)
    const done = await act(async () => {
      for (const { id: one, position } of positionsAfter(services, id, step))
        await send('PUT /payment-services/{payment_service_id}', {
          path: { payment_service_id: one },
          body: { position },
        })
    })
    if (done) notify({ title: `${display_name} is now ${from + 1 + step} of ${services.length}` })
  }
  return { progress, move }
}

function useColumns(services: readonly Service[]): readonly Column<Service>[] {
  const definitions = useDefinitions()
  const definitionOf = (one: Service) => definitions.get(one.payment_service_definition_id)
  return [
    column('name', 'Service', {
      cell: (one) => (
        <span className="placed">
          <span className="place">{services.indexOf(one) + 1}</span>
          <span className="clip">{one.display_name}</span>
        </span>
      ),
    }),
    column('status', 'Status', { status: markOf }),
    column('definition', 'Provider', {
      from: 'tablet',
      cell: (one) => definitionOf(one)?.display_name ?? one.payment_service_definition_id,
    }),
    column('method', 'Method', { from: 'desktop', cell: ({ method }) => methodName(method) }),
    column('currencies', 'Currencies', {
      from: 'desktop',
      cell: (one) => codesText(one.accepted_currencies, definitionOf(one)?.supported_currencies),
    }),
    column('countries', 'Countries', {
      from: 'desktop',
      cell: (one) => codesText(one.accepted_countries, definitionOf(one)?.supported_countries),
    }),
  ]
}

/** Old payments still name them. */
function Deleted() {
  const { data = [] } = useReadAll('GET /payment-services', { query: { deleted: true } })
  if (data.length === 0) return null
  return (
    <Section title="Deleted" isFlush>
      <Table label="Deleted payment services: rows" rows={data} columns={DELETED} />
    </Section>
  )
}

const DELETED: readonly Column<Service>[] = [
  column('name', 'Service', { look: 'clip', text: 'display_name' }),
  column('method', 'Method', { from: 'tablet', cell: ({ method }) => methodName(method) }),
  column('updated', 'Deleted', { isTime: true, text: 'updated_at' }),
]

/** The definitions by id. Empty for a person who may not read them. */
function useDefinitions(): ReadonlyMap<string, Definition> {
  const may = useMay()
  const { data = [] } = useReadAll('GET /payment-service-definitions', {
    isWanted: may('payment-service-definitions.read'),
  })
  return new Map(data.map((one) => [one.id, one]))
}
