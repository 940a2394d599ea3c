import { readFileSync } from 'node:fs'

/** The section of one program on a page. The text begins with its heading. */
export type Section = { readonly name: string; readonly text: string }

const MARK = /^<!-- section: (.*) -->$/m

/** The sections of a page after replacing or adding this one, in the given order of names. */
export function putSection(page: string, section: Section, order: readonly string[]): Section[] {
  const others = readSections(page).filter(({ name }) => name !== section.name)
  const rankOf = ({ name }: Section) => order.indexOf(name.split(' ')[0] ?? '')
  return [...others, section]
    .filter((one) => rankOf(one) !== -1)
    .toSorted((one, other) => rankOf(one) - rankOf(other) || (one.name < other.name ? -1 : 1))
}

export function readPage(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

export function writeSection({ name, text }: Section): string {
  return `<!-- section: ${name} -->\n\n${text}`
}

function readSections(page: string): Section[] {
  const [, ...parts] = page.split(new RegExp(MARK, 'gm'))
  return parts.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, text: (parts[index + 1] ?? '').trim() }] : [],
  )
}
