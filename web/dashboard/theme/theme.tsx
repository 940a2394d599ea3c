import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { selectedAccount } from '../api/account.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Form } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import type { Field } from '../parts/fields.tsx'
import { Columns, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { notify } from '../shell/notices.tsx'
import { Logo, type NewLogo } from './logo.tsx'
import { Sample } from './sample.tsx'
import './theme.css'

export const pages = { '/': Branding }

type Theme = Schemas['Theme']

const FIELDS: readonly Field[] = [
  {
    name: 'accent_color',
    label: 'Button and link colour',
    kind: 'color',
    placeholder: '#0a7268',
    whenEmpty: 'null',
    hint: 'Pick one, or type a CSS colour such as #0a7268. White text on it must be readable.',
  },
  {
    name: 'accent_color_dark',
    label: 'Button and link colour in dark mode',
    kind: 'color',
    placeholder: '#5fc7ba',
    whenEmpty: 'null',
    hint: 'Leave empty for a lighter shade of the colour above.',
  },
  {
    name: 'radius',
    label: 'Corners',
    kind: 'choice',
    whenEmpty: 'null',
    options: [
      { value: 'none', label: 'Square' },
      { value: 'small', label: 'Slightly rounded' },
      { value: 'medium', label: 'Rounded' },
      { value: 'large', label: 'Very rounded' },
    ],
  },
  {
    name: 'font',
    label: 'Font',
    kind: 'choice',
    whenEmpty: 'null',
    options: [
      { value: 'geist', label: 'Geist' },
      { value: 'system', label: 'System default' },
      { value: 'humanist', label: 'Humanist' },
      { value: 'rounded', label: 'Rounded' },
      { value: 'serif', label: 'Serif' },
      { value: 'mono', label: 'Monospaced' },
    ],
  },
]

/** How the pages look on which buyers of the account pay. */
function Branding() {
  const path = { merchant_account_id: selectedAccount() ?? '' }
  const theme = useRead('GET /merchant-accounts/{merchant_account_id}/theme', { path })
  return (
    <Page title="Branding" under="How your checkout and payment link pages look.">
      <Loaded of={theme}>{(it) => <Editor key={it.updated_at} theme={it} />}</Loaded>
    </Page>
  )
}

function Editor({ theme }: { readonly theme: Theme }) {
  const may = useMay()
  const [look, setLook] = useState<Readonly<Record<string, unknown>>>(theme)
  const [logo, setLogo] = useState<NewLogo | null>()
  const path = { merchant_account_id: theme.merchant_account_id }
  const canChange = may('merchant-accounts.write')
  return (
    <Columns
      main={
        <Section title="Appearance">
          {canChange ? (
            <Form
              fields={FIELDS}
              initial={theme}
              verb="Save"
              onType={setLook}
              send={(body) =>
                send('PUT /merchant-accounts/{merchant_account_id}/theme', {
                  path,
                  body: { ...body, ...(logo !== undefined && { logo }) } as Schemas['UpdateTheme'],
                })
              }
              onDone={() => notify({ title: 'Saved', text: 'Buyers see the new look from now on.' })}
            >
              <Logo url={theme.logo_url} chosen={logo} onChoose={setLogo} />
            </Form>
          ) : (
            <Notice tone="info" title="You can view the branding, but your roles do not allow changes." />
          )}
        </Section>
      }
      side={
        <>
          <Section title="Preview">
            <Sample look={look} />
          </Section>
          <Previews path={path} />
        </>
      }
    />
  )
}

/** The pages as they are saved, with an example order. Nothing can be paid there. */
function Previews({ path }: { readonly path: { readonly merchant_account_id: string } }) {
  const [error, setError] = useState<unknown>()
  const open = async (scheme: 'light' | 'dark') => {
    setError(undefined)
    const preview = await send('GET /merchant-accounts/{merchant_account_id}/theme/preview', {
      path,
      query: { color_scheme: scheme },
    })
    window.open(preview.url, '_blank', 'noopener')
  }
  return (
    <Section title="Full page">
      <p className="quiet-text">The saved look, with an example order. Nothing can be paid there.</p>
      <div className="preview-links">
        {(['light', 'dark'] as const).map((scheme) => (
          <Button key={scheme} icon="open" onClick={() => void open(scheme).catch(setError)}>
            {scheme === 'light' ? 'Open in light mode' : 'Open in dark mode'}
          </Button>
        ))}
      </div>
      {error !== undefined && (
        <Notice tone="bad" title="The preview could not be opened. Try again." isNews />
      )}
    </Section>
  )
}
