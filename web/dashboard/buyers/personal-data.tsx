import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { download } from '../parts/list/table.tsx'

type Props = { readonly id: string; readonly name: string }

/** What a person may ask for by law: a copy of their data, and that it is erased. */
export function PersonalDataActs({ id, name }: Props) {
  const may = useMay()
  const [act, setAct] = useState<'export' | 'erase'>()
  const close = () => setAct(undefined)
  return (
    <>
      {may('personal-data.write') && <Button onClick={() => setAct('erase')}>Erase</Button>}
      {may('personal-data.read') && <Button onClick={() => setAct('export')}>Export</Button>}
      {act === 'export' && <ExportBuyer id={id} name={name} onClose={close} />}
      {act === 'erase' && <EraseBuyer id={id} name={name} onClose={close} />}
    </>
  )
}

type ActProps = Props & { readonly onClose: () => void }

function ExportBuyer({ id, name, onClose }: ActProps) {
  return (
    <Ask
      title={`Export the data of ${name}`}
      verb="Download"
      says="You get one JSON file with everything stored about this buyer: profile, addresses, payment methods, gift cards, payments, payouts and payment links. Keep it safe: it is personal data."
      send={async () => {
        const data = await send('GET /buyers/{buyer_id}/export', { path: { buyer_id: id } })
        download(`buyer-${id}.json`, 'application/json', JSON.stringify(data, null, 2))
        return data
      }}
      outcome={exported}
      onClose={onClose}
    />
  )
}

function exported({ buyer_id, payments, has_more_payments }: Schemas['BuyerExport']) {
  if (!has_more_payments) return { kind: 'done', title: 'The file was downloaded' } as const
  return {
    kind: 'waiting',
    title: `The file has the first ${payments.length} payments only`,
    text: (
      <>
        This buyer has more. For all of them, ask your operator to run{' '}
        <code>switchyard buyers export {buyer_id}</code>.
      </>
    ),
  } as const
}

function EraseBuyer({ id, name, onClose }: ActProps) {
  return (
    <Ask
      title={`Erase ${name}`}
      verb="Erase for good"
      isDangerous
      says={
        <>
          <p>
            <strong>This cannot be undone.</strong> Export the data first if you may need it.
          </p>
          <h3>Erased</h3>
          <ul>
            <li>The buyer, with addresses, stored cards and gift cards</li>
            <li>
              Names, e-mail and postal addresses, phone numbers, tax ids, IP addresses, metadata and cart
              items of all payments, refunds, payouts and payment links
            </li>
            <li>The same data in events, webhook deliveries, the audit log and earlier report files</li>
          </ul>
          <h3>Kept</h3>
          <ul>
            <li>Amounts, dates, statuses and your order references: payments can still be refunded</li>
            <li>Card scheme, first and last digits, which chargebacks refer to</li>
          </ul>
        </>
      }
      send={(_body, idempotencyKey) =>
        send('POST /buyers/{buyer_id}/erasure', { path: { buyer_id: id }, idempotencyKey })
      }
      outcome={() => ({ kind: 'done', title: 'Erasure has started' })}
      onClose={onClose}
    />
  )
}
