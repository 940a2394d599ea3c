import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { nameOf, useBuyerField } from '../buyers/names.tsx'
import { Ask, Deletion } from '../parts/ask.tsx'
import { Button, CopyButton, Link } from '../parts/controls.tsx'
import { type Field, field, type Typed } from '../parts/fields.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import {
  Columns,
  FactCard,
  JsonCard,
  Notice,
  type Of,
  Page,
  Problem,
  pageOf,
  Section,
} from '../parts/page.tsx'
import { type Fact, Id, Money, moneyText, When } from '../parts/values.tsx'
import { PaymentsOf, type Row } from '../transactions/payments-of.tsx'
import { plain } from '../transactions/words.ts'
import './gift-cards.css'

export const pages = { '/': GiftCardList, '/$id': pageOf('GET /gift-cards/{gift_card_id}', Detail) }

type ListRow = RowOf<'GET /gift-cards'>

const ACTS = { issue: Issue, activate: Activate, store: Store }

function GiftCardList() {
  const may = useMay()
  const [act, setAct] = useState<keyof typeof ACTS>()
  const Act = act && ACTS[act]
  const buttons = may('gift-cards.write') && (
    <>
      <Button onClick={() => setAct('store')}>Store</Button>
      <Button onClick={() => setAct('activate')}>Activate</Button>
      <Button tone="main" icon="plus" onClick={() => setAct('issue')}>
        Issue a card
      </Button>
    </>
  )
  return (
    <Page title="Gift cards" actions={buttons}>
      <List
        name="gift-cards"
        route="GET /gift-cards"
        filters={FILTERS}
        columns={COLUMNS}
        to={({ id }) => `/gift-cards/${id}`}
        empty={{
          title: 'No stored gift cards',
          text: (
            <>
              Cards that buyers have stored are listed here. Issue one to get an address that shows a new
              card, activate one that was sold, or store one for a buyer. The guide{' '}
              <a href="/docs/guide/gift-cards">Gift cards</a> explains each.
            </>
          ),
        }}
      />
      {Act && <Act onClose={() => setAct(undefined)} />}
    </Page>
  )
}

const FILTERS: readonly Filter[] = [
  filterBy('text', 'buyer_external_identifier', 'Buyer’s reference', {
    isUsual: true,
    hint: 'customer-1234',
  }),
  filterBy('text', 'buyer_id', 'Buyer id', { isUsual: true }),
]

const COLUMNS: readonly Column<ListRow>[] = [
  column('card', 'Card', {
    cell: ({ last4 }) => <span className="number">•••• {last4}</span>,
    text: 'last4',
  }),
  column('buyer', 'Buyer', {
    cell: ({ buyer }) => (
      <span className="clip">{buyer ? nameOf(buyer) : <span className="quiet-text">None</span>}</span>
    ),
    text: ({ buyer }) => buyer && nameOf(buyer),
  }),
  column('service', 'Service', {
    from: 'desktop',
    look: 'clip',
    text: ({ gift_card_service }) => gift_card_service.display_name,
  }),
  column('expires', 'Expires', {
    from: 'tablet',
    cell: ({ expiration_date }) => expiration_date && <When at={expiration_date} />,
    text: 'expiration_date',
  }),
  column('usage_count', 'Payments', { from: 'tablet', isNumber: true, text: 'usage_count' }),
  column('last_used_at', 'Last used', { from: 'desktop', isTime: true, text: 'last_used_at' }),
  column('created_at', 'Stored', { isTime: true, text: 'created_at' }),
]

type Card = Schemas['GiftCard']

