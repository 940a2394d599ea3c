import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { errorsOf, type Operation, type OperationErrors } from '../http/operation.ts'
import { slug } from './html.ts'
import { plainText } from './markdown.ts'
import type { OpenApiDocument, OperationObject, Tag, TagGroup } from './openapi.ts'
import type { Aside } from './schema.ts'

/** A document of the project, served beside the reference. */
export type Guide = {
  /** Its path in the checkout: `docs/guide/transactions.md`. */
  readonly file: string
  /** `/docs/guide/transactions` */
  readonly href: string
  readonly title: string
  readonly markdown: string
}

type GuideGroup = { readonly name: string; readonly guides: readonly Guide[] }

/** All documents of a checkout: those in `docs/`, and its README. None where the folder was left out. */
function readGuides(root: string): Guide[] {
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
function groupGuides(guides: readonly Guide[], first: readonly string[]): GuideGroup[] {
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

const PICTURE = /^docs[/]images[/][\w-]+[.](?:webp|svg)$/

/** The pictures of the documents, by their address: `/docs/images/pay.webp`. */
export function readPictures(root: string): Map<string, Buffer> {
  const files = globSync('docs/images/*.{webp,svg}', { cwd: root }).map((file) => file.replaceAll('\\', '/'))
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

export type Listed = {
  readonly verb: string
  readonly path: string
  readonly operation: OperationObject
}

/** A tag with its operations. */
export type Part = Tag & { readonly id: string; readonly operations: readonly Listed[] }

/** A resource: its page lists the operations of its parts, each of which has a page of its own. */
export type ResourcePage = {
  readonly name: string
  readonly href: string
  readonly parts: readonly Part[]
}

type ResourceGroup = { readonly name: string; readonly pages: readonly ResourcePage[] }

/** Everything that the reference shows, and where it is. */
export type Site = {
  readonly document: OpenApiDocument
  readonly groups: readonly ResourceGroup[]
  readonly guides: readonly Guide[]
  readonly guideGroups: readonly GuideGroup[]
  /** By the id of the operation. */
  readonly errors: ReadonlyMap<string, OperationErrors>
  readonly asides: ReadonlyMap<string, Aside>
}

export type SiteFacts = {
  /** The checkout, whose documents are served. */
  readonly root?: string
  readonly tagGroups?: readonly TagGroup[]
  /** The guides to read first, as paths below `docs/` without their ending. */
  readonly firstGuides?: readonly string[]
  /** By the name of the object. */
  readonly asides?: ReadonlyMap<string, Aside>
}

export function planSite(
  document: OpenApiDocument,
  operations: readonly Operation[],
  { root, tagGroups = [], firstGuides = [], asides = new Map() }: SiteFacts,
): Site {
  const guides = root === undefined ? [] : readGuides(root)
  return {
    document,
    groups: resourceGroups(document, tagGroups),
    guides,
    guideGroups: groupGuides(guides, firstGuides),
    errors: new Map(operations.map((operation) => [operation.id, errorsOf(operation)])),
    asides,
  }
}

/** The tags of a page have its name, alone or before a colon. */
function resourceGroups(document: OpenApiDocument, tagGroups: readonly TagGroup[]): ResourceGroup[] {
  const tags = new Map(tagGroups.flatMap((group) => group.tags.map((tag) => [tag.name, tag])))
  return document['x-tagGroups'].map((group) => ({
    name: group.name,
    pages: [...new Set(group.tags.map(pageName))].map((name) => ({
      name,
      href: `/docs/api/${slug(name)}`,
      parts: group.tags
        .filter((tag) => pageName(tag) === name)
        .map((tag) => ({
          ...(tags.get(tag) ?? { name: tag }),
          id: `tag-${slug(tag)}`,
          operations: operationsOf(document, tag),
        })),
    })),
  }))
}

function pageName(tag: string): string {
  return tag.split(': ')[0] ?? tag
}

function operationsOf({ paths }: OpenApiDocument, tag: string): Listed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags.includes(tag))
      // Readers make one before they list them.
      .sort(([a], [b]) => Number(b === 'post') - Number(a === 'post'))
      .map(([verb, operation]) => ({ verb, path, operation })),
  )
}
