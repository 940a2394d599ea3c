import { useState } from 'react'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import type { RowOf } from '../parts/list/list.tsx'
import { Problem, Section } from '../parts/page.tsx'
import { Address, addressLines } from './address.tsx'
import { bodyOf, shippingFields, valuesOf } from './fields.ts'
import { fullName } from './words.ts'

type Details = RowOf<'GET /buyers/{buyer_id}/shipping-details'>
type Act = { readonly verb: 'add' } | { readonly verb: 'edit' | 'delete'; readonly one: Details }

/** Where the buyer has things sent. */
export function ShippingOf({ buyerId }: { readonly buyerId: string }) {
  const may = useMay()
  const { data, error, refetch } = useRead('GET /buyers/{buyer_id}/shipping-details', {
    path: { buyer_id: buyerId },
  })
  const [act, setAct] = useState<Act>()
  const isWriter = may('buyers.write')
  return (
    <Section
      title="Shipping details"
      actions={
        isWriter && (
          <Button tone="quiet" icon="plus" onClick={() => setAct({ verb: 'add' })}>
            Add
          </Button>
        )
      }
    >
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data?.items.length === 0 && (
        <p className="quiet-text">Add a shipping address. Payments can then refer to it by its id.</p>
      )}
      <ul className="addresses">
        {data?.items.map((one) => (
          <li key={one.id}>
            <One of={one} />
            {isWriter && (
              <span className="actions">
                <Button tone="quiet" onClick={() => setAct({ verb: 'edit', one })}>
                  Edit
                </Button>
                <Button tone="quiet" onClick={() => setAct({ verb: 'delete', one })}>
                  Delete
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {act && <ShippingAct act={act} buyerId={buyerId} onClose={() => setAct(undefined)} />}
    </Section>
  )
}

function One({ of: one }: { readonly of: Details }) {
  return (
    <div>
      <strong>{shortOf(one)}</strong>
      {one.address && <Address of={one.address} />}
      <small>{[one.email_address, one.phone_number].filter(Boolean).join(' · ')}</small>
    </div>
  )
}

/** Names them in a few words. */
function shortOf(one: Details): string {
  return fullName(one) ?? (one.address ? addressLines(one.address)[0] : undefined) ?? 'No name'
}

type ActProps = { readonly act: Act; readonly buyerId: string; readonly onClose: () => void }

function ShippingAct({ act, buyerId, onClose }: ActProps) {
  if (act.verb === 'add')
    return (
      <Ask
        title="New shipping details"
        verb="Add"
        isWide
        says="They are stored with the buyer."
        fields={shippingFields()}
        send={(body, idempotencyKey) =>
          send('POST /buyers/{buyer_id}/shipping-details', {
            path: { buyer_id: buyerId },
            body: bodyOf(body),
            idempotencyKey,
          })
        }
        outcome={() => ({ kind: 'done', title: 'Shipping details were added' })}
        onClose={onClose}
      />
    )
  const path = { buyer_id: buyerId, shipping_details_id: act.one.id }
  if (act.verb === 'edit')
    return (
      <Ask
        title={`Edit the shipping details of ${shortOf(act.one)}`}
        verb="Save"
        isWide
        says="Earlier payments keep the details they were made with."
        fields={shippingFields()}
        initial={valuesOf(act.one)}
        send={(body) =>
          send('PUT /buyers/{buyer_id}/shipping-details/{shipping_details_id}', { path, body: bodyOf(body) })
        }
        outcome={() => ({ kind: 'done', title: 'Saved' })}
        onClose={onClose}
      />
    )
  return (
    <Ask
      title={`Delete the shipping details of ${shortOf(act.one)}`}
      verb="Delete"
      isDangerous
      says={act.one.address ? <Address of={act.one.address} /> : 'No address.'}
      send={() => send('DELETE /buyers/{buyer_id}/shipping-details/{shipping_details_id}', { path })}
      outcome={() => ({ kind: 'done', title: 'Shipping details were deleted' })}
      onClose={onClose}
    />
  )
}