function Detail({ of: card }: Of<Card>) {
  const may = useMay()
  const [isDeleting, setDeleting] = useState(false)
  return (
    <Page
      title={cardName(card)}
      back={LIST}
      under={
        <>
          {card.buyer && (
            <Link to={`/buyers/${card.buyer.id}`} className="text-link">
              {nameOf(card.buyer)}
            </Link>
          )}
          <span>
            Stored <When at={card.created_at} />
          </span>
        </>
      }
      actions={may('gift-cards.write') && <Button onClick={() => setDeleting(true)}>Delete</Button>}
    >
      <Columns
        main={
          <PaymentsOf
            title="Usage"
            filter={{ gift_card_id: card.id }}
            empty="This card has not been used yet."
            extra={column('part', 'From this card', { cell: (row) => <Part of={row} cardId={card.id} /> })}
          />
        }
        side={
          <>
            <Balance card={card} />
            <FactCard title="Details" facts={factsOf(card)} />
            <JsonCard of={card} />
          </>
        }
      />
      {isDeleting && <DeleteCard card={card} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

/** What this card paid of a payment. */
function Part({ of: payment, cardId }: { readonly of: Row; readonly cardId: string }) {
  const redemption = payment.gift_card_redemptions.find(({ gift_card }) => gift_card.id === cardId)
  return redemption && <Money amount={redemption.amount} currency={payment.currency} />
}

/** What the gift card service says now. We keep no balance: another shop may have used the card. */
function Balance({ card }: { readonly card: Card }) {
  const asked = useRead('POST /gift-cards/balances', {
    body: { items: [{ id: card.id }] },
    isCostly: true,
  })
  const now = asked.data?.items[0]
  return (
    <Section
      title="Balance"
      actions={
        <Button tone="quiet" icon="sync" disabled={asked.isFetching} onClick={() => void asked.refetch()}>
          {asked.isFetching ? 'Checking…' : 'Check again'}
        </Button>
      }
    >
      {asked.error && <Problem error={asked.error} />}
      {now && now.balance !== null && now.currency !== null && (
        <p className="balance">
          <Money amount={now.balance} currency={now.currency} />
        </p>
      )}
      {now && now.balance === null && (
        <Notice tone="wait" title={`${card.gift_card_service.display_name} reported no balance`}>
          {now.balance_raw_error_message ?? plain(now.balance_error_code ?? 'No reason given')}
        </Notice>
      )}
      {!now && !asked.error && <p className="quiet-text">Checking with the gift card service…</p>}
    </Section>
  )
}

function factsOf(card: Card): readonly Fact[] {
  return [
    ['Id', <Id key="id" value={card.id} isShort />],
    ['Service', card.gift_card_service.display_name],
    ['First digits', <span key="bin" className="number">{`${card.bin} ${card.sub_bin}`}</span>],
    ['Expires', card.expiration_date && <When key="expires" at={card.expiration_date} />],
    ['Payments', card.usage_count],
    ['Last used', card.last_used_at && <When key="used" at={card.last_used_at} />],
  ]
}

function DeleteCard({ card, onClose }: { readonly card: Card; readonly onClose: () => void }) {
  const owner = card.buyer ? ` of ${nameOf(card.buyer)}` : ''
  return (
    <Deletion
      id={card.id}
      name={cardName(card)}
      title={`Delete ${cardName(card).toLowerCase()}${owner}`}
      says="The stored number and PIN are deleted. The balance stays: the owner can still use the card by typing both."
      send={() => send('DELETE /gift-cards/{gift_card_id}', { path: { gift_card_id: card.id } })}
      list={LIST.to}
      onClose={onClose}
    />
  )
}

type Props = { readonly onClose: () => void }

/** Has a new card made. Its address shows number and PIN, so it is shown once and kept nowhere. */
function Issue({ onClose }: Props) {
  return (
    <Ask
      title="Issue a gift card"
      verb="Issue"
      says={({ amount, currency }) => (
        <>
          The gift card service makes a new card
          {typeof amount === 'number' && typeof currency === 'string' && (
            <>
              {' '}
              with <strong>{moneyText(amount, currency)}</strong> on it
            </>
          )}
          . You get the address that shows it.
        </>
      )}
      fields={issueFields}
      initial={{ currency: 'USD' }}
      send={(body, idempotencyKey) =>
        send('POST /gift-cards/issuances', { body: body as Schemas['IssueGiftCard'], idempotencyKey })
      }
      outcome={({ url, amount, currency }) => ({
        kind: 'shown',
        title: `A card with ${moneyText(amount, currency)} was issued`,
        text: (
          <>
            <p>
              Send this link to the recipient. It is shown only once, and anyone who has it can use the card.
            </p>
            <p className="mono issued-address">{url}</p>
            <CopyButton text={url} label="Copy link" tone="plain" />
          </>
        ),
      })}
      onClose={onClose}
    />
  )
}

function issueFields(typed: Typed): readonly Field[] {
  return [
    ...moneyFields(typed, true),
    field('text', 'theme', 'Design', {
      isRequired: true,
      hint: 'As named by the gift card service, such as birthday',
    }),
    field('text', 'external_identifier', 'Your reference'),
  ]
}

/** Makes a card that was sold spendable. */
function Activate({ onClose }: Props) {
  const { go } = useAddress()
  const buyer = useBuyerField()
  return (
    <Ask
      title="Activate a gift card"
      verb="Activate"
      says="The card can be used from now on. Leave the amount empty if it is printed on the card."
      fields={(typed) => activateFields(typed, buyer)}
      initial={{ currency: 'USD' }}
      send={({ currency, amount, ...body }, idempotencyKey) => {
        const money = amount === undefined ? {} : { amount, currency }
        const request = { ...body, ...money } as Schemas['ActivateGiftCard']
        return send('POST /gift-cards/activations', { body: request, idempotencyKey }).then((card) => ({
          card,
          isStored: request.store === true,
        }))
      }}
      outcome={({ card }) => `${cardName(card)} is active`}
      onDone={({ card, isStored }) => isStored && go(`/gift-cards/${card.id}`)}
      onClose={onClose}
    />
  )
}

function activateFields(typed: Typed, buyer: Field): readonly Field[] {
  return [
    field('text', 'number', 'Number', { isRequired: true }),
    field('secret', 'pin', 'PIN'),
    ...moneyFields(typed, false),
    field('text', 'external_identifier', 'Your reference'),
    field('flag', 'store', 'Also store the card', { hint: 'Needs the PIN' }),
    ...(typed['store'] === true ? [buyer] : []),
  ]
}

/** Keeps a card for a buyer, so that its number is typed once. */
function Store({ onClose }: Props) {
  const { go } = useAddress()
  const buyer = useBuyerField()
  return (
    <Ask
      title="Store a gift card"
      verb="Store"
      says="The gift card service checks the card first. Number and PIN are encrypted, and never shown again."
      fields={[
        field('text', 'number', 'Number', { isRequired: true }),
        field('secret', 'pin', 'PIN', { isRequired: true }),
        buyer,
      ]}
      send={(body, idempotencyKey) =>
        send('POST /gift-cards', { body: body as Schemas['CreateGiftCard'], idempotencyKey })
      }
      outcome={(card) => `${cardName(card)} is stored`}
      onDone={({ id }) => go(`/gift-cards/${id}`)}
      onClose={onClose}
    />
  )
}

function moneyFields(typed: Typed, isRequired: boolean): readonly Field[] {
  const currency = String(typed['currency'] || 'USD')
  return [
    field('money', 'amount', 'Amount', { currency, isRequired, isHalf: true }),
    field('currency', 'currency', 'Currency', { isRequired: true, isHalf: true }),
  ]
}

const LIST = { to: '/gift-cards', label: 'Gift cards' }

function cardName({ last4 }: { readonly last4: string }): string {
  return `Gift card •••• ${last4}`
}
