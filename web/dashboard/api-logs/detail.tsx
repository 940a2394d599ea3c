import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { Link } from '../parts/controls.tsx'
import { Table } from '../parts/list/table.tsx'
import { Columns, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { exactText, Facts, Id, When } from '../parts/values.tsx'
import type { Entry } from './requests.tsx'
import { pathOfCaller, pathOfThing, StatusCode } from './words.tsx'

export function RequestDetail() {
  const { params } = useAddress()
  const entry = useRead('GET /api-logs/{api_log_id}', { path: { api_log_id: params['id'] ?? '' } })
  return <Loaded of={entry}>{(it) => <Detail of={it} />}</Loaded>
}

function Detail({ of: it }: { readonly of: Entry }) {
  const thing = pathOfThing(it)
  return (
    <Page
      title={`${it.method} ${it.path}`}
      heading={
        <span className="mono long-path">
          {it.method} {it.path}
        </span>
      }
      back={{ to: '/developers/requests', label: 'Request log' }}
      under={
        <>
          <StatusCode of={it.status} />
          <span className="number">{it.duration_ms} ms</span>
          <When at={it.created_at} />
        </>
      }
    >
      <Columns
        main={<Refusal of={it} />}
        side={
          <Section title="Details">
            <Facts
              facts={[
                ['Caller', <Caller key="caller" of={it} />],
                ['About', thing && <ThingLink key="thing" to={thing} />],
                ['Operation', <code key="operation">{it.operation_id}</code>],
                ['Idempotency key', it.has_idempotency_key ? 'Yes' : 'No'],
                ['Merchant account', it.merchant_account_id ?? 'All'],
                ['Arrived', exactText(it.created_at)],
                ['Request', <Id key="request" value={it.request_id} isShort />],
                ['Entry', <Id key="id" value={it.id} isShort />],
              ]}
            />
          </Section>
        }
      />
    </Page>
  )
}

function ThingLink({ to }: { readonly to: string }) {
  return (
    <Link to={to} className="text-link">
      Open
    </Link>
  )
}

function Caller({ of: it }: { readonly of: Entry }) {
  const path = pathOfCaller(it)
  if (!it.caller || !path) return 'Not known'
  return (
    <Link to={path} className="text-link">
      {it.caller.name}
    </Link>
  )
}

function Refusal({ of: { error, status } }: { readonly of: Entry }) {
  if (!error)
    return (
      <Section title="Answer">
        <p className="quiet-text">
          It was answered with {status}. Bodies are not kept: they may have what must not be in a log.
        </p>
      </Section>
    )
  return (
    <Section title="Why it was refused" isFlush={error.details.length > 0}>
      <div className="refusal">
        <Notice tone={status >= 500 ? 'wait' : 'bad'} title={error.message}>
          {error.code && (
            <>
              Code <code>{error.code}</code>
            </>
          )}
        </Notice>
      </div>
      {error.details.length > 0 && (
        <Table
          label="What was wrong: rows"
          columns={[
            {
              id: 'pointer',
              title: 'Field',
              cell: ({ location, pointer }) => (
                <code>
                  {location} {pointer}
                </code>
              ),
            },
            { id: 'message', title: 'Problem', cell: ({ message }) => message },
            { id: 'type', title: 'Kind', cell: ({ type }) => <code>{type}</code>, from: 'tablet' },
          ]}
          rows={error.details}
        />
      )}
    </Section>
  )
}
