import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { Loaded, Section } from '../parts/page.tsx'
import { schemeText, THREE_DS } from './fields.ts'

type Configuration = Schemas['ThreeDSConfiguration']
type Act = { readonly kind: 'new' } | { readonly kind: 'edit' | 'delete'; readonly of: Configuration }
type Props = { readonly accountId: string; readonly canChange: boolean }

/** How the account is known to the schemes that authenticate buyers. */
export function ThreeDS({ accountId, canChange }: Props) {
  const path = { merchant_account_id: accountId }
  const configurations = useRead('GET /merchant-accounts/{merchant_account_id}/three-ds-configurations', {
    path,
  })
  const [act, setAct] = useState<Act>()
  return (
    <Section
      title="3-D Secure"
      actions={
        canChange && (
          <Button icon="plus" onClick={() => setAct({ kind: 'new' })}>
            Add a scheme
          </Button>
        )
      }
    >
      <Loaded of={configurations}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet-text">None yet. Buyers authenticate only for the schemes listed here.</p>
          ) : (
            <ul className="entries">
              {items.map((one) => (
                <Line key={one.id} of={one} canChange={canChange} onAct={setAct} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {act?.kind === 'delete' && (
        <Delete accountId={accountId} of={act.of} onClose={() => setAct(undefined)} />
      )}
      {act && act.kind !== 'delete' && (
        <Save
          accountId={accountId}
          of={act.kind === 'edit' ? act.of : undefined}
          onClose={() => setAct(undefined)}
        />
      )}
    </Section>
  )
}

type LineProps = {
  readonly of: Configuration
  readonly canChange: boolean
  readonly onAct: (act: Act) => void
}

function Line({ of, canChange, onAct }: LineProps) {
  const { scheme, currency, merchant_name, merchant_acquirer_id } = of
  return (
    <li>
      <div>
        <p>
          {schemeText(scheme)} {currency && <small>for {currency}</small>}
        </p>
        <small>
          {merchant_name} · {merchant_acquirer_id} at the acquirer
        </small>
      </div>
      {canChange && (
        <div className="actions">
          <Button onClick={() => onAct({ kind: 'edit', of })}>Edit</Button>
          <Button onClick={() => onAct({ kind: 'delete', of })}>Remove</Button>
        </div>
      )}
    </li>
  )
}

type SaveProps = {
  readonly accountId: string
  readonly of: Configuration | undefined
  readonly onClose: () => void
}

function Save({ accountId, of, onClose }: SaveProps) {
  const path = { merchant_account_id: accountId }
  return (
    <Ask
      title={of ? `Edit ${schemeText(of.scheme)} for 3-D Secure` : 'Add a scheme for 3-D Secure'}
      verb="Save"
      says="You get these from your acquirer. With wrong values, banks refuse to authenticate buyers."
      fields={THREE_DS}
      initial={of ?? {}}
      send={(body, idempotencyKey) =>
        of
          ? send(
              'PUT /merchant-accounts/{merchant_account_id}/three-ds-configurations/{three_ds_configuration_id}',
              {
                path: { ...path, three_ds_configuration_id: of.id },
                body: body as Schemas['UpdateThreeDSConfiguration'],
              },
            )
          : send('POST /merchant-accounts/{merchant_account_id}/three-ds-configurations', {
              path,
              body: { metadata: {}, ...body } as Schemas['CreateThreeDSConfiguration'],
              idempotencyKey,
            })
      }
      outcome={({ scheme }) => ({ kind: 'done', title: `${schemeText(scheme)} was saved` })}
      onClose={onClose}
    />
  )
}

function Delete({ accountId, of, onClose }: SaveProps & { readonly of: Configuration }) {
  const name = schemeText(of.scheme)
  return (
    <Ask
      title={`Remove ${name} from 3-D Secure`}
      verb="Remove"
      isDangerous
      says={`Buyers who pay with ${name} no longer authenticate.`}
      send={() =>
        send(
          'DELETE /merchant-accounts/{merchant_account_id}/three-ds-configurations/{three_ds_configuration_id}',
          { path: { merchant_account_id: accountId, three_ds_configuration_id: of.id } },
        )
      }
      outcome={() => ({ kind: 'done', title: `${name} was removed` })}
      onClose={onClose}
    />
  )
}
