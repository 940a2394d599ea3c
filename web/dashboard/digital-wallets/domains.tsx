import { useState } from 'react'
import { send } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { Section } from '../parts/page.tsx'
import { associationsOf, type Wallet } from './words.ts'

type Act = { readonly kind: 'add' } | { readonly kind: 'remove' | 'file'; readonly domain: string }
type Props = { readonly wallet: Wallet; readonly canChange: boolean }

/** The hosts of pages that show the button. Apple opens sessions for these alone. */
export function Domains({ wallet, canChange }: Props) {
  const [act, setAct] = useState<Act>()
  const files = associationsOf(wallet)
  return (
    <Section
      title="Domains"
      actions={
        canChange && (
          <Button icon="plus" onClick={() => setAct({ kind: 'add' })}>
            Add a domain
          </Button>
        )
      }
    >
      {wallet.domain_names.length === 0 ? (
        <p className="quiet-text">None yet. The button works only on pages of these domains.</p>
      ) : (
        <ul className="entries">
          {wallet.domain_names.map((domain) => (
            <li key={domain}>
              <div>
                <p>{domain}</p>
                <small>
                  {files[domain] === undefined
                    ? 'Apple’s file is served by your own host'
                    : 'Apple’s file is served from here'}
                </small>
              </div>
              {canChange && (
                <div className="actions">
                  <Button onClick={() => setAct({ kind: 'file', domain })}>Apple’s file</Button>
                  <Button onClick={() => setAct({ kind: 'remove', domain })}>Remove</Button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {act && <Change wallet={wallet} act={act} onClose={() => setAct(undefined)} />}
    </Section>
  )
}

type ChangeProps = { readonly wallet: Wallet; readonly act: Act; readonly onClose: () => void }

function Change({ wallet, act, onClose }: ChangeProps) {
  const path = { digital_wallet_id: wallet.id }
  if (act.kind === 'add')
    return (
      <Ask
        title="Add a domain"
        verb="Add"
        says="The domain of a page that shows the Apple Pay button."
        fields={[
          {
            name: 'domain_name',
            label: 'Domain',
            kind: 'text',
            isRequired: true,
            placeholder: 'shop.example.com',
            hint: 'Without https://, path or port.',
          },
        ]}
        send={(body, idempotencyKey) =>
          send('POST /digital-wallets/{digital_wallet_id}/domains', {
            path,
            body: { domain_name: String(body['domain_name']) },
            idempotencyKey,
          })
        }
        outcome={() => ({ kind: 'done', title: 'The domain was added' })}
        onClose={onClose}
      />
    )
  if (act.kind === 'file') return <AppleFile wallet={wallet} domain={act.domain} onClose={onClose} />
  return (
    <Ask
      title={`Remove ${act.domain}`}
      verb="Remove"
      isDangerous
      says="Apple Pay stops working on pages of this domain."
      send={() =>
        send('DELETE /digital-wallets/{digital_wallet_id}/domains', {
          path,
          body: { domain_name: act.domain },
        })
      }
      outcome={() => ({ kind: 'done', title: `${act.domain} was removed` })}
      onClose={onClose}
    />
  )
}

type FileProps = { readonly wallet: Wallet; readonly domain: string; readonly onClose: () => void }

function AppleFile({ wallet, domain, onClose }: FileProps) {
  const path = { digital_wallet_id: wallet.id }
  return (
    <Ask
      title={`Apple’s file for ${domain}`}
      verb="Save"
      isWide
      says="Apple fetches this file to verify the domain. If the domain points to this server, the file is served from here. Leave empty if your own server has it."
      fields={[{ name: 'file', label: 'File content', kind: 'long-text' }]}
      initial={{ file: associationsOf(wallet)[domain] }}
      send={async ({ file }) => {
        // The extra settings are replaced as a whole, so they are read again just before.
        const now = await send('GET /digital-wallets/{digital_wallet_id}', { path })
        const { [domain]: _old, ...others } = associationsOf(now)
        const domain_associations = file === undefined ? others : { ...others, [domain]: file }
        return send('PUT /digital-wallets/{digital_wallet_id}', {
          path,
          body: { extra_configuration: { ...now.extra_configuration, domain_associations } },
        })
      }}
      outcome={() => ({ kind: 'done', title: `${domain} was changed` })}
      onClose={onClose}
    />
  )
}
