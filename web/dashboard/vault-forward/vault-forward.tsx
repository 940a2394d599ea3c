import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send, useReadAll } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { type Field, field } from '../parts/fields.tsx'
import { type Column, column, Table } from '../parts/list/table.tsx'
import { EmptyCard, Loaded, Page } from '../parts/page.tsx'

type Endpoint = Schemas['VaultForwardEndpoint']

export const pages = { '/': EndpointList }

function EndpointList() {
  const may = useMay()
  const endpoints = useReadAll('GET /vault-forward/endpoints')
  const [isAdding, setIsAdding] = useState(false)
  const [gone, setGone] = useState<Endpoint>()
  const canChange = may('vault-forward-configs.write')
  const add = canChange && (
    <Button tone="main" icon="plus" onClick={() => setIsAdding(true)}>
      Enable a host
    </Button>
  )
  return (
    <Page
      title="Card forwarding"
      under="Hosts that card numbers may be sent to. A sandbox sends to any public host; production only to these."
      actions={add}
    >
      <Loaded of={endpoints}>
        {(items) =>
          items.length === 0 ? (
            <EmptyCard title="No hosts yet" action={add}>
              Your servers can send requests with card numbers to a host that is enabled here, without seeing
              the numbers.
            </EmptyCard>
          ) : (
            <div className="card flush table-card">
              <Table
                label="Hosts: rows"
                rows={items}
                columns={canChange ? [...COLUMNS, deleteColumn(setGone)] : COLUMNS}
              />
            </div>
          )
        }
      </Loaded>
      {isAdding && <Enable onClose={() => setIsAdding(false)} />}
      {gone && <Disable of={gone} onClose={() => setGone(undefined)} />}
    </Page>
  )
}

const COLUMNS: readonly Column<Endpoint>[] = [
  column('host', 'Host', { text: 'host' }),
  column('paths', 'Paths', { text: ({ paths }) => (paths.length === 0 ? 'All paths' : paths.join(', ')) }),
  column('methods', 'Methods', { from: 'desktop', text: ({ methods }) => methods.join(', ') }),
  column('created_at', 'Enabled', { from: 'desktop', isTime: true, text: 'created_at' }),
]

function deleteColumn(onDelete: (endpoint: Endpoint) => void): Column<Endpoint> {
  return column('acts', 'Actions', {
    isNumber: true,
    cell: (of) => (
      <span className="row-actions">
        <Button tone="quiet" onClick={() => onDelete(of)}>
          Delete
        </Button>
      </span>
    ),
  })
}

const METHODS = ['POST', 'PUT', 'PATCH'] as const

const FIELDS: readonly Field[] = [
  field('text', 'host', 'Host', {
    isRequired: true,
    hint: 'Such as api.example.com. It receives whole card numbers: keep its attestation of PCI DSS compliance.',
  }),
  field('lines', 'paths', 'Paths', {
    hint: 'One per line, such as /bookings; each with what is below it. Leave empty for all paths.',
  }),
  field('choices', 'methods', 'Methods', {
    isRequired: true,
    options: METHODS.map((value) => ({ value, label: value })),
  }),
]

function Enable({ onClose }: { readonly onClose: () => void }) {
  return (
    <Ask
      title="Enable a host"
      verb="Enable"
      says="From then on, requests of this merchant account can send card numbers there."
      fields={FIELDS}
      initial={{ methods: ['POST'] }}
      send={(body, idempotencyKey) =>
        send('POST /vault-forward/endpoints', {
          body: body as Schemas['CreateVaultForwardEndpoint'],
          idempotencyKey,
        })
      }
      outcome="The host is enabled"
      onClose={onClose}
    />
  )
}

function Disable({ of, onClose }: { readonly of: Endpoint; readonly onClose: () => void }) {
  return (
    <Ask
      title={`Delete ${of.host}`}
      verb="Delete"
      isDangerous
      says="The host gets no card numbers any more, from the next request on."
      send={() =>
        send('DELETE /vault-forward/endpoints/{vault_forward_endpoint_id}', {
          path: { vault_forward_endpoint_id: of.id },
        })
      }
      outcome="The host was deleted"
      deletedId={of.id}
      onClose={onClose}
    />
  )
}
