import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { nameOf } from '../buyers/words.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Link, LinkButton } from '../parts/controls.tsx'
import { countryName } from '../parts/countries.ts'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { type Fact, Facts, Id, Json, Status, When } from '../parts/values.tsx'
import { PaymentsOf } from '../transactions/payments-of.tsx'
import { schemeName } from '../transactions/words.ts'
import { Expiry } from './expiry.tsx'
import { Instrument, instrumentText } from './instrument.tsx'
import { NetworkTokens } from './network-tokens.tsx'
import { ServiceTokens } from './service-tokens.tsx'
import { LIST, METHOD_STATUSES } from './words.ts'

type Method = Schemas['PaymentMethod']

export function PaymentMethodDetail() {
  const { params } = useAddress()
  const method = useRead('GET /payment-methods/{payment_method_id}', {
    path: { payment_method_id: params['id'] ?? '' },
  })
  return <Loaded of={method}>{(it) => <Detail method={it} />}</Loaded>
}

function Detail({ method }: { readonly method: Method }) {
  const may = useMay()
  const [isDeleting, setDeleting] = useState(false)
  const mark = METHOD_STATUSES[method.status]
  const isCard = method.mode === 'card'
  return (
    <Page
      title={instrumentText(method)}
      heading={<Instrument of={method} />}
      back={LIST}
      under={
        <>
          <Status tone={mark.tone}>{mark.label}</Status>
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
            <Section title="Details">
              <Facts facts={factsOf(method)} />
            </Section>
            <Section title="Uses">
              <Facts facts={usesOf(method)} />
            </Section>
            <Section title="JSON">
              <Json value={method} openDepth={0} />
            </Section>
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
  const { go } = useAddress()
  const name = instrumentText(method)
  const owner = method.buyer ? ` of ${nameOf(method.buyer)}` : ''
  return (
    <Ask
      title={`Delete ${name}${owner}`}
      verb="Delete"
      isDangerous
      says="It can no longer be used, and its tokens at payment services and card schemes are deleted. Earlier payments stay."
      send={() =>
        send('DELETE /payment-methods/{payment_method_id}', { path: { payment_method_id: method.id } })
      }
      outcome={() => ({ kind: 'done', title: `${name} was deleted` })}
      onDone={() => go(LIST.to)}
      deletedId={method.id}
      onClose={onClose}
    />
  )
}
