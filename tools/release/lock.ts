import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Package = {
  /** Where it lies, such as `node_modules/pg`. */
  readonly path: string
  readonly name: string
  readonly version: string
  readonly integrity: string | undefined
  readonly license: string | undefined
  readonly isOptional: boolean
  readonly dependencies: readonly string[]
}

type Entry = {
  readonly version: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The packages that the service needs to run and that are installed here: those of other platforms are not. */
export function productionPackages(root: string): Package[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries<Entry>(packages).flatMap(([path, entry]) => {
    if (path === '' || entry.dev || entry.devOptional) return []
    if (!existsSync(join(root, path))) {
      if (entry.optional) return []
      throw new Error(`${path} is not installed. Run npm start or npm test once, then try again.`)
    }
    return [
      {
        path,
        name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
        version: entry.version,
        integrity: entry.integrity,
        license: entry.license,
        isOptional: entry.optional === true,
        dependencies: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }),
      },
    ]
  })
}

/** The packages that others depend on, as Node would find them: the nearest folder wins. */
export function findDependency(
  from: string,
  name: string,
  packages: readonly Package[],
): Package | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const found = packages.find((one) => one.path === path)
    if (found || folder === '') return found
  }
}
