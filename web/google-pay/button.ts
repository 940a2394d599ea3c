/**
 * Google's own button, in a frame on a host of its own. Google's script has no digest: it changes without notice. Here it reaches no card
 * field, no session and no page of ours. The page for paying says what to pay, and hears what the buyer approved.
 */
import type { ButtonMessage, ButtonOrder } from '../../server/src/domain/google-button.ts'

type Facts = {
  /** The origin of the page for paying. */
  readonly origin: string
  readonly environment: 'TEST' | 'PRODUCTION'
  readonly script: string
  readonly channel: string
}

/** What Google's script has, as far as it is used here. */
type Client = {
  readonly isReadyToPay: (request: object) => Promise<{ readonly result: boolean }>
  readonly createButton: (options: object) => HTMLElement
  readonly loadPaymentData: (request: object) => Promise<object>
}
type Google = {
  readonly payments: { readonly api: { readonly PaymentsClient: new (options: object) => Client } }
}

const facts: Facts = JSON.parse(document.getElementById('data')?.textContent ?? '{}')
let order: ButtonOrder | undefined

const tell = (message: ButtonMessage) =>
  parent.postMessage({ channel: facts.channel, ...message }, facts.origin)

addEventListener('message', ({ origin, source, data }) => {
  if (origin !== facts.origin || source !== parent || data?.channel !== facts.channel) return
  const isFirst = order === undefined
  order = data.order as ButtonOrder
  if (isFirst) show(order).catch(() => tell({ type: 'none' }))
})
tell({ type: 'hello' })

async function show({ request, locale, isDark, radius }: ButtonOrder): Promise<void> {
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  await load(facts.script)
  const { google } = window as unknown as { readonly google: Google }
  const { PaymentsClient } = google.payments.api
  const client = new PaymentsClient({ environment: facts.environment, merchantInfo: request.merchantInfo })
  const { apiVersion, apiVersionMinor, allowedPaymentMethods } = request
  const { result } = await client.isReadyToPay({ apiVersion, apiVersionMinor, allowedPaymentMethods })
  if (!result) return tell({ type: 'none' })
  const button = client.createButton({
    buttonColor: isDark ? 'white' : 'black',
    buttonType: 'plain',
    buttonSizeMode: 'fill',
    buttonLocale: locale,
    buttonRadius: radius,
    allowedPaymentMethods,
    onClick: () => void pay(client),
  })
  document.body.replaceChildren(button)
  tell({ type: 'ready' })
}

/** Follows a click at once, or browsers refuse. */
async function pay(client: Client): Promise<void> {
  if (!order) return
  try {
    tell({ type: 'paid', payment: await client.loadPaymentData(order.request) })
  } catch (error) {
    const { statusCode } = error as { readonly statusCode?: string }
    tell({ type: statusCode === 'CANCELED' ? 'closed' : 'trouble' })
  }
}

function load(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.onload = () => resolve()
    script.onerror = () => reject(new Error('the script was not loaded'))
    document.head.append(script)
  })
}
