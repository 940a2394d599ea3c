import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { nameOf } from '../buyers/names.tsx'
import { Ask, Deletion } from '../parts/ask.tsx'
import { Button, Link, LinkButton } from '../parts/controls.tsx'
import { countryName } from '../parts/countries.ts'
import { type RowOf, ShortList } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import { Columns, FactCard, JsonCard, type Of, Page, pageOf } from '../parts/page.tsx'
import { type Fact, Id, Marked, When } from '../parts/values.tsx'
import { useServices } from '../payment-service-reports/use-services.ts'
import { PaymentsOf } from '../transactions/payments-of.tsx'
import { schemeName } from '../transactions/words.ts'
import { Expiry, Instrument, instrumentText } from './instrument.tsx'
import { PaymentMethodList } from './list.tsx'
import { LIST, METHOD_STATUSES, TOKEN_STATUSES } from './words.ts'

export const pages = {
  '/': PaymentMethodList,
  '/$id': pageOf('GET /payment-methods/{payment_method_id}', Detail),
}

type Method = Schemas['PaymentMethod']

function Detail({ of: method }: Of<Method>) {
  const may = useMay()
  const [isDeleting, setDeleting] = useState(false)
  const isCard = method.mode === 'card'
  return (
    <Page
      title={instrumentText(method)}
      heading={<Instrument of={method} />}
      back={LIST}
      under={
        <>
          <Marked of={METHOD_STATUSES[method.status]} />
          {method.buyer && (
            <Link to={`/buyers/${method.buyer.id}`} className="text-link">
              {nameOf(method.buyer)}
            </Link>
          )}
        </>
      }
      actions={
        <>
          {may('payment-methods.write') && <Button onClick={() => setDeleting(true)}>Delete</Button>}
          {isCard && method.status === 'succeeded' && may('payouts.write') && (
            <LinkButton to={`/payouts/new/${method.id}`} icon="payout">
              Pay out
            </LinkButton>
          )}
        </>
      }
    >
      <Columns
        main={
          <>
            <PaymentsOf filter={{ payment_method_id: method.id }} empty="Not used yet." />
            {isCard && <NetworkTokens methodId={method.id} name={instrumentText(method)} />}
            <ServiceTokens methodId={method.id} />
          </>
        }
        side={
          <>
            <FactCard title="Details" facts={factsOf(method)} />
            <FactCard title="Uses" facts={usesOf(method)} />
            <JsonCard of={method} />
          </>
        }
      />
      {isDeleting && <DeleteMethod method={method} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

function factsOf(method: Method): readonly Fact[] {
  const { details } = method
  return [
    ['Id', <Id key="id" value={method.id} isShort />],
    [
      'Your reference',
      method.external_identifier && <Id key="reference" value={method.external_identifier} />,
    ],
    ['Expires', method.expiration_date && <Expiry key="expiry" of={method.expiration_date} />],
    ['First digits', details?.bin && <span className="number">{details.bin}</span>],
    ['Card type', details?.card_type],
    ['Issuer', details?.card_issuer_name],
    ['Other schemes', method.additional_schemes?.map(schemeName).join(', ')],
    ['Country', method.country && countryName(method.country)],
    ['Currency', method.currency],
    ['Fingerprint', method.fingerprint && <Id key="fingerprint" value={method.fingerprint} isShort />],
    ['Replaced', method.last_replaced_at && <When key="replaced" at={method.last_replaced_at} />],
    ['Replacement', method.has_replacement && 'A replacement card is available'],
    ['Stored', <When key="stored" at={method.created_at} />],
  ]
}

function usesOf(method: Method): readonly Fact[] {
  return [
    ['Payments', method.usage_count],
    ['Last used', method.last_used_at && <When key="used" at={method.last_used_at} />],
    ['Buyer-initiated payments', method.cit_usage_count],
    ['Last buyer-initiated', method.cit_last_used_at && <When key="cit" at={method.cit_last_used_at} />],
    [
      'Scheme transaction',
      method.scheme_transaction_id && <Id key="scheme" value={method.scheme_transaction_id} isShort />,
    ],
  ]
}

function DeleteMethod({ method, onClose }: { readonly method: Method; readonly onClose: () => void }) {
  const name = instrumentText(method)
  const owner = method.buyer ? ` of ${nameOf(method.buyer)}` : ''
  return (
    <Deletion
      id={method.id}
      name={name}
      title={`Delete ${name}${owner}`}
      says="It can no longer be used, and its tokens at payment services and card schemes are deleted. Earlier payments stay."
      send={() =>
        send('DELETE /payment-methods/{payment_method_id}', { path: { payment_method_id: method.id } })
      }
      list={LIST.to}
      onClose={onClose}
    />
  )
}

type Token = RowOf<'GET /payment-methods/{payment_method_id}/network-tokens'>
type Verb = 'suspend' | 'resume' | 'delete'
type Props = { readonly methodId: string; readonly name: string }

/** Numbers that the card scheme gives in place of the card's own. Their own numbers are never shown here. */
function NetworkTokens({ methodId, name }: Props) {
  const may = useMay()
  const [act, setAct] = useState<{ readonly verb: Verb; readonly token: Token }>()
  const buttons = (token: Token) => (
    <span className="row-actions">
      {verbsFor(token).map((verb) => (
        <Button key={verb} tone="quiet" onClick={() => setAct({ verb, token })}>
          {WORDS[verb].verb}
        </Button>
      ))}
    </span>
  )
  return (
    <>
      <ShortList
        title="Network tokens"
        route="GET /payment-methods/{payment_method_id}/network-tokens"
        request={{ path: { payment_method_id: methodId } }}
        empty="No network token for this card yet. Services that use network tokens request one with a payment."
        columns={
          may('payment-methods.write')
            ? [...TOKENS, column('acts', 'Actions', { isNumber: true, cell: buttons })]
            : TOKENS
        }
      />
      {act && <TokenAct {...act} methodId={methodId} name={name} onClose={() => setAct(undefined)} />}
    </>
  )
}

const TOKENS: readonly Column<Token>[] = [
  column('status', 'Status', { status: ({ status }) => TOKEN_STATUSES[status] }),
  column('id', 'Id', { from: 'tablet', look: 'mono', text: 'id' }),
  column('expiry', 'Expires', { look: 'number', text: 'expiration_date' }),
  column('created_at', 'Created', { from: 'desktop', isTime: true, text: 'created_at' }),
]

function verbsFor({ status }: Token): readonly Verb[] {
  if (status === 'deleted') return []
  return status === 'suspended' ? ['resume', 'delete'] : ['suspend', 'delete']
}

const WORDS: Readonly<Record<Verb, { readonly verb: string; readonly says: string; readonly done: string }>> =
  {
    suspend: {
      verb: 'Suspend',
      says: 'Payments use the card number until you resume the token.',
      done: 'The token is suspended',
    },
    resume: { verb: 'Resume', says: 'Payments can use it again.', done: 'The token is active again' },
    delete: {
      verb: 'Delete',
      says: 'The card scheme deletes it for good. The next payment may request a new one.',
      done: 'The token was deleted',
    },
  }

type ActProps = Props & { readonly verb: Verb; readonly token: Token; readonly onClose: () => void }

function TokenAct({ verb, token, methodId, name, onClose }: ActProps) {
  const path = { payment_method_id: methodId, network_token_id: token.id }
  const words = WORDS[verb]
  return (
    <Ask
      title={`${words.verb} the network token of ${name}`}
      verb={words.verb}
      isDangerous={verb === 'delete'}
      says={words.says}
      standing={{
        now: TOKEN_STATUSES[token.status].label,
        read: async () => {
          const { items } = await send('GET /payment-methods/{payment_method_id}/network-tokens', {
            path: { payment_method_id: methodId },
          })
          const now = items.find(({ id }) => id === token.id)
          return now ? TOKEN_STATUSES[now.status].label : 'Deleted'
        },
      }}
      send={async (_body, idempotencyKey) => {
        const route = '/payment-methods/{payment_method_id}/network-tokens/{network_token_id}'
        if (verb === 'delete') await send(`DELETE ${route}`, { path })
        else await send(`POST ${route}/${verb}`, { path, idempotencyKey })
      }}
      outcome={words.done}
      onClose={onClose}
    />
  )
}

type ServiceToken = RowOf<'GET /payment-methods/{payment_method_id}/payment-service-tokens'>

/** What payment services keep for this method under names of their own. */
function ServiceTokens({ methodId }: { readonly methodId: string }) {
  const may = useMay()
  const [deleted, setDeleted] = useState<ServiceToken>()
  const { nameOf: serviceName } = useServices()
  const serviceOf = ({ payment_service_id: id }: ServiceToken) => serviceName(id)
  const columns: readonly Column<ServiceToken>[] = [
    column('service', 'Service', { look: 'clip', text: serviceOf }),
    column('status', 'Status', { status: ({ status }) => METHOD_STATUSES[status] }),
    column('token', 'Token', { from: 'tablet', look: 'clip mono', text: 'token' }),
    column('created_at', 'Created', { from: 'desktop', isTime: true, text: 'created_at' }),
  ]
  const acts = column<ServiceToken>('acts', 'Actions', {
    isNumber: true,
    cell: (row) => (
      <Button tone="quiet" onClick={() => setDeleted(row)}>
        Delete
      </Button>
    ),
  })
  return (
    <>
      <ShortList
        title="Tokens at payment services"
        route="GET /payment-methods/{payment_method_id}/payment-service-tokens"
        request={{ path: { payment_method_id: methodId } }}
        empty="Not stored at any payment service."
        columns={may('payment-methods.write') ? [...columns, acts] : columns}
      />
      {deleted && (
        <Ask
          title={`Delete the token at ${serviceOf(deleted)}`}
          verb="Delete"
          isDangerous
          says="The payment service deletes this method. Other services keep theirs."
          send={() =>
            send(
              'DELETE /payment-methods/{payment_method_id}/payment-service-tokens/{payment_service_token_id}',
              { path: { payment_method_id: methodId, payment_service_token_id: deleted.id } },
            )
          }
          outcome="The token was deleted"
          onClose={() => setDeleted(undefined)}
        />
      )}
    </>
  )
}
