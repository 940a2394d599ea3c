import type { OrderFacts, PageState } from '../../server/src/domain/pay-page.ts'
import { isSeries, openPage, renamed } from '../api/open-page.ts'
import { type ApiError, type Options, optionsOf, type Shop, shopAt } from '../api/shop.ts'
import { followScheme } from '../design/theme.ts'
import type { Desk } from './desk.ts'
import type { Frame, Watched } from './framed.ts'
import { claim } from './use-order.ts'
import { fill, type Words } from './words.ts'

type Given = Omit<Desk, 'money' | 'frame' | 'order'> & { readonly order: OrderFacts | null }

/** Talks with the public drop-in package: its button, its events, its windows. */
export async function connect<All extends Given>(
  origin: string,
  channel: string,
  given: All,
): Promise<Omit<All, 'order' | 'words'> & { order: OrderFacts | null; words: Words; frame: Frame }> {
  const shop = shopAt(origin, channel)
  const options = await optionsOf(shop)
  const order = given.order && offered(given.order, options)
  const words = { ...given.words, ...labelled(options) }
  dress(options)
  const frame = order ? talk(shop, options, { order, words }) : { origin, tell() {}, assign() {} }
  return { ...given, order, words, frame }
}

/** The ways to pay that the shop wants. */
function offered(order: OrderFacts, options: Options): OrderFacts {
  const { display, excludedMethods, optionLabels, customOptions, paymentSource } = options
  const excluded = new Set(excludedMethods ?? [])
  const keepsOnly = display === 'supportsTokenization' || isSeries(paymentSource)
  const isStoredOnly = display === 'storedOnly'
  const takesCards = order.takes_cards && !excluded.has('card')
  const methods = isStoredOnly || keepsOnly ? [] : order.methods.filter(({ method }) => !excluded.has(method))
  return {
    ...order,
    takes_cards: takesCards && !isStoredOnly,
    saved_cards: takesCards && display !== 'addOnly' ? order.saved_cards : [],
    methods: [
      ...methods.map((one) => ({ ...one, label: String(optionLabels?.[one.method] ?? one.label) })),
      ...(customOptions ?? []).map(({ method, label }) => ({
        method: `${CUSTOM}${method}`,
        label: String(label ?? method),
        icon_url: null,
        fields: [],
      })),
    ],
    takes_gift_cards: order.takes_gift_cards && !isStoredOnly && !keepsOnly && !excluded.has('gift-card'),
    // Their sheets belong to the page of the shop, and its domain.
    wallets: [],
  }
}

/** Ways to pay that the shop alone knows. It is asked to go on in place of us. */
const CUSTOM = 'custom:'

function labelled({ optionLabels }: Options): Partial<Words> {
  const label = optionLabels?.['card']
  return typeof label === 'string' ? { card: label } : {}
}

