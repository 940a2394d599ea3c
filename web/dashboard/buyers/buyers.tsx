import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { ApiError, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Button } from '../parts/controls.tsx'
import { countryName } from '../parts/countries.ts'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List, type RowOf, ShortList } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import {
  Columns,
  FactCard,
  JsonCard,
  Loaded,
  Notice,
  Page,
  Problem,
  Section,
  Waiting,
} from '../parts/page.tsx'
import { type Fact, Facts, Id, Money, Status, When } from '../parts/values.tsx'
import { Expiry, Instrument } from '../payment-methods/instrument.tsx'
import { PaymentsOf } from '../transactions/payments-of.tsx'
import { buyerName, plain } from '../transactions/words.ts'
import { Address, LIST, nameOf } from './names.tsx'
import { DeleteBuyer, EditBuyer, NewBuyer, PersonalDataActs, ShippingOf } from './personal-data.tsx'
import './buyers.css'

export const pages = { '/': BuyerList, '/$id': BuyerDetail }

type Row = RowOf<'GET /buyers'>

function BuyerList() {
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const add = may('buyers.write') && (
    <Button tone="main" icon="plus" onClick={() => setAdding(true)}>
      New buyer
    </Button>
  )
  return (
    <Page title="Buyers" actions={add}>
      <List
        name="buyers"
        route="GET /buyers"
        filters={FILTERS}
        columns={COLUMNS}
        to={({ id }) => `/buyers/${id}`}
        empty={{
          title: 'No buyers yet',
          text: 'Create one here, or store a card with buyer details: the buyer then has a page with cards, addresses and payments.',
          action: add,
        }}
      />
      {isAdding && <NewBuyer onClose={() => setAdding(false)} />}
    </Page>
  )
}

const FILTERS: readonly Filter[] = [
  filterBy('search', 'search', 'Search', { hint: 'Name, e-mail, reference' }),
  filterBy('text', 'external_identifier', 'Your reference', { isUsual: true, hint: 'customer-1234' }),
]

const COLUMNS: readonly Column<Row>[] = [
  column('name', 'Name', { look: 'clip', text: nameOf }),
  column('email_address', 'E-mail address', {
    from: 'tablet',
    look: 'clip',
    text: ({ billing_details }) => billing_details?.email_address,
  }),
  column('reference', 'Your reference', { from: 'tablet', look: 'clip mono', text: 'external_identifier' }),
  column('country', 'Country', {
    from: 'desktop',
    cell: ({ billing_details }) => countryOf(billing_details?.address?.country),
    text: ({ billing_details }) => billing_details?.address?.country,
  }),
  column('id', 'Id', { isExtra: true, look: 'mono', text: 'id' }),
  column('created_at', 'Created', { isTime: true, text: 'created_at' }),
]

function countryOf(code: string | null | undefined): string | null {
  return code ? countryName(code) : null
}

