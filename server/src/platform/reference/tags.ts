/** A resource of the API, or a part of one: `Buyers: gift cards` belongs to `Buyers`. */
export type Tag = {
  readonly name: string
  readonly description?: string
  /** Pages of the guide, as paths below `docs/` without their ending. */
  readonly guides?: readonly string[]
}

export type TagGroup = { readonly name: string; readonly tags: readonly Tag[] }

/** The groups without the tags that no operation has, and with those that no group names. */
export function groupTags(groups: readonly TagGroup[], used: ReadonlySet<string>): TagGroup[] {
  const known = new Set(groups.flatMap(({ tags }) => tags.map(({ name }) => name)))
  const others = [...used].filter((name) => !known.has(name)).map((name) => ({ name }))
  return [...groups, { name: 'Others', tags: others }]
    .map(({ name, tags }) => ({ name, tags: tags.filter((tag) => used.has(tag.name)) }))
    .filter(({ tags }) => tags.length > 0)
}
