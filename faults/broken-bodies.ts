import fc from 'fast-check'

/** A body as it goes over the wire, and whether no service may take it, whatever its schema says. */
export type Body = { readonly text: string | Buffer; readonly isHopeless: boolean }

const BODY_MAX = 1024 * 1024
const DEPTH = 10_000

/** Numbers that JSON has and JavaScript cannot hold are put in as these words. */
const HUGE = '@1e400@'
const LONG_NUMBER = '@123456789012345678901234567890@'

/** Spoils one place of a valid body. It may still be valid afterwards: the schema says. */
export function brokenBody(valid: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const spoiled = fc
    .tuple(valid, fc.nat(), fc.constantFrom(...DAMAGES), junk)
    .map(([body, place, damage, value]): Body => written(spoil(body, place, damage, value)))
  return fc.oneof({ arbitrary: spoiled, weight: 6 }, { arbitrary: fc.constantFrom(...WHOLE), weight: 1 })
}

export function written(body: unknown): Body {
  const text = (JSON.stringify(body) ?? 'null').replaceAll(/"@(1e400|\d{30})@"/g, '$1')
  return { text, isHopeless: Buffer.byteLength(text) > BODY_MAX || isHopeless(body) }
}

type Damage = 'replace' | 'remove' | 'add' | 'wrap' | 'repeat'
const DAMAGES: readonly Damage[] = ['replace', 'replace', 'replace', 'remove', 'add', 'wrap', 'repeat']

const EXTRA_KEYS = ['surprise', '__proto__', 'constructor', 'hasOwnProperty', 'a\0b', '\ud800', '', 'Amount']

const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e21, 2 ** 53, -(2 ** 31) - 1, HUGE, LONG_NUMBER),
  fc.constantFrom<unknown>('', ' ', 'x', '12', 'true', 'é'.repeat(400)),
  fc.constantFrom<unknown>('\0', '\0\0', 'a\0b', '\ud800', 'a\udc00b'),
  fc.constantFrom<unknown>([], {}, [null], [[]], { surprise: 1 }, { constructor: { prototype: {} } }),
  fc.constantFrom('x'.repeat(5_000), '9'.repeat(5_000)),
  fc.jsonValue({ maxDepth: 3 }),
)

type Place = { readonly holder: Record<string, unknown> | unknown[]; readonly key: string | number }

function spoil(body: unknown, at: number, damage: Damage, value: unknown): unknown {
  const copy = structuredClone({ body })
  const places = placesIn(copy)
  const place = places[at % places.length]
  if (!place) return value
  const { holder, key } = place
  const inner = holder[key as never] as unknown
  switch (damage) {
    case 'replace':
      put(place, value)
      break
    case 'remove':
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else if (holder !== copy) delete holder[key]
      break
    case 'add':
      addTo(place, EXTRA_KEYS[at % EXTRA_KEYS.length] ?? '', value)
      break
    case 'wrap':
      put(place, at % 2 === 0 ? [inner] : { value: inner })
      break
    case 'repeat':
      put(place, Array.isArray(inner) && inner.length > 0 ? Array(600).fill(inner[0]) : [inner, inner])
      break
  }
  return copy.body
}

/** Every place in a value, at any depth. */
function placesIn(root: object): Place[] {
  return Object.entries(root).flatMap(([key, inner]): Place[] => {
    const holder = root as Place['holder']
    const own: Place = { holder, key }
    return inner !== null && typeof inner === 'object' ? [own, ...placesIn(inner)] : [own]
  })
}

function put({ holder, key }: Place, value: unknown): void {
  // Assigning to `__proto__` would not add a field.
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true })
}

function addTo({ holder, key }: Place, name: string, value: unknown): void {
  const inner = holder[key as never] as unknown
  if (Array.isArray(inner)) inner.push(value)
  else if (inner !== null && typeof inner === 'object') put({ holder: inner as never, key: name }, value)
  else put({ holder, key }, { [name]: value })
}

/**
 * Text that cannot be stored, and keys that poison prototypes, are refused wherever they are. A NUL character alone is not:
 * in filters it stands for a missing value.
 */
function isHopeless(value: unknown): boolean {
  if (typeof value === 'string') return (value !== '\0' && value.includes('\0')) || !value.isWellFormed()
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(
    ([name, inner]) =>
      name === '__proto__' ||
      (name === 'constructor' && inner !== null && typeof inner === 'object' && 'prototype' in inner) ||
      isHopeless(name) ||
      isHopeless(inner),
  )
}

const hopeless = (text: string | Buffer): Body => ({ text, isHopeless: true })
const maybe = (text: string | Buffer): Body => ({ text, isHopeless: false })

/** Bodies that are wrong as a whole. Some are not JSON; others only the schema can refuse. */
const WHOLE: readonly Body[] = [
  hopeless('{'),
  hopeless('{"amount":1,}'),
  hopeless('{"amount":NaN}'),
  hopeless("{'amount':1}"),
  hopeless('{"a":1}{"b":2}'),
  maybe('[]'),
  hopeless('"text"'),
  hopeless('12'),
  hopeless('1e400'),
  hopeless('"\\ud800"'),
  hopeless('{"__proto__":{"isAdmin":true}}'),
  hopeless('{"constructor":{"prototype":{"isAdmin":true}}}'),
  hopeless('[['.repeat(DEPTH / 2) + ']]'.repeat(DEPTH / 2)),
  hopeless(`${'{"metadata":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`),
  hopeless('['.repeat(DEPTH)),
  hopeless(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])),
  hopeless(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
  hopeless(Buffer.from('{"amount":1}', 'utf16le')),
  hopeless(JSON.stringify({ description: 'x'.repeat(2 * BODY_MAX) })),
  hopeless(`[${'1,'.repeat(BODY_MAX)}1]`),
  hopeless(`{${Array.from({ length: 30_000 }, (_, index) => `"f${index}":1`).join(',')}}`),
  maybe('null'),
  maybe('{}'),
  maybe('\ufeff{}'),
  maybe(' \n{}\n '),
  maybe('{"amount":1,"amount":2}'),
  maybe(''),
]
