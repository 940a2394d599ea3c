/** What the build of the pages says about its result, in `web/dist/manifest.json`. File names are addresses without the first `/`. */
export type Manifest = {
  /** Identifies the sources that were built. */
  readonly source: string
  readonly files: Readonly<Record<string, BuiltFile>>
  /** HTML pages by their place in `web/`, such as `fields/input.html`. */
  readonly pages: Readonly<Record<string, BuiltPage>>
  /** Addresses that never change, and the files they lead to. */
  readonly loaders: Readonly<Record<string, string>>
}

export type BuiltFile = {
  readonly type: string
  /** For `integrity` attributes and the policy: `sha384-…`. */
  readonly integrity: string
  /** The length as sent with gzip, or as it is if compression does not help. */
  readonly bytes: number
  /** Whether `.br` and `.gz` are beside it. */
  readonly isCompressed: boolean
  /** Why the script is there. Null: not a script. */
  readonly reason: string | null
}

export type BuiltPage = BuiltFile & {
  /** The scripts the page may run, also those it loads later. */
  readonly scripts: readonly string[]
  /** Digests of scripts inside the page. */
  readonly inline: readonly string[]
  /** Scripts by their names, for pages that need them. */
  readonly parts: Readonly<Record<string, string>>
}
