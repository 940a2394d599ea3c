export type Encoding = 'br' | 'gzip' | 'identity'

/** Brotli before gzip, whatever the client prefers: both are better for it than neither. */
export function encodingFor(header: string | string[] | undefined): Encoding {
  return firstAccepted(header, ['br', 'gzip']) ?? 'identity'
}

/** The first of the offered encodings that the client accepts. Undefined: it wants the text as it is. */
export function firstAccepted<Offered extends string>(
  header: string | string[] | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  if (header === undefined) return undefined
  const accepted = new Map(
    String(header)
      .toLowerCase()
      .split(',')
      .map((part): [string, number] => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
        const quality = parameters.find((text) => text.startsWith('q='))?.slice(2)
        return [name, quality === undefined ? 1 : Number(quality)]
      }),
  )
  return offered.find((name) => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0)
}
