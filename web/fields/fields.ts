/**
 * Card fields for the page of a shop: `import { cardForm } from 'https://pay.example.com/fields.js'`. The buyer types
 * into frames of the payment server, so the page never sees a card number.
 */
const CHANNEL = 'secure-fields'
const SERVER = new URL(import.meta.url).origin

export type FieldType = 'number' | 'expiryDate' | 'securityCode' | 'postalCode'

export type FieldState = { readonly valid: boolean; readonly empty: boolean; readonly autofilled: boolean }

/** CSS properties in camel case; those of a state below its name, such as `':focus': { color: 'teal' }`. */
export type Styles = { readonly [name: string]: string | Styles }

export type FieldOptions = {
  /** What screen readers call the field. */
  readonly label?: string
  readonly placeholder?: string
  readonly styles?: Styles
  /** For a security code: the lengths it may have. By default, as its scheme has it. */
  readonly lengths?: readonly number[]
  /** For a postal code: a regular expression that the whole text must match. */
  readonly pattern?: string
}

export type CardFormOptions = {
  /** The id of a checkout session that your server made. */
  readonly session: string
  /** A stored card of the buyer: then the form needs at most a security code. */
  readonly storedCard?: { readonly id: string; readonly scheme?: string }
}

/** What is wrong, as the API says it. `status` is 0 if no answer arrived. */
export class CardFormError extends Error {
  readonly code: string
  readonly status: number
  readonly details: readonly unknown[]

  constructor({ code, status, message, details }: Readonly<Record<string, unknown>>) {
    super(String(message))
    this.name = 'CardFormError'
    this.code = String(code)
    this.status = Number(status)
    this.details = Array.isArray(details) ? details : []
  }
}

type Told = Readonly<Record<string, unknown>> & { readonly type: string; readonly data?: unknown }

type Sending = {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: CardFormError) => void
}

/** As `Promise.withResolvers`, which the oldest browsers do not have. */
function newSending(): Sending {
  let settle: Omit<Sending, 'promise'> | undefined
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...(settle as Omit<Sending, 'promise'>) }
}

/** Dispatches `ready`, `change`, `focus`, `blur` and `input`. Their `detail` says what changed. */
export class CardForm extends EventTarget {
  readonly #name = crypto.getRandomValues(new Uint32Array(1)).join()
  readonly #controller: HTMLIFrameElement
  readonly #fields = new Map<FieldType, HTMLIFrameElement>()
  readonly #stored: CardFormOptions['storedCard']
  #isReady = false
  #sending: Sending | undefined

  constructor({ session, storedCard }: CardFormOptions) {
    super()
    this.#stored = storedCard
    this.#controller = this.#frame('controller.html', {
      sessionId: session,
      ...(storedCard && { paymentMethodId: storedCard.id }),
    })
    this.#controller.hidden = true
    addEventListener('message', this.#hear)
    document.body.append(this.#controller)
  }

  /** Puts a field into an element of the page, in place of what was in it. */
  mount(type: FieldType, place: string | Element, options: FieldOptions = {}): void {
    const element = typeof place === 'string' ? document.querySelector(place) : place
    if (!element) throw new TypeError(`There is no element ${String(place)} for the field ${type}.`)
    const scheme = this.#stored?.scheme
    const frame = this.#frame('input.html', { type, ...(scheme && { paymentMethodScheme: scheme }) })
    frame.title = options.label ?? type
    frame.style.cssText = 'display: block; width: 100%; height: 100%; border: 0; color-scheme: inherit'
    frame.addEventListener('load', () => this.update(type, options))
    this.#fields.get(type)?.remove()
    this.#fields.set(type, frame)
    element.replaceChildren(frame)
  }

  update(type: FieldType, { styles, ...options }: FieldOptions): void {
    const frame = this.#fields.get(type)
    // A frame whose colour scheme differs from its place would be painted on white.
    const colorScheme = frame && getComputedStyle(frame).colorScheme
    this.#post(frame, 'update', {
      ...options,
      styles: pairsOf({ ...(colorScheme && { colorScheme }), ...styles }),
    })
  }

  focus(type: FieldType): void {
    this.#fields.get(type)?.focus()
    this.#post(this.#fields.get(type), 'focus')
  }

  /** Sends the card to the payment server. Rejects with a `CardFormError` if the server does not take it. */
  submit(): Promise<void> {
    if (!this.#sending) {
      this.#sending = newSending()
      if (this.#isReady) this.#post(this.#controller, 'submit')
    }
    return this.#sending.promise
  }

  /** Removes the fields from the page, and what was typed with them. */
  destroy(): void {
    removeEventListener('message', this.#hear)
    for (const frame of [this.#controller, ...this.#fields.values()]) frame.remove()
  }

  #frame(page: string, parameters: Readonly<Record<string, string>>): HTMLIFrameElement {
    const frame = document.createElement('iframe')
    const query = new URLSearchParams({ parentOrigin: location.origin, form: this.#name, ...parameters })
    frame.src = `${SERVER}/${page}?${query}`
    return frame
  }

  #post(frame: HTMLIFrameElement | undefined, type: string, data: unknown = {}): void {
    frame?.contentWindow?.postMessage({ channel: CHANNEL, type, data }, SERVER)
  }

  readonly #hear = ({ origin, source, data }: MessageEvent): void => {
    if (origin !== SERVER || data?.channel !== CHANNEL) return
    const frames = [this.#controller, ...this.#fields.values()]
    if (frames.some(({ contentWindow }) => contentWindow === source)) this.#take(data)
  }

  #take(told: Told): void {
    const { type, data } = told
    if (type === 'ready') {
      this.#isReady = true
      if (this.#sending) this.#post(this.#controller, 'submit')
    }
    const sending = this.#sending
    if (type === 'success' || type === 'error') this.#sending = undefined
    if (type === 'success') sending?.resolve()
    else if (type === 'error') sending?.reject(new CardFormError(told))
    else this.dispatchEvent(new CustomEvent(type === 'form-change' ? 'change' : type, { detail: data }))
  }
}

export function cardForm(options: CardFormOptions): CardForm {
  return new CardForm(options)
}

/** `{ ':focus': { fontSize: '1rem' } }` becomes `[['--focus-font-size', '1rem']]`. */
function pairsOf(styles: Styles, prefix = '--'): [string, string][] {
  return Object.entries(styles).flatMap(([name, value]) => {
    const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^[:-]+/, '')
    return typeof value === 'string' ? [[prefix + words, value]] : pairsOf(value, `${prefix}${words}-`)
  })
}
