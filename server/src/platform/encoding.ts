export type Encoding = 'br' | 'gzip' | 'identity'

/** Brotli before gzip, whatever the client prefers: both are better for it than neither. */
export function encodingFor(header: string | string[] | undefined): Encoding {
  const accepted = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((part): [string, number] => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
        const quality = parameters.find((text) => text.startsWith('q='))?.slice(2)
        return [name, quality === undefined ? 1 : Number(quality)]
      }),
  )
  const isAccepted = (name: string) => (accepted.get(name) ?? accepted.get('*') ?? 0) > 0
  return (['br', 'gzip'] as const).find(isAccepted) ?? 'identity'
}
