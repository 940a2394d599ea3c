/** A form body with brackets, decoded: `card[number]=4` is `{ card: { number: '4' } }`. */
export type Form = { readonly [name: string]: Value }
export type Value = string | readonly Value[] | Form

type Open = { [name: string]: Open | string }

/** `expand[]=a` and `expand[0]=a` are the same list. */
export function decodeForm(text: string): Form {
  const root: Open = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) put(root, pathOf(name), value)
  return closed(root) as Form
}

function pathOf(name: string): string[] {
  const [head = ''] = name.split('[', 1)
  return [head, ...[...name.slice(head.length).matchAll(/\[([^\]]*)\]/g)].map(([, part = '']) => part)]
}

function put(root: Open, path: readonly string[], value: string): void {
  let place = root
  for (const [depth, step] of path.entries()) {
    const name = step === '' ? String(Object.keys(place).length) : step
    if (depth === path.length - 1) {
      place[name] = value
      return
    }
    const next = place[name]
    const inner: Open = typeof next === 'object' ? next : Object.create(null)
    place[name] = inner
    place = inner
  }
}

function closed(open: Open | string): Value {
  if (typeof open === 'string') return open
  const names = Object.keys(open)
  const isList = names.length > 0 && names.every((name, place) => name === String(place))
  if (isList) return names.map((name) => closed(open[name] ?? ''))
  return Object.fromEntries(names.map((name) => [name, closed(open[name] ?? '')]))
}
