import { send, useRead } from '../api/client.ts'
import { ProgressNotice, useAct } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import type { RowOf } from '../parts/list/list.tsx'
import { type Column, Table } from '../parts/list/table.tsx'
import { Notice, Section } from '../parts/page.tsx'
import type { Tone } from '../parts/values.tsx'
import { WebhookAddress } from '../service-accounts/webhook-address.tsx'
import { plain } from '../transactions/words.ts'
import type { Definition, Service } from './words.ts'

type Row = RowOf<'GET /payment-services/{payment_service_id}/notifications'>

type Props = {
  readonly service: Service
  readonly definition: Definition | undefined
  readonly canChange: boolean
}

/** Where the provider tells what happened, and what it told about payments that were not known. */
export function Notifications({ service, definition, canChange }: Props) {
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

const STATUSES: Readonly<Record<Row['status'], { readonly tone: Tone; readonly label: string }>> = {
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
  { id: 'kind', title: 'About', cell: ({ kind }) => plain(kind) },
  { id: 'status', title: 'Status', status: ({ status }) => STATUSES[status] },
  {
    id: 'reference',
    title: 'Reference',
    from: 'tablet',
    look: 'clip mono',
    text: ({ reference }) => reference,
  },
  { id: 'received_at', title: 'Received', isTime: true, text: ({ received_at }) => received_at },
]
