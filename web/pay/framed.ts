import type { PageState } from '../../server/src/domain/pay-page.ts'
import { followScheme } from '../design/theme.ts'
import type { Answer } from './talk.ts'

/** The page of the shop that shows us in a frame. */
export type Frame = {
  readonly origin: string
  readonly tell: (state: PageState, isLost: boolean) => void
  /** As that of `location`, for the window of the shop: pages of banks refuse frames. */
  readonly assign: (url: string) => void
  /** Whoever shows us has the button, and asks for everything that the form knows. */
  readonly watch?: (form: Watched) => void
}

export type Watched = {
  readonly way:
    | { readonly kind: 'card' }
    | { readonly kind: 'saved'; readonly card: { readonly id: string } }
    | { readonly kind: 'method'; readonly method: { readonly method: string; readonly label: string } }
    | undefined
  readonly card: { readonly number: string }
  readonly errors: object
  readonly submit: () => Promise<Answer | undefined>
}

const CHANNEL = 'switchyard-checkout'

/** What the shop hears is a status and an id. The server has said that its origin may show us. */
export function fitInto(origin: string): Frame {
  const given = new URLSearchParams(location.search)
  document.documentElement.dataset['framed'] = ''
  followScheme(given.get('scheme') ?? '')
  // Links lead the window of the shop elsewhere.
  const base = document.createElement('base')
  base.target = '_top'
  document.head.append(base)

  let told = ''
  let latest = {}
  const post = (message: object) => parent.postMessage({ channel: CHANNEL, ...message }, origin)
  const measure = () => {
    const { height } = document.documentElement.getBoundingClientRect()
    post({ type: 'resize', height: Math.ceil(height) })
  }

  function begin(): void {
    // Browsers do not draw frames out of sight, and then do not observe them either. So the first height is measured.
    measure()
    new ResizeObserver(measure).observe(document.documentElement)
    post({ type: 'ready', ...latest })
  }

  return {
    origin,
    tell(state, isLost) {
      keepInAddress(given)
      const type = eventOf(state, isLost)
      latest = { status: isLost ? 'processing' : state.status, transactionId: state.own?.id ?? null }
      if (!told) begin()
      const next = JSON.stringify({ type, ...latest })
      if (type && next !== told) post({ type, ...latest })
      told = next
    },
    assign: (url) => post({ type: 'redirect', ...latest, url }),
  }
}

function eventOf({ status, own }: PageState, isLost: boolean): string | undefined {
  if (isLost || status === 'processing') return 'waiting'
  if (status !== 'open') return status
  return own?.outcome === 'failed' ? 'declined' : undefined
}

/** So that we still know our frame if it is loaded again. */
function keepInAddress(given: URLSearchParams): void {
  const query = new URLSearchParams(location.search)
  for (const name of ['embed', 'scheme', 'fingerprint']) {
    const value = given.get(name)
    if (value !== null) query.set(name, value)
  }
  history.replaceState(null, '', `?${query}`)
}
