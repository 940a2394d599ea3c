import { useState } from 'react'
import { TAX_ID_KINDS } from '../../../server/src/domain/tax-id.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask, Deletion } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { countryOptions } from '../parts/countries.ts'
import { type Field, field, type Values } from '../parts/fields.tsx'
import type { RowOf } from '../parts/list/list.tsx'
import { download } from '../parts/list/table.tsx'
import { Problem, Section } from '../parts/page.tsx'
import { Address, addressLines, fullName, LIST, nameOf } from './names.tsx'

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
      outcome="Erasure has started"
      onClose={onClose}
    />
  )
}

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

type ShippingActProps = { readonly act: Act; readonly buyerId: string; readonly onClose: () => void }

function ShippingAct({ act, buyerId, onClose }: ShippingActProps) {
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
        outcome="Shipping details were added"
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
        outcome="Saved"
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
      outcome="Shipping details were deleted"
      onClose={onClose}
    />
  )
}

type ActsProps = { readonly onClose: () => void }

export function NewBuyer({ onClose }: ActsProps) {
  const { go } = useAddress()
  return (
    <Ask
      title="New buyer"
      verb="Create buyer"
      isWide
      says="Fill in what you know. Payments, cards and addresses can be added later."
      fields={buyerFields()}
      send={(body, idempotencyKey) => send('POST /buyers', { body: bodyOf(body), idempotencyKey })}
      outcome={(buyer) => `${nameOf(buyer)} was created`}
      onDone={({ id }) => go(`/buyers/${id}`)}
      onClose={onClose}
    />
  )
}

type OfBuyer = ActsProps & { readonly buyer: Schemas['Buyer'] }

export function EditBuyer({ buyer, onClose }: OfBuyer) {
  const path = { buyer_id: buyer.id }
  return (
    <Ask
      title={`Edit ${nameOf(buyer)}`}
      verb="Save"
      isWide
      says="Earlier payments keep the details they were made with."
      fields={buyerFields()}
      initial={valuesOf(buyer)}
      standing={{
        now: `changed at ${buyer.updated_at}`,
        read: async () => `changed at ${(await send('GET /buyers/{buyer_id}', { path })).updated_at}`,
      }}
      send={(body) => send('PUT /buyers/{buyer_id}', { path, body: bodyOf(body) })}
      outcome="Saved"
      onClose={onClose}
    />
  )
}

export function DeleteBuyer({ buyer, onClose }: OfBuyer) {
  const name = nameOf(buyer)
  return (
    <Deletion
      id={buyer.id}
      name={name}
      says={
        <>
          The profile and shipping addresses of <strong>{name}</strong> are deleted. Stored cards and gift
          cards stay, without a buyer. Payments keep the name, e-mail address and postal address they were
          made with: to remove personal data everywhere, erase the buyer instead.
        </>
      }
      send={() => send('DELETE /buyers/{buyer_id}', { path: { buyer_id: buyer.id } })}
      list={LIST.to}
      onClose={onClose}
    />
  )
}

/** Everything that can be said about a buyer. An empty field clears what was there. */
function buyerFields(): readonly Field[] {
  return [
    field('text', 'display_name', 'Name', { hint: 'Shown in lists and search', ...CLEARS, isHalf: true }),
    field('text', 'external_identifier', 'Your reference', {
      hint: 'The customer number in your shop',
      ...CLEARS,
      isHalf: true,
    }),
    ...personFields('billing_details.', 'Billing'),
    field('text', 'billing_details.tax_id.value', 'Tax id', { ...CLEARS, isHalf: true }),
    field('choice', 'billing_details.tax_id.kind', 'Tax id type', {
      options: TAX_ID_KINDS.map((value) => ({ value, label: value.replace('.', ' ').toUpperCase() })),
      ...CLEARS,
      isHalf: true,
    }),
    field('text', 'account_number', 'Account number', {
      hint: 'The buyer’s account number with you, for buy now, pay later',
      ...CLEARS,
    }),
  ]
}

function shippingFields(): readonly Field[] {
  return personFields('', 'Person')
}

const CLEARS = { whenEmpty: 'null' } as const

function personFields(before: string, heading: string): readonly Field[] {
  const half = { ...CLEARS, isHalf: true } as const
  const text = (name: string, label: string): Field => field('text', `${before}${name}`, label, { ...half })
  return [
    { ...text('first_name', 'First name'), heading },
    text('last_name', 'Last name'),
    field('email', `${before}email_address`, 'E-mail address', { ...half }),
    { ...text('phone_number', 'Phone'), hint: 'With country code: +1 555 0100' },
    { ...text('address.organization', 'Organization'), heading: 'Address' },
    text('address.house_number_or_name', 'House number or name'),
    text('address.line1', 'Street'),
    text('address.line2', 'Address line 2'),
    text('address.postal_code', 'Postal code'),
    text('address.city', 'City'),
    text('address.state', 'State'),
    { ...text('address.state_code', 'State code'), hint: 'For example US-CA' },
    field('choice', `${before}address.country`, 'Country', { options: countryOptions(), ...CLEARS }),
  ]
}

/** What stands in the fields at the beginning. */
function valuesOf(thing: object, before = ''): Values {
  return Object.fromEntries(
    Object.entries(thing).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(valuesOf(value, `${before}${name}.`))
        : [[`${before}${name}`, value]],
    ),
  )
}

/** The body of a request. An address of which nothing is known is none. */
function bodyOf(body: Record<string, unknown>): Schemas['UpdateBuyer'] & Schemas['UpdateShippingDetails'] {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, orNull(value)]))
}

function orNull(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const inside = bodyOf(value as Record<string, unknown>)
  return Object.values(inside).every((one) => one === null) ? null : inside
}
