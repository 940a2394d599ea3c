/** The named ones, or all if no name is given. A string lists names that do not exist. */
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
