import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CHECKOUT } from '../../lab/processes.ts'
import { say } from '../../lab/progress.ts'
import { pairsOf, readDockerfile } from '../../tools/dockerfile.ts'

const DOCKERFILE = join(CHECKOUT, 'deploy/Dockerfile')
const NAME = 'localhost/switchyard:built'
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'

/** A root file system, and how the Dockerfile wants it to be run. */
export type Image = {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly uid: string
  readonly gid: string
  readonly folder: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
}

/** Builds the image as `docker build` does, in a storage of its own that goes with the folder. */
export function buildImage(folder: string): Image {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  const buildah = (...args: readonly string[]) =>
    execFileSync('buildah', ['--storage-driver', 'vfs', ...storage, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 1 << 28,
    }).trim()
  const bases = canReachBases(storage) ? [] : makeBases(folder, buildah)
  say('Building the image …')
  buildah('bud', '--isolation', 'chroot', ...bases, '-f', DOCKERFILE, '-t', NAME, CHECKOUT)
  return imageOf(buildah('mount', buildah('from', '--pull-never', NAME)))
}

function canReachBases(storage: readonly string[]): boolean {
  const stages = readDockerfile(readFileSync(DOCKERFILE, 'utf8'))
  return [...new Set(stages.map(({ base }) => base))].every((base) => {
    const args = ['--storage-driver', 'vfs', ...storage, 'pull', '--quiet', `docker.io/library/${base}`]
    return spawnSync('buildah', args).status === 0
  })
}

/** Where no registry answers: a plain Debian, and one with the Node of the lock file and the npm of this machine. */
function makeBases(folder: string, buildah: (...args: readonly string[]) => string): string[] {
  say('No registry answers. Making the bases with debootstrap …')
  const root = join(folder, 'debian')
  execFileSync('debootstrap', ['--variant=minbase', 'bookworm', root])
  const commit = (name: string, env: string) => {
    const container = buildah('from', 'scratch')
    buildah('add', '--quiet', container, root, '/')
    buildah('config', '--env', env, container)
    buildah('commit', '--quiet', '--rm', container, name)
    return name
  }
  const debian = commit('localhost/debian:bookworm', 'LANG=C.UTF-8')
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
  const npm = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' }).trim()
  cpSync(dirname(dirname(npm)), join(root, 'usr/local/lib/npm'), { recursive: true, dereference: true })
  execFileSync('ln', ['-s', '../lib/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm')])
  // The packages come from where this machine gets them, and it may trust an authority of its own.
  mkdirSync(dirname(join(root, AUTHORITIES)), { recursive: true })
  copyFileSync(AUTHORITIES, join(root, AUTHORITIES))
  return [
    '--build-arg',
    `DEBIAN=${debian}`,
    '--build-arg',
    `NODE=${commit('localhost/node:bookworm', `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`)}`,
  ]
}

/** The same image with the code of another archive. */
export function withArchive(image: Image, archive: string, root: string): Image {
  execFileSync('cp', ['-a', image.root, root])
  const home = join(root, 'opt/switchyard')
  execFileSync('sh', ['-c', 'rm -rf "$1" && mkdir "$1"', 'sh', home])
  execFileSync('tar', ['-xzf', archive, '-C', home, '--strip-components=1', '--no-same-owner'])
  return { ...image, root }
}

function imageOf(root: string): Image {
  const stage = readDockerfile(readFileSync(DOCKERFILE, 'utf8')).at(-1)
  const last = (instruction: string) =>
    stage?.steps.findLast((step) => step.instruction === instruction)?.value ?? ''
  const words = (text: string): string[] => JSON.parse(text.slice(text.indexOf('[')))
  const [uid = '', gid = ''] = last('USER').split(':')
  return {
    root,
    env: Object.fromEntries(pairsOf(last('ENV'))),
    uid,
    gid,
    folder: last('WORKDIR'),
    entrypoint: words(last('ENTRYPOINT')),
    command: words(last('CMD')),
    healthCheck: words(last('HEALTHCHECK')),
  }
}
