import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pairsOf, readDockerfile, type Stage } from '../../tools/dockerfile.ts'

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

type Places = {
  /** Holds what the image's base would hold: a plain Debian. */
  readonly base: string
  /** Takes the place of the stage that packs the archive. */
  readonly archive: string
  /** Where roots are made. */
  readonly folder: string
}

/** Does what the stages of the Dockerfile say, in roots instead of layers. */
export function buildImage(dockerfile: string, { base, archive, folder }: Places): Image {
  const [, ...stages] = readDockerfile(readFileSync(dockerfile, 'utf8'))
  const roots = new Map<string, string>()
  for (const stage of stages) {
    const root = join(folder, stage.name ?? 'image')
    mkdirSync(root)
    execFileSync('tar', ['-xf', base, '-C', root])
    build(stage, root, (name, path) => (name === 'archive' ? archive : join(roots.get(name) ?? '', path)))
    roots.set(stage.name ?? 'image', root)
  }
  return imageOf(stages.at(-1), roots.get('image') ?? '')
}

function build(stage: Stage, root: string, find: (stage: string, path: string) => string): void {
  let folder = '/'
  for (const { instruction, value } of stage.steps) {
    if (instruction === 'WORKDIR') {
      folder = value
      mkdirSync(join(root, folder), { recursive: true })
    }
    if (instruction === 'RUN')
      execFileSync('chroot', [root, '/bin/sh', '-c', `cd ${folder} && ${value}`], { stdio: 'inherit' })
    if (instruction === 'COPY') {
      const [, from = '', source = '', target = ''] = /^--from=(\w+) (\S+) (\S+)$/.exec(value) ?? []
      mkdirSync(dirname(join(root, target)), { recursive: true })
      execFileSync('cp', ['-a', '--no-target-directory', find(from, source), join(root, target)])
    }
  }
}

function imageOf(stage: Stage | undefined, root: string): Image {
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
