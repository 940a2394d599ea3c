import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { slug } from './html.ts'
import { plainText } from './markdown.ts'
import type { OpenApiDocument, OperationObject, Tag, TagGroup } from './openapi.ts'
import type { Schema } from './openapi-schemas.ts'

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

export type Listed = {
  readonly verb: string
  readonly path: string
  readonly operation: OperationObject
}

/** A tag with its operations. */
export type Part = Tag & { readonly id: string; readonly operations: readonly Listed[] }

/** A page of the reference: a resource, its parts, and the objects that no earlier page has. */
export type ResourcePage = {
  readonly name: string
  readonly href: string
  readonly parts: readonly Part[]
  readonly objects: readonly string[]
}

type ResourceGroup = { readonly name: string; readonly pages: readonly ResourcePage[] }

/** Everything that the reference shows, and where it is. */
export type Site = {
  readonly document: OpenApiDocument
  readonly groups: readonly ResourceGroup[]
  readonly guides: readonly Guide[]
  readonly guideGroups: readonly GuideGroup[]
  readonly operationHrefs: ReadonlyMap<string, string>
  readonly objectHrefs: ReadonlyMap<string, string>
}

/** How a page links to parts of the reference: to other pages or, if all is on one page, within it. */
export type Links = {
  readonly operation: (id: string) => string
  readonly object: (name: string) => string
  readonly error: (status: string) => string
}

export type SiteFacts = {
  /** The checkout, whose documents are served. */
  readonly root?: string
  readonly tagGroups?: readonly TagGroup[]
  /** The guides to read first, as paths below `docs/` without their ending. */
  readonly firstGuides?: readonly string[]
}

export function planSite(document: OpenApiDocument, facts: SiteFacts): Site {
  const groups = resourceGroups(document, facts.tagGroups ?? [])
  const pages = groups.flatMap((group) => group.pages)
  const guides = facts.root === undefined ? [] : readGuides(facts.root)
  return {
    document,
    groups,
    guides,
    guideGroups: groupGuides(guides, facts.firstGuides ?? []),
    operationHrefs: new Map(
      pages.flatMap(({ href, parts }) =>
        parts.flatMap(({ operations }) =>
          operations.map(({ operation: { operationId } }) => [operationId, `${href}#${operationId}`]),
        ),
      ),
    ),
    objectHrefs: new Map(
      pages.flatMap(({ href, objects }) => objects.map((name) => [name, `${href}#schema-${name}`])),
    ),
  }
}

export function linksAcross({ operationHrefs, objectHrefs }: Site): Links {
  return {
    operation: (id) => operationHrefs.get(id) ?? '/docs',
    object: (name) => objectHrefs.get(name) ?? '/docs',
    error: (status) => `/docs#error-${status}`,
  }
}

export const LINKS_WITHIN: Links = {
  operation: (id) => `#${id}`,
  object: (name) => `#schema-${name}`,
  error: (status) => `#error-${status}`,
}

/** The tags of a page have its name, alone or before a colon. Each object is on the first page that needs it. */
function resourceGroups(document: OpenApiDocument, tagGroups: readonly TagGroup[]): ResourceGroup[] {
  const tags = new Map(tagGroups.flatMap((group) => group.tags.map((tag) => [tag.name, tag])))
  const placed = new Set<string>()
  const groups = document['x-tagGroups'].map((group) => {
    const names = [...new Set(group.tags.map(pageName))]
    const pages = names.map((name): ResourcePage => {
      const parts = group.tags
        .filter((tag) => pageName(tag) === name)
        .map((tag) => ({
          ...(tags.get(tag) ?? { name: tag }),
          id: `tag-${slug(tag)}`,
          operations: operationsOf(document, tag),
        }))
      const reached = parts.flatMap(({ operations }) => operations.map(({ operation }) => operation))
      return { name, href: `/docs/api/${slug(name)}`, parts, objects: takeNew(document, reached, placed) }
    })
    return { name: group.name, pages }
  })
  const others = Object.keys(document.components.schemas).filter((name) => !placed.has(name))
  const rest = { name: 'Other objects', href: '/docs/api/other-objects', parts: [], objects: others }
  return groups.map((group, index) =>
    index === groups.length - 1 ? { ...group, pages: [...group.pages, rest] } : group,
  )
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

/** The schemas that these values refer to, directly or through others, except those placed before. */
function takeNew({ components }: OpenApiDocument, values: readonly unknown[], placed: Set<string>): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return
    const { $ref } = value as Schema
    if (typeof $ref !== 'string') {
      for (const inner of Object.values(value)) visit(inner)
      return
    }
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    const schema = $ref.startsWith('#/components/schemas/') ? components.schemas[name] : undefined
    if (!schema || placed.has(name)) return
    placed.add(name)
    found.push(name)
    visit(schema)
  }
  for (const value of values) visit(value)
  return found.sort((a, b) => (a < b ? -1 : 1))
}
