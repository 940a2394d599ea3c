import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Columns, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { Facts, Id, When } from '../parts/values.tsx'
import { SubscriptionActs } from './acts.tsx'
import { Deliveries } from './deliveries.tsx'
import { Health } from './list.tsx'
import { ReplayMany } from './replay.tsx'
import { ShowSecret } from './secret.tsx'
import { authenticationText, eventsText, nameOf } from './words.ts'

type Subscription = Schemas['WebhookSubscription']

export function SubscriptionDetail() {
  const { params } = useAddress()
  const subscription = useRead('GET /webhook-subscriptions/{subscription_id}', {
    path: { subscription_id: params['id'] ?? '' },
  })
  return <Loaded of={subscription}>{(it) => <Detail of={it} />}</Loaded>
}

function Detail({ of: it }: { readonly of: Subscription }) {
  const may = useMay()
  return (
    <Page
      title={nameOf(it.url)}
      back={{ to: '/developers/webhooks', label: 'Webhooks' }}
      under={
        <>
          <Health of={it} />
          <span className="mono">{it.url}</span>
        </>
      }
      actions={may('webhook-subscriptions.write') && <SubscriptionActs of={it} />}
    >
      {it.active && it.failing_since && (
        <Notice tone="bad" title="The receiver takes nothing">
          Every attempt since <When at={it.failing_since} /> has failed. Open a delivery to see the answer.
          Events are tried again for six days.
        </Notice>
      )}
      {!it.active && (
        <Notice tone="wait" title="Nothing is sent while the subscription is disabled">
          Events of this time are not lost: make it active, then replay them.
        </Notice>
      )}
      <Columns
        main={
          <section aria-label="Deliveries">
            <div className="card-head">
              <h2>Deliveries</h2>
              <div className="actions">
                {may('webhook-deliveries.write') && it.active && <ReplayMany subscriptionId={it.id} />}
              </div>
            </div>
            <Deliveries subscriptionId={it.id} />
          </section>
        }
        side={<AboutSubscription of={it} />}
      />
    </Page>
  )
}

function AboutSubscription({ of: it }: { readonly of: Subscription }) {
  const may = useMay()
  return (
    <Section title="Facts">
      <Facts
        facts={[
          [
            'Events',
            it.events && it.events.length > 3 ? (
              <EventNames key="events" names={it.events} />
            ) : (
              eventsText(it.events)
            ),
          ],
          ['Authentication', authenticationText(it.authentication)],
          ['User name', it.authentication?.username],
          ['Client id', it.authentication?.client_id],
          ['Tokens from', it.authentication?.token_url],
          ['Secret', may('webhook-subscriptions.read') && <ShowSecret key="secret" subscriptionId={it.id} />],
          ['Rotating', it.rotating && 'The former secret signs, too'],
          ['Merchant account', it.merchant_account_id ?? 'All'],
          ['Last taken', it.last_delivered_at ? <When key="taken" at={it.last_delivered_at} /> : 'Never'],
          ['Made by', it.creator?.name],
          ['Id', <Id key="id" value={it.id} isShort />],
        ]}
      />
    </Section>
  )
}

function EventNames({ names }: { readonly names: readonly string[] }) {
  return (
    <ul>
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  )
}