function BuyerDetail() {
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
            <FactCard title="Details" facts={factsOf(buyer)} />
            <Section title="Billing">
              <Billing of={buyer.billing_details} />
            </Section>
            <JsonCard of={buyer} />
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

type Method = RowOf<'GET /buyers/payment-methods'>
type GiftCard = RowOf<'GET /buyers/gift-cards'>
type Props = { readonly buyerId: string }

/** What the buyer can pay with again. */
function MethodsOf({ buyerId }: Props) {
  return (
    <ShortList
      title="Payment methods"
      route="GET /buyers/payment-methods"
      request={{ query: { buyer_id: buyerId } }}
      columns={METHODS}
      to={({ id }) => `/payment-methods/${id}`}
      empty="Cards appear here when a payment of this buyer stores the card."
    />
  )
}

/** The gift cards of the buyer, with the balance that their service says now. */
function GiftCardsOf({ buyerId }: Props) {
  return (
    <ShortList
      title="Gift cards"
      route="GET /buyers/gift-cards"
      isCostly
      request={{ query: { buyer_id: buyerId } }}
      columns={GIFT_CARDS}
      to={({ id }) => id && `/gift-cards/${id}`}
      empty="No stored gift cards."
    />
  )
}

function used(at: string | null) {
  return at ? <When at={at} /> : <span className="quiet-text">Never used</span>
}

const METHODS: readonly Column<Method>[] = [
  column('method', 'Method', { cell: (row) => <Instrument of={row} /> }),
  column('expiry', 'Expires', { cell: ({ expiration_date }) => <Expiry of={expiration_date} /> }),
  column('count', 'Payments', { from: 'tablet', isNumber: true, cell: ({ usage_count }) => usage_count }),
  column('used', 'Last used', { isNumber: true, cell: ({ last_used_at }) => used(last_used_at) }),
]

const GIFT_CARDS: readonly Column<GiftCard>[] = [
  column('card', 'Card', { cell: ({ last4 }) => <span className="number">•••• {last4}</span> }),
  column('balance', 'Balance', {
    cell: ({ balance, currency, balance_error_code }) =>
      balance !== null && currency !== null ? (
        <Money amount={balance} currency={currency} />
      ) : (
        <span className="quiet-text">{plain(balance_error_code ?? 'not known')}</span>
      ),
  }),
  column('expiry', 'Expires', { from: 'tablet', cell: ({ expiration_date }) => expiration_date }),
  column('used', 'Last used', { isNumber: true, cell: ({ last_used_at }) => used(last_used_at) }),
]

/** How often an erasure under way is read again. */
const OPEN_MS = 1_000

/** A buyer that is not there: erased, deleted, or never known. */
function GoneBuyer({ id, error }: { readonly id: string; readonly error: unknown }) {
  const may = useMay()
  const seesErasures = may('personal-data.read')
  const path = { buyer_id: id }
  const erasure = useRead('GET /buyers/{buyer_id}/erasure', {
    path,
    isWanted: seesErasures,
    everyMs: (found) => found?.status === 'pending' && OPEN_MS,
  })
  const seesPayments = may('transactions.read')
  const payments = useRead('GET /transactions', { query: { ...path, limit: 1 }, isWanted: seesPayments })
  if (erasure.data) return <Erased erasure={erasure.data} />
  if ((seesErasures && !erasure.isFetched) || (seesPayments && !payments.isFetched)) return <Waiting />
  const last = payments.data?.items[0]
  if (last) return <Deleted id={id} name={buyerName(last) ?? 'Buyer without a name'} />
  return (
    <div className="card">
      <Problem error={error} />
    </div>
  )
}

function Deleted({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Page
      title={name}
      back={LIST}
      under={<Status tone="mute">Deleted</Status>}
      actions={<PersonalDataActs id={id} name={name} />}
    >
      <div className="stack">
        <Notice tone="info" title="This buyer was deleted">
          Earlier payments keep the name, e-mail address and postal address they were made with. Erase the
          buyer to remove these too.
        </Notice>
        <PaymentsOf filter={{ buyer_id: id }} empty="No payments." />
      </div>
    </Page>
  )
}

function Erased({ erasure: it }: { readonly erasure: Schemas['BuyerErasure'] }) {
  const isDone = it.status === 'succeeded'
  return (
    <Page
      title="Erased buyer"
      back={LIST}
      under={<Status tone={isDone ? 'mute' : 'wait'}>{isDone ? 'Erased' : 'Being erased'}</Status>}
    >
      <Columns
        main={
          isDone ? (
            <Notice tone="good" title="All personal data was erased" isNews>
              Payments keep their amounts, dates and references. This page stays as proof.
            </Notice>
          ) : (
            <Notice tone="wait" title="Erasing personal data…" isNews>
              The buyer is gone already. The rest usually takes seconds, and continues if you leave this page.
            </Notice>
          )
        }
        side={
          <FactCard
            title="Erasure"
            facts={[
              ['Requested', <When key="created" at={it.created_at} />],
              ['Completed', it.completed_at && <When key="completed" at={it.completed_at} />],
              ['Payments', `${it.payments}`],
              ['Payment methods', `${it.payment_methods}`],
              ['Gift cards', `${it.gift_cards}`],
              ['Buyer id', <Id key="buyer" value={it.buyer_id} isShort />],
              ['Erasure id', <Id key="id" value={it.id} isShort />],
            ]}
          />
        }
      />
    </Page>
  )
}
