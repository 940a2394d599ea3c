// Packs what is checked out into archives, without a version or a tag: npm run archive -- [--out FOLDER] [--runtime full]
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { git } from './commits.ts'
import { filesIn, type Runtime, sizeOf, stage } from './stage.ts'

const RUNTIMES: readonly Runtime[] = ['full', 'no-database', 'no-node']

const PLATFORM = `${process.platform}-${process.arch}`
const SUFFIXES: Readonly<Record<Runtime, string>> = {
  full: `-${PLATFORM}`,
  'no-database': `-${PLATFORM}-no-database`,
  'no-node': '-no-node',
}

export type Archive = { readonly file: string; readonly packedBytes: number; readonly installedBytes: number }

if (import.meta.main) {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: 'release' }, runtime: { type: 'string', multiple: true } },
  })
  const wanted = values.runtime ?? RUNTIMES
  const unknown = wanted.find((name) => !RUNTIMES.some((runtime) => runtime === name))
  if (unknown !== undefined) {
    process.stderr.write(`There is no runtime "${unknown}". Choose --runtime ${RUNTIMES.join(', ')}.\n`)
    process.exit(1)
  }
  const runtimes = RUNTIMES.filter((runtime) => wanted.includes(runtime))
  for (const archive of makeArchives(process.cwd(), values.out, runtimes))
    process.stdout.write(describeArchive(archive))
}

/** Makes one archive for each runtime, and `SHA256SUMS` of all of them. */
export function makeArchives(root: string, out: string, runtimes: readonly Runtime[] = RUNTIMES): Archive[] {
  mkdirSync(out, { recursive: true })
  const archives = runtimes.map((runtime) => makeArchive(root, out, runtime))
  const sums = archives.map(({ file }) => `${sha256(file)}  ${basename(file)}\n`)
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
  return archives
}

export function describeArchive({ file, packedBytes, installedBytes }: Archive): string {
  return `${file}  ${megabytes(packedBytes)} packed, ${megabytes(installedBytes)} installed\n`
}

function makeArchive(root: string, out: string, runtime: Runtime): Archive {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const name = `switchyard-${version}${SUFFIXES[runtime]}`
  const work = mkdtempSync(join(tmpdir(), 'switchyard-release-'))
  try {
    const folder = join(work, `switchyard-${version}`)
    stage(root, folder, runtime)
    writeSums(folder)
    const file = join(out, `${name}.tar.gz`)
    pack(root, folder, `${file}.part`)
    renameSync(`${file}.part`, file)
    return { file, packedBytes: lstatSync(file).size, installedBytes: sizeOf(folder) }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** A check of the installed files: `sha256sum -c SHA256SUMS`. */
function writeSums(folder: string): void {
  const files = filesIn(folder).filter((file) => lstatSync(join(folder, file)).isFile())
  writeFileSync(
    join(folder, 'SHA256SUMS'),
    files.map((file) => `${sha256(join(folder, file))}  ${file}\n`).join(''),
  )
  chmodSync(folder, 0o755)
}

/** The same commit gives the same bytes: names are sorted, times are the commit's, owners are root. */
function pack(root: string, folder: string, file: string): void {
  const time = git(root, 'log', '-1', '--format=%ct')
  const steady = [
    '--sort=name',
    `--mtime=@${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=go=rX,u+w',
  ]
  const compress = ['--use-compress-program', 'gzip -n -6']
  execFileSync('tar', ['-cf', file, ...steady, ...compress, '-C', dirname(folder), basename(folder)])
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
