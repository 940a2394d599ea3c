import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { nameOf } from '../buyers/words.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Link } from '../parts/controls.tsx'
import { Columns, Loaded, Notice, Page, Problem, Section } from '../parts/page.tsx'
import { type Fact, Facts, Id, Json, Money, When } from '../parts/values.tsx'
import { PaymentsOf, type Row } from '../transactions/payments-of.tsx'
import { plain } from '../transactions/words.ts'
import { cardName, LIST } from './words.ts'

type Card = Schemas['GiftCard']

export function GiftCardDetail() {
  const { params } = useAddress()
  const card = useRead('GET /gift-cards/{gift_card_id}', { path: { gift_card_id: params['id'] ?? '' } })
  return <Loaded of={card}>{(it) => <Detail card={it} />}</Loaded>
}

function Detail({ card }: { readonly card: Card }) {
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
            extra={{ id: 'part', title: 'From this card', cell: (row) => <Part of={row} cardId={card.id} /> }}
          />
        }
        side={
          <>
            <Balance card={card} />
            <Section title="Details">
              <Facts facts={factsOf(card)} />
            </Section>
            <Section title="JSON">
              <Json value={card} openDepth={0} />
            </Section>
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
  const { go } = useAddress()
  const owner = card.buyer ? ` of ${nameOf(card.buyer)}` : ''
  return (
    <Ask
      title={`Delete ${cardName(card).toLowerCase()}${owner}`}
      verb="Delete"
      isDangerous
      says="The stored number and PIN are deleted. The balance stays: the owner can still use the card by typing both."
      send={() => send('DELETE /gift-cards/{gift_card_id}', { path: { gift_card_id: card.id } })}
      outcome={() => ({ kind: 'done', title: `${cardName(card)} was deleted` })}
      onDone={() => go(LIST.to)}
      deletedId={card.id}
      onClose={onClose}
    />
  )
}
