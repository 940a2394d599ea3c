import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Encoding } from '#platform/http/compress.ts'
import type { BuiltFile, Manifest } from './manifest.ts'

const DIST = join(dirname(fileURLToPath(import.meta.url)), '../../../web/dist')

/** A file as it is sent, in every encoding there is of it. */
export type Content = BuiltFile & { readonly bodies: Readonly<Partial<Record<Encoding, Buffer>>> }

export type BuiltPages = {
  readonly manifest: Manifest
  readonly files: ReadonlyMap<string, Content>
  readonly pages: ReadonlyMap<string, Content>
}

let own: BuiltPages | undefined

/** Our own pages, read once by a process: a request can only select a name from these lists. */
export function ownBuiltPages(): BuiltPages {
  own ??= readBuiltPages()
  return own
}

/** Reads them as they are now. */
export function readBuiltPages(folder = DIST): BuiltPages {
  const manifest = readManifest(folder)
  const read = (files: Readonly<Record<string, BuiltFile>>) =>
    new Map(
      Object.entries(files).map(([name, file]): [string, Content] => [
        name,
        { ...file, bodies: bodiesOf(join(folder, name), file) },
      ]),
    )
  return { manifest, files: read(manifest.files), pages: read(manifest.pages) }
}

function readManifest(folder: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  } catch (cause) {
    throw new Error('The pages are not built. Run: node tools/setup.mjs', { cause })
  }
}

function bodiesOf(path: string, { isCompressed }: BuiltFile): Content['bodies'] {
  const identity = readFileSync(path)
  if (!isCompressed) return { identity }
  return { identity, br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) }
}
