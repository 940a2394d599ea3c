import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { plainText } from './markdown.ts'

/** A document of the project, served beside the reference. */
export type Guide = {
  /** Its path in the checkout: `docs/guide/transactions.md`. */
  readonly file: string
  /** `/docs/guide/transactions` */
  readonly href: string
  readonly title: string
  readonly markdown: string
}

export type GuideGroup = { readonly name: string; readonly guides: readonly Guide[] }

/** All documents of a checkout: those in `docs/`, and its README. None where the folder was left out. */
export function readGuides(root: string): Guide[] {
  const files = globSync('docs/**/*.md', { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  const readme = existsSync(join(root, 'README.md')) ? ['README.md'] : []
  return [...files.sort(), ...readme].map((file) => {
    const markdown = readFileSync(join(root, file), 'utf8')
    const title = plainText(/^# (.+)$/m.exec(markdown)?.[1] ?? file)
    return { file, href: hrefOf(file), title, markdown }
  })
}

function hrefOf(file: string): string {
  return `/docs/${file
    .replace(/^docs\//, '')
    .replace(/[.]md$/, '')
    .toLowerCase()}`
}

/** The side list: guides in the order of `first`, then the others by name. Decisions are reached by links alone. */
export function groupGuides(guides: readonly Guide[], first: readonly string[]): GuideGroup[] {
  const rank = ({ file }: Guide) => {
    const index = first.indexOf(file.replace(/^docs\/|[.]md$/g, ''))
    return index === -1 ? first.length : index
  }
  const inFolder = (folder: string) =>
    guides.filter(({ file }) => posix.dirname(file) === folder).sort((a, b) => rank(a) - rank(b))
  return [
    { name: 'Guides', guides: inFolder('docs/guide') },
    { name: 'Connectors', guides: inFolder('docs/connectors') },
    { name: 'About', guides: [...inFolder('docs'), ...inFolder('.')] },
  ].filter(({ guides }) => guides.length > 0)
}

const PICTURE = /^docs[/]images[/][\w-]+[.]webp$/

/** The pictures of the documents, by their address: `/docs/images/pay.webp`. */
export function readPictures(root: string): Map<string, Buffer> {
  const files = globSync('docs/images/*.webp', { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  return new Map(files.map((file) => [`/${file}`, readFileSync(join(root, file))]))
}

/** Links between documents lead to their pages here; links to files that are not served lead nowhere. */
export function linkFrom(guide: Guide, guides: readonly Guide[]): (target: string) => string | undefined {
  return (target) => {
    if (/^https?:|^#/.test(target)) return target
    const [path = '', fragment] = target.split('#')
    const file = posix.join(posix.dirname(guide.file), path)
    if (PICTURE.test(file)) return `/${file}`
    const found = guides.find((other) => other.file === file)
    return found && (fragment === undefined ? found.href : `${found.href}#${fragment}`)
  }
}
