import type { OwnPayment } from '../../server/src/domain/pay-page.ts'
import type { Words } from './words.ts'

type Asked = {
  readonly words: Words
  readonly own: OwnPayment
  /** Who asks for how much, and until when. */
  readonly about: string
  readonly onCancel: () => Promise<void>
}

/**
 * Shows the page of the bank in a frame of ours. A browser does not say that a page refuses to be shown in a frame, so the
 * buyer can always give it the whole window.
 */
export function showChallenge(place: HTMLElement, { words, own, about, onCancel }: Asked): void {
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
  under.append(cancelButton(words, onCancel))
  const texts = [words.approveText, about].map((textContent) => make('p', { textContent }))
  place.replaceChildren(heading, ...texts, frame, under)
  heading.focus()
}

/** Our page in the frame says that the buyer has decided. */
addEventListener('message', ({ origin, data }) => {
  // The page then asks how the payment stands.
  if (origin === location.origin && data === 'switchyard-approval') dispatchEvent(new Event('decided'))
})

function cancelButton(words: Words, onCancel: Asked['onCancel']): HTMLElement {
  const button = make('button', { type: 'button', className: 'link', textContent: words.another })
  button.addEventListener('click', () => {
    if (button.ariaDisabled) return
    button.ariaDisabled = 'true'
    // If it cannot be cancelled now, the buyer can press it again.
    void onCancel().finally(() => {
      button.ariaDisabled = null
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
