/** Those that are named, or all if none is. A string says which names nobody has. */
export function choose<Named extends { readonly name: string }>(
  all: readonly Named[],
  names: readonly string[],
): readonly Named[] | string {
  const strangers = names.filter((name) => !all.some((one) => one.name === name))
  if (strangers.length > 0) {
    return `Unknown: ${strangers.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}.`
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name))
}
