import { useId, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { selectedAccount } from '../api/account.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Form } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { base64Of, type Field, field } from '../parts/fields.tsx'
import { Columns, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { notify } from '../shell/notices.tsx'
import './theme.css'

export const pages = { '/': Branding }

type Theme = Schemas['Theme']

const FIELDS: readonly Field[] = [
  field('color', 'accent_color', 'Button and link colour', {
    placeholder: '#0a7268',
    whenEmpty: 'null',
    hint: 'Pick one, or type a CSS colour such as #0a7268. White text on it must be readable.',
  }),
  field('color', 'accent_color_dark', 'Button and link colour in dark mode', {
    placeholder: '#5fc7ba',
    whenEmpty: 'null',
    hint: 'Leave empty for a lighter shade of the colour above.',
  }),
  field('choice', 'radius', 'Corners', {
    whenEmpty: 'null',
    options: [
      { value: 'none', label: 'Square' },
      { value: 'small', label: 'Slightly rounded' },
      { value: 'medium', label: 'Rounded' },
      { value: 'large', label: 'Very rounded' },
    ],
  }),
  field('choice', 'font', 'Font', {
    whenEmpty: 'null',
    options: [
      { value: 'geist', label: 'Geist' },
      { value: 'system', label: 'System default' },
      { value: 'humanist', label: 'Humanist' },
      { value: 'rounded', label: 'Rounded' },
      { value: 'serif', label: 'Serif' },
      { value: 'mono', label: 'Monospaced' },
    ],
  }),
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

type NewLogo = Schemas['NewThemeLogo']

const TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']
const MOST_BYTES = 102_400

type Props = {
  readonly url: string | null
  /** Undefined: it stays as it is. Null: it goes. */
  readonly chosen: NewLogo | null | undefined
  readonly onChoose: (logo: NewLogo | null | undefined) => void
}

function Logo({ url, chosen, onChoose }: Props) {
  const id = useId()
  const [fault, setFault] = useState<string>()
  const read = async (file: File | undefined) => {
    setFault(undefined)
    if (!file) return
    if (!TYPES.includes(file.type) || file.size > MOST_BYTES) {
      setFault('PNG, JPEG or WebP, up to 100 kB.')
      return
    }
    const data = base64Of(new Uint8Array(await file.arrayBuffer()))
    onChoose({ media_type: file.type as NewLogo['media_type'], data })
  }
  return (
    <div className="field">
      <label htmlFor={id}>Logo</label>
      <input
        id={id}
        type="file"
        accept={TYPES.join(',')}
        aria-describedby={`${id}-fault`}
        onChange={({ target }) => void read(target.files?.[0])}
      />
      <p className="hint">{stateOf(url, chosen)}</p>
      <p className="fault" id={`${id}-fault`} role="alert">
        {fault}
      </p>
      {url !== null && chosen !== null && (
        <div>
          <Button onClick={() => onChoose(null)}>Remove the logo</Button>
        </div>
      )}
    </div>
  )
}

function stateOf(url: string | null, chosen: Props['chosen']): string {
  if (chosen === null) return 'The logo is removed when you save.'
  if (chosen) return 'The logo is replaced when you save.'
  return url === null ? 'No logo: the account name is shown.' : 'A new logo replaces the current one.'
}

const RADII: Readonly<Record<string, string>> = { none: '0', small: '4px', medium: '8px', large: '16px' }
const FONTS: Readonly<Record<string, string>> = {
  geist: 'Geist, sans-serif',
  system: 'system-ui, sans-serif',
  humanist: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, sans-serif',
  rounded: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Nunito, sans-serif',
  serif: 'ui-serif, Charter, Georgia, serif',
  mono: 'ui-monospace, monospace',
}

/** A sketch of a form for paying, in the look that was typed. What is not a colour changes nothing. */
function Sample({ look }: { readonly look: Readonly<Record<string, unknown>> }) {
  const accent = textOf(look['accent_color'])
  const dark = textOf(look['accent_color_dark'])
  const shape = {
    fontFamily: FONTS[textOf(look['font'])] ?? FONTS['geist'],
    '--sample-radius': RADII[textOf(look['radius'])] ?? RADII['medium'],
  }
  return (
    <div className="samples" aria-hidden="true">
      {(['light', 'dark'] as const).map((scheme) => (
        <div key={scheme} className={`sample ${scheme}`} style={shape}>
          <span className="sample-label">Card number</span>
          <span className="sample-field">4111 1111 1111 1111</span>
          <span
            className="sample-pay"
            style={{ backgroundColor: scheme === 'dark' ? dark || lighter(accent) : accent }}
          >
            Pay $42.00
          </span>
        </div>
      ))}
    </div>
  )
}

/** About as much lighter as the service makes it. */
function lighter(color: string): string {
  return color && `color-mix(in oklab, ${color} 55%, white)`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
