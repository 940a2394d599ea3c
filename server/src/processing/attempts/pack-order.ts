import { Masked } from '#vault'

type Path = readonly string[]
type Packed = { readonly order: unknown; readonly secrets: readonly (readonly [Path, string])[] }

/** An order as text for the vault. The security code is apart, because it is kept for a shorter time. */
export type PackedOrder = { readonly text: Masked; readonly code: Masked | null }

const CODE = 'securityCode'

/** Packs everything that was sent, secrets as well, so that it can be sent again to the byte. */
export function packOrder(order: object): PackedOrder {
  const secrets: [Path, string][] = []
  let code: Masked | null = null
  const plain = (value: unknown, path: Path): unknown => {
    if (isSecret(value)) {
      if (path.at(-1) === CODE) code = value.use((bytes) => new Masked(bytes))
      else secrets.push([path, value.use((bytes) => bytes.toString('base64'))])
      return null
    }
    if (Array.isArray(value)) return value.map((inner, at) => plain(inner, [...path, String(at)]))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, plain(inner, [...path, name])]),
    )
  }
  const packed: Packed = { order: plain(order, []), secrets }
  return { text: new Masked(JSON.stringify(packed)), code }
}

/** The order as it was. Without a code, its security code is null. */
export function unpackOrder<Order>({ text, code }: PackedOrder): Order {
  const { order, secrets } = text.use((bytes) => JSON.parse(bytes.toString('utf8'))) as Packed
  for (const [path, value] of secrets) put(order, path, new Masked(Buffer.from(value, 'base64')))
  const { instrument } = order as { instrument?: object }
  if (code && instrument && CODE in instrument)
    put(
      instrument,
      [CODE],
      code.use((bytes) => new Masked(bytes)),
    )
  return order as Order
}

/** Overwrites the secrets of an unpacked order. */
export function clearOrder(order: unknown): void {
  if (order instanceof Masked) order.clear()
  else if (order !== null && typeof order === 'object') Object.values(order).forEach(clearOrder)
}

/** The secrets of an order as text, to look for them where they must not be. */
export function secretsIn(order: unknown): string[] {
  if (isSecret(order)) return [order.use((bytes) => bytes.toString('utf8'))]
  return order !== null && typeof order === 'object' ? Object.values(order).flatMap(secretsIn) : []
}

function put(into: unknown, path: Path, value: Masked): void {
  const [name = '', ...rest] = path
  const place = into as Record<string, unknown>
  if (rest.length === 0) place[name] = value
  else put(place[name], rest, value)
}

type Secret = { readonly use: <Result>(work: (bytes: Buffer) => Result) => Result }

function isSecret(value: unknown): value is Secret {
  return typeof value === 'object' && value !== null && 'use' in value && typeof value.use === 'function'
}
