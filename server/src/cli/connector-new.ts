import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineCommand, UsageError } from './command.ts'
import { constantOf, kitArchive, packageFiles } from './connector-package.ts'
import type { Terminal } from './terminal.ts'

const CHECKOUT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')
/** The guide's example is the template. A test keeps its suite green. */
const GUIDE = join(CHECKOUT, 'docs/guide/write-a-connector.md')
const FILES = ['connector.ts', 'connector.test.ts']
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*-card$/
const NAME_MAX = 50

export const command = defineCommand({
  name: 'connector new',
  about: 'Makes the folder of a new connector for cards, with a made-up provider and a suite that is green.',
  options: {
    package: {
      type: 'boolean',
      about: 'Make a package of its own, for a connector that is not part of this checkout.',
    },
    in: {
      type: 'string',
      value: 'FOLDER',
      about:
        'Where to make it. Default connectors/ of this checkout; of a package, the folder that you are in.',
    },
  },
  parameters: ['NAME'],
  example: 'switchyard connector new acme-card',
  run: async ({ say }, options, [name = '']) => {
    if (!NAME.test(name) || name.length > NAME_MAX) {
      throw new UsageError(
        `NAME must be the provider and "-card", such as acme-card: small letters, digits and dashes, at most ${NAME_MAX}.`,
      )
    }
    if (options.package) return makePackage(say, resolve(options.in ?? '.'), name)
    const parent = resolve(options.in ?? join(CHECKOUT, 'connectors'))
    if (!existsSync(join(parent, 'contract'))) {
      throw new Error(
        `${parent} has no contract/. Name the connectors folder of a checkout with --in, or make a package (--package).`,
      )
    }
    const folder = join(parent, name)
    makeFolder(folder, filesOf(name))
    say(`${folder} is made. Next: npx vitest run connectors/${name}, then ${GUIDE}`)
  },
})

function makePackage(say: Terminal['say'], parent: string, name: string): void {
  if (!existsSync(join(CHECKOUT, 'connector-kit')))
    throw new Error('Packages are made in a checkout of Switchyard: a release holds no kit for authors.')
  const folder = join(parent, name)
  makeFolder(folder, packageFiles(CHECKOUT, name, filesOf(name)))
  say(
    [
      `${folder} is made. Next:`,
      `  cd ${folder}`,
      `  npm install --save-dev ${kitArchive(CHECKOUT)}`,
      '  npm test',
      `If the kit is missing, run "npm run connector-kit" in ${CHECKOUT}. Then read ${GUIDE}`,
    ].join('\n'),
  )
}

/** Makes all files, or none. */
function makeFolder(folder: string, files: ReadonlyMap<string, string>): void {
  if (existsSync(folder)) throw new Error(`${folder} is there already. Choose another name, or remove it.`)
  const building = `${folder}.new-${process.pid}`
  try {
    for (const [name, text] of files) {
      mkdirSync(dirname(join(building, name)), { recursive: true })
      writeFileSync(join(building, name), text)
    }
    renameSync(building, folder)
  } catch (cause) {
    rmSync(building, { recursive: true, force: true })
    throw new Error(`${folder} cannot be written to. Check who owns the folder above it.`, { cause })
  }
}

function filesOf(name: string): Map<string, string> {
  const blocks = [...readFileSync(GUIDE, 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
  return new Map(
    FILES.map((file) => {
      const heading = `// connectors/example-card/${file}\n`
      const code = blocks.find((text) => text.startsWith(heading))
      if (code === undefined) throw new Error(`${GUIDE} has no ${file}.`)
      return [file, rename(code.slice(heading.length), name)]
    }),
  )
}

function rename(code: string, name: string): string {
  const provider = name.replace(/-card$/, '')
  const words = provider.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return code
    .replaceAll('example-card', name)
    .replaceAll('exampleCard', constantOf(name))
    .replaceAll('openExamplePay', `open${words.join('')}`)
    .replaceAll('Example Pay', words.join(' '))
    .replaceAll('example-pay', provider)
    .replaceAll('x-example-signature', `x-${provider}-signature`)
}
