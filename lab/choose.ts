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

type Titled = { readonly name: string; readonly title: string }

/** What `--help` prints. */
export function usageOf(command: string, options: object, all: readonly Titled[]): string {
  const width = Math.max(...all.map(({ name }) => name.length))
  return [
    `${command} -- [NAME …] ${Object.keys(options)
      .filter((name) => name !== 'help')
      .map((name) => `[--${name}]`)
      .join(' ')}`,
    'Without a name, all of them run, one after another. Their explanations are in the page that they write.',
    '',
    ...all.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`),
  ].join('\n')
}
