import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { pointingElsewhere, send } from '../api/client.ts'
import { THREE_DS } from '../merchant-accounts/fields.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import type { Field } from '../parts/fields.tsx'
import { Section } from '../parts/page.tsx'
import { schemeName } from '../transactions/words.ts'
import type { Service } from './words.ts'

type Profile = Schemas['MerchantProfileScheme']
type Act = { readonly kind: 'new' } | { readonly kind: 'edit' | 'remove'; readonly scheme: string }
type Props = { readonly service: Service; readonly canChange: boolean }

/** How the merchant is known to the schemes at this service. One of them is enough to have buyers authenticated. */
export function Profiles({ service, canChange }: Props) {
  const [act, setAct] = useState<Act>()
  const profiles = Object.entries((service.merchant_profile ?? {}) as Readonly<Record<string, Profile>>)
  return (
    <Section
      title="Merchant details by scheme"
      actions={
        canChange && (
          <Button icon="plus" onClick={() => setAct({ kind: 'new' })}>
            Add a scheme
          </Button>
        )
      }
    >
      {profiles.length === 0 ? (
        <p className="quiet-text">
          None. Adding a scheme also turns on 3-D Secure for payments through this service.
        </p>
      ) : (
        <ul className="entries">
          {profiles.map(([scheme, profile]) => (
            <li key={scheme}>
              <div>
                <p>{schemeName(scheme)}</p>
                <small>
                  {profile.merchant_name} · {profile.merchant_acquirer_id} at the acquirer
                </small>
              </div>
              {canChange && (
                <div className="actions">
                  <Button onClick={() => setAct({ kind: 'edit', scheme })}>Edit</Button>
                  <Button onClick={() => setAct({ kind: 'remove', scheme })}>Remove</Button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {act && (
        <Save
          service={service}
          act={act}
          known={Object.fromEntries(profiles)}
          onClose={() => setAct(undefined)}
        />
      )}
    </Section>
  )
}

type SaveProps = {
  readonly service: Service
  readonly act: Act
  readonly known: Readonly<Record<string, Profile>>
  readonly onClose: () => void
}

const OF_SCHEME: readonly Field[] = THREE_DS.filter(({ name }) => !['scheme', 'currency'].includes(name))
const SCHEME: readonly Field[] = THREE_DS.filter(({ name }) => name === 'scheme')

function Save({ service, act, known, onClose }: SaveProps) {
  const scheme = act.kind === 'new' ? undefined : act.scheme
  const name = scheme && schemeName(scheme)
  const save = (of: string, profile: object | null) =>
    pointingElsewhere(
      () =>
        send('PUT /payment-services/{payment_service_id}', {
          path: { payment_service_id: service.id },
          body: { merchant_profile: { [of]: profile } },
        }),
      (pointer) => pointer.replace(`/merchant_profile/${of}`, ''),
    )
  const common = {
    outcome: () => ({ kind: 'done', title: `${service.display_name} was changed` }) as const,
    onClose,
  }
  if (scheme && act.kind === 'remove')
    return (
      <Ask
        {...common}
        title={`Remove ${name} from ${service.display_name}`}
        verb="Remove"
        isDangerous
        says={`${service.display_name} no longer sends merchant details for ${name}.`}
        send={() => save(scheme, null)}
      />
    )
  return (
    <Ask
      {...common}
      title={name ? `Edit ${name} at ${service.display_name}` : `Add a scheme to ${service.display_name}`}
      verb="Save"
      says="You get these from your acquirer. With wrong values, banks refuse to authenticate buyers."
      fields={scheme ? OF_SCHEME : [...SCHEME, ...OF_SCHEME]}
      initial={(scheme && known[scheme]) || {}}
      send={({ scheme: chosen, ...profile }) => save(scheme ?? String(chosen), profile)}
    />
  )
}
