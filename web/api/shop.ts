/** What the public package passes on of what the shop has said. Nobody has checked it. */
export type Options = {
  readonly token?: unknown
  readonly locale?: unknown
  readonly store?: unknown
  readonly display?: unknown
  readonly theme?: { readonly colors?: { readonly primary?: unknown } } | null
  readonly billingAddressFields?: Readonly<Record<string, unknown>> | null
  readonly customOptions?: readonly { readonly method?: unknown; readonly label?: unknown }[] | null
  readonly excludedMethods?: readonly unknown[] | null
  readonly optionLabels?: Readonly<Record<string, unknown>> | null
  readonly [name: string]: unknown
}

/** The window of the shop. Other origins neither hear nor are heard. */
export type Shop = {
  readonly origin: string
  readonly post: (type: string, data?: unknown) => void
  readonly on: (type: string, hear: (data: unknown) => void | Promise<void>) => void
}

export function shopAt(origin: string, channel: string): Shop {
  return {
    origin,
    post: (type, data) => parent.postMessage({ channel, type, data }, origin),
    on: (type, hear) =>
      addEventListener('message', ({ source, origin: sender, data }) => {
        const isHeard = source === parent && sender === origin && data?.channel === channel
        if (isHeard && data.type === type) void hear(data.data)
      }),
  }
}

/** The package sends its options to a frame that says that it is there. */
export function optionsOf({ on, post }: Shop): Promise<Options> {
  return new Promise((resolve) => {
    on('updateOptions', (data) => resolve(data as Options))
    post('frameReady')
  })
}

export type ApiError = {
  readonly type: 'error'
  readonly code: string
  readonly status: number
  readonly message: string
  readonly details: readonly { readonly pointer?: string; readonly message?: string }[]
}

/** What the shop hears of an error, and the buyer reads. */
export function textOf({ message, details }: ApiError): string {
  const [first] = details
  return first ? `${first.pointer ?? ''} ${first.message ?? ''}`.trim() : message
}
