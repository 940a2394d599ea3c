import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { ApiError, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Button } from '../parts/controls.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { type Fact, Facts, Id, Json, When } from '../parts/values.tsx'
import { PaymentsOf } from '../transactions/payments-of.tsx'
import { DeleteBuyer, EditBuyer } from './acts.tsx'
import { Address } from './address.tsx'
import { GoneBuyer } from './gone.tsx'
import { GiftCardsOf, MethodsOf } from './means.tsx'
import { PersonalDataActs } from './personal-data.tsx'
import { ShippingOf } from './shipping.tsx'
import { LIST, nameOf } from './words.ts'

export function BuyerDetail() {
  const { params } = useAddress()
  const id = params['id'] ?? ''
  return <BuyerOf key={id} id={id} />
}

function BuyerOf({ id }: { readonly id: string }) {
  const buyer = useRead('GET /buyers/{buyer_id}', { path: { buyer_id: id } })
  // It stays gone, also while it is read again: an erasure on this page goes on.
  const [gone, setGone] = useState<ApiError>()
  if (!gone && buyer.error instanceof ApiError && buyer.error.status === 404) setGone(buyer.error)
  if (gone) return <GoneBuyer id={id} error={gone} />
  return <Loaded of={buyer}>{(it) => <Detail buyer={it} />}</Loaded>
}

function Detail({ buyer }: { readonly buyer: Schemas['Buyer'] }) {
  const may = useMay()
  const [act, setAct] = useState<'edit' | 'delete'>()
  const close = () => setAct(undefined)
  return (
    <Page
      title={nameOf(buyer)}
      back={LIST}
      under={
        <>
          {buyer.billing_details?.email_address && <span>{buyer.billing_details.email_address}</span>}
          <span>
            Since <When at={buyer.created_at} />
          </span>
        </>
      }
      actions={
        <>
          <PersonalDataActs id={buyer.id} name={nameOf(buyer)} />
          {may('buyers.write') && (
            <>
              <Button onClick={() => setAct('delete')}>Delete</Button>
              <Button onClick={() => setAct('edit')}>Edit</Button>
            </>
          )}
        </>
      }
    >
      <Columns
        main={
          <>
            <PaymentsOf filter={{ buyer_id: buyer.id }} empty="This buyer has no payments yet." />
            {may('payment-methods.read') && <MethodsOf buyerId={buyer.id} />}
            {may('gift-cards.read') && <GiftCardsOf buyerId={buyer.id} />}
            <ShippingOf buyerId={buyer.id} />
          </>
        }
        side={
          <>
            <Section title="Details">
              <Facts facts={factsOf(buyer)} />
            </Section>
            <Section title="Billing">
              <Billing of={buyer.billing_details} />
            </Section>
            <Section title="JSON">
              <Json value={buyer} openDepth={0} />
            </Section>
          </>
        }
      />
      {act === 'edit' && <EditBuyer buyer={buyer} onClose={close} />}
      {act === 'delete' && <DeleteBuyer buyer={buyer} onClose={close} />}
    </Page>
  )
}

function factsOf(buyer: Schemas['Buyer']): readonly Fact[] {
  return [
    ['Id', <Id key="id" value={buyer.id} isShort />],
    ['Your reference', buyer.external_identifier && <Id key="reference" value={buyer.external_identifier} />],
    ['Reconciliation id', <Id key="reconciliation" value={buyer.reconciliation_id} isShort />],
    ['Account number', buyer.account_number],
    ['Updated', <When key="changed" at={buyer.updated_at} />],
  ]
}

function Billing({ of: details }: { readonly of: Schemas['BillingDetails'] | null }) {
  if (!details) return <p className="quiet-text">No billing details.</p>
  return (
    <Facts
      facts={[
        ['Name', [details.first_name, details.last_name].filter(Boolean).join(' ')],
        ['E-mail address', details.email_address],
        ['Phone', details.phone_number],
        ['Address', details.address && <Address key="address" of={details.address} />],
        ['Tax id', details.tax_id && `${details.tax_id.value} (${details.tax_id.kind})`],
      ]}
    />
  )
}
