import type { ReactNode } from 'react'
import { CopyButton } from '../parts/controls.tsx'
import { Section } from '../parts/page.tsx'
import './service-accounts.css'

type Props = { readonly url: string; readonly hint: string; readonly children?: ReactNode }

/** Where the provider sends what happened. People enter it in the provider's own settings. */
export function WebhookAddress({ url, hint, children }: Props) {
  return (
    <Section title="Provider webhooks">
      <div className="webhook-address">
        <p className="hint">{hint}</p>
        <p className="mono secret-text">{url}</p>
        <div className="actions">
          <CopyButton text={url} label="Copy URL" tone="plain" />
          {children}
        </div>
      </div>
    </Section>
  )
}
