import type { OwnPayment } from '../../server/src/domain/pay-page.ts'
import type { Words } from './words/en.ts'

/** This file is loaded only when a bank asks, so it imports nothing else. */
type Asked = {
  readonly words: Words
  readonly own: OwnPayment
  /** Where the page asks. */
  readonly path: string
  /** The secret of the form. Null: this browser cannot show that the payment is its own. */
  readonly attempt: string | null
}

/** As tall as banks make their larger pages for frames. */
const LOOK = `
  .challenge { display: grid; gap: 12px; max-width: 32rem }
  .challenge h1 { font-size: 1.375rem; line-height: 1.3; outline: none }
  .challenge iframe { width: 100%; height: 600px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--ground) }
  .challenge div { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 8px 24px }
`
const sheet = new CSSStyleSheet()
sheet.replaceSync(LOOK)
document.adoptedStyleSheets.push(sheet)

/**
 * Shows the page of the bank in a frame of ours. A browser does not say that a page refuses to be shown in a frame, so the
 * buyer can always give it the whole window.
 */
export function showChallenge(place: HTMLElement, { words, own, path, attempt }: Asked): void {
  const url = own.approval_frame_url ?? ''
  // Whatever else has changed, the buyer goes on in the same frame.
  if (place.querySelector('iframe')?.src === url) return
  const heading = make('h1', { textContent: words.approve, tabIndex: -1 })
  const frame = make('iframe', {
    src: url,
    title: words.approve,
    allow: 'payment; publickey-credentials-get',
  })
  const under = make('div', {})
  under.append(make('a', { textContent: words.wholeWindow, href: own.approval_url ?? '', rel: 'noreferrer' }))
  if (attempt !== null) under.append(cancelButton(words, `${path}/cancel`, attempt))
  place.replaceChildren(heading, make('p', { textContent: words.approveText }), frame, under)
  heading.focus()
}

/** Our page in the frame says that the buyer has decided. */
addEventListener('message', ({ origin, data }) => {
  if (origin === location.origin && data === 'switchyard-approval') decided()
})

/** The page then asks how the payment stands. */
function decided(): void {
  dispatchEvent(new Event('decided'))
}

function cancelButton(words: Words, url: string, attempt: string): HTMLElement {
  const button = make('button', { type: 'button', className: 'link', textContent: words.cancel })
  button.addEventListener('click', () => {
    if (button.ariaDisabled) return
    button.ariaDisabled = 'true'
    const headers = { 'content-type': 'application/json' }
    void fetch(url, { method: 'POST', headers, body: JSON.stringify({ attempt }) })
      // Without a connection, the buyer can press it again.
      .catch(() => {})
      .finally(() => {
        button.ariaDisabled = null
        decided()
      })
  })
  return button
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties)
}