/** The button is the shop's, and so is what is around the form. */
function dress({ theme, showDeleteButton }: Options): void {
  const { dataset, style } = document.documentElement
  dataset['framed'] = ''
  followScheme('light')
  const primary = String(theme?.colors?.primary ?? '')
  if (CSS.supports('color', primary)) style.setProperty('--look', primary)
  const base = document.createElement('base')
  base.target = '_top'
  document.head.append(base)
  const hidden = ['.order', 'button.pay', 'footer', ...(showDeleteButton ? [] : ['.way > .link'])]
  document.styleSheets[0]?.insertRule(`:is(${hidden.join()}) { display: none !important }`)
  // The key Enter in a field. Only the shop sends the form.
  addEventListener(
    'submit',
    (event) => {
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    true,
  )
}

type Shown = { readonly order: OrderFacts; readonly words: Words }

function talk(shop: Shop, given: Options, { order, words }: Shown): Frame {
  const { post } = shop
  let options = given
  let state: PageState = order.state
  let form: Watched | undefined
  let isLost = false
  let told: string | undefined
  let led: string | undefined
  let isBusy = false
  const changes = changesOf(shop, order)

  async function tellTransaction(): Promise<void> {
    const response = await fetch(`${order.path}/transaction?${claim(order.path)}`)
    if (!response.ok) return
    const transaction = (await response.json()) as { error_code?: string; canceled_at?: string | null }
    const { error_code, canceled_at } = transaction
    if (error_code === 'cancelled_buyer_approval' || canceled_at) post('transactionCancelled')
    else post('transactionCreated', renamed(transaction, camel))
  }

  function fail(error: ApiError): void {
    post('apiError', error)
    post('transactionFailed', error)
  }

  /** What the shop changes at the last moment. */
  async function prepare(): Promise<boolean> {
    if (!options['hasBeforeTransaction']) return true
    const said = await new Promise<Options | undefined>((resolve) => {
      shop.on('beforeTransactionDone', (data) => resolve((data ?? {}) as Options))
      shop.on('beforeTransactionError', () => resolve(undefined))
      post('beforeTransactionPending')
    })
    if (!said) {
      fail(errorOf('The shop did not go on: onBeforeTransaction failed'))
      return false
    }
    options = { ...options, ...said }
    const changed =
      Object.keys(said).length > 0 && (await openPage(shop, options, location.origin + order.path))
    if (!changed || !('error' in changed)) return true
    fail(changed.error)
    return false
  }

  shop.on('submitForm', async () => {
    if (!form || isBusy || isLost || state.status !== 'open' || chosenOf(form.way).mode === 'custom') return
    isBusy = true
    if (Object.keys(form.errors).length > 0) {
      void form.submit()
      post('formValidationFailed')
    } else if (await prepare()) {
      const answer = await form.submit()
      const isOn = answer?.kind === 'lost' || (answer?.kind === 'state' && answer.state.own)
      if (!isOn) fail(errorOf(document.querySelector('[role=alert]')?.textContent || words.failed))
    }
    isBusy = false
  })
  // The window of the other service was closed, or its page has cut it off from the shop's. The buyer says which.
  shop.on('approvalCancelled', () => void dispatchEvent(new Event('decided')))

  return {
    origin: shop.origin,
    tell(next, isAway) {
      state = next
      isLost = isAway
      const { own } = state
      if (isLost || !own || own.id === told || (own.outcome === 'pending' && own.approval_url)) return
      told = own.id
      void tellTransaction()
    },
    assign(url) {
      if (url === led) return
      led = url
      post('modeUpdated', windowFor(words, ''))
      post('approvalUrl', url)
    },
    watch(next) {
      if (!form) begin(shop, order, options)
      form = next
      changes(next, words)
    },
  }
}

function errorOf(message: string): ApiError {
  return { type: 'error', code: 'bad_request', status: 400, message, details: [] }
}

/** The first of all: what there is to choose from, and how high it is. */
function begin({ post }: Shop, order: OrderFacts, { autoSelectOption, store }: Options): void {
  const card = { method: 'card', mode: 'card' }
  post('optionsLoaded', [
    ...order.saved_cards.map(({ id }) => ({ id, ...card })),
    ...(order.takes_cards ? [card] : []),
    ...order.methods.map(({ method }) => optionOf(method)),
  ])
  const measure = () => {
    const { height } = document.documentElement.getBoundingClientRect()
    post('resize', { frame: { height: Math.ceil(height) } })
  }
  new ResizeObserver(measure).observe(document.documentElement)
  // The package hears of heights when it has shown the frame.
  setTimeout(measure, 50)
  const other = order.takes_cards ? 'card' : order.methods[0]?.method
  if (autoSelectOption === 'firstNonStored' && other) choose(`[name=way][value="${CSS.escape(other)}"]`)
  if (store === 'preselect') choose('[name=save]')
}

function choose(selector: string): void {
  const input = document.querySelector<HTMLInputElement>(selector)
  if (!input?.checked) input?.click()
}

/** Tells the shop what has changed in the form, and never what was typed but for the first eight digits. */
function changesOf({ post }: Shop, order: OrderFacts) {
  const last: Record<string, string> = {}
  const isNew = (name: string, value: string) => {
    if (last[name] === value) return false
    last[name] = value
    return true
  }
  return ({ way, card, errors }: Watched, words: Words): void => {
    const isValid = Object.keys(errors).length === 0
    if (isNew('valid', String(isValid))) post('formUpdate', { valid: isValid })
    const option = chosenOf(way)
    if (option && isNew('option', JSON.stringify(option))) {
      const label = way?.kind === 'method' && option.mode === 'redirect' ? way.method.label : undefined
      post('modeUpdated', label === undefined ? {} : windowFor(words, label))
      post('paymentMethodSelected', option)
    }
    const bin = card.number.replaceAll(/\D/g, '').slice(0, 8)
    if (bin.length === 8 && isNew('bin', bin)) void tellCard(bin)
  }

  async function tellCard(bin: string): Promise<void> {
    const session = order.path.split('/').at(-2)
    const response = await fetch(`/checkout/sessions/${session}/card-details`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ bin }),
    })
    if (!response.ok || last['bin'] !== bin) return
    const { scheme, card_type: cardType } = await response.json()
    post('cardDetailsChanged', { bin, scheme, cardType })
  }
}

function optionOf(method: string): { readonly method: string; readonly mode: string } {
  const isCustom = method.startsWith(CUSTOM)
  return isCustom ? { method: method.slice(CUSTOM.length), mode: 'custom' } : { method, mode: 'redirect' }
}

function chosenOf(way: Watched['way']): { readonly method: string; readonly mode: string } {
  if (!way) return { method: 'gift-card', mode: 'gift-card' }
  if (way.kind === 'method') return optionOf(way.method.method)
  return { ...(way.kind === 'saved' && { id: way.card.id }), method: 'card', mode: 'card' }
}

/** What the package writes into the window that it opens, and around it. */
function windowFor(words: Words, name: string): object {
  const title = words.approve
  return {
    popup: { title, message: words.processing },
    overlay: {
      title,
      message: words.approveText,
      link: name ? fill(words.continueTo, { name }) : title,
      cancel: words.another,
    },
  }
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())
}
