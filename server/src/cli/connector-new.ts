import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONTRACT_VERSION } from '#connectors/contract/version.ts'
import { defineCommand, UsageError } from './command.ts'
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

const KIT = '@switchyard/connector-kit'

type Manifest = {
  readonly version: string
  readonly engines: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly overrides: Readonly<Record<string, string>>
}

/** The kit for authors, where `npm run connector-kit` writes it. */
function kitArchive(checkout: string): string {
  const { version } = read(join(checkout, 'connector-kit/package.json'))
  return join(checkout, `connector-kit/switchyard-connector-kit-${version}.tgz`)
}

/** As in `acmePayCard`. */
function constantOf(name: string): string {
  return name.replaceAll(/-([a-z0-9])/g, (_dash, letter: string) => letter.toUpperCase())
}

/** The files of a connector as a package of its own. Its code imports the kit in place of the checkout's contract. */
function packageFiles(
  checkout: string,
  name: string,
  code: ReadonlyMap<string, string>,
): Map<string, string> {
  const { devDependencies, overrides } = read(join(checkout, 'package.json'))
  // The service and the kit need the same Node.
  const { engines } = read(join(checkout, 'connector-kit/package.json'))
  const version = (tool: string) => [tool, devDependencies[tool] ?? '*'] as const
  const constant = constantOf(name)
  const sources = [...code].map(
    ([file, text]) =>
      [`src/${file}`, text.replaceAll(/'[.][.]\/contract\/([a-z-]+)[.]ts'/g, `'${KIT}/$1'`)] as const,
  )
  return new Map([
    ...sources,
    [
      'src/index.ts',
      `import { ${constant} } from './connector.ts'\n\n/** What this package offers. */\nexport const connectors = [${constant}]\n`,
    ],
    [
      'package.json',
      json({
        name: `switchyard-${name}`,
        version: '0.1.0',
        description: `Connector of Switchyard: ${name}`,
        type: 'module',
        engines,
        switchyard: { contract: CONTRACT_VERSION, main: './dist/index.js' },
        files: ['dist', '!dist/*.test.*'],
        scripts: { build: 'tsc', test: 'tsc --noEmit && vitest run src', prepack: 'npm run build' },
        // The service brings the kit, so operators do not install it.
        peerDependencies: { [KIT]: `^${CONTRACT_VERSION}.0` },
        peerDependenciesMeta: { [KIT]: { optional: true } },
        devDependencies: Object.fromEntries(['@types/node', 'typescript', 'vitest'].map(version)),
        // Of what those tools need, the versions that work on every platform.
        overrides,
      }),
    ],
    [
      'tsconfig.json',
      json({
        compilerOptions: {
          target: 'es2024',
          module: 'nodenext',
          types: ['node'],
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          erasableSyntaxOnly: true,
          verbatimModuleSyntax: true,
          rewriteRelativeImportExtensions: true,
          skipLibCheck: true,
          rootDir: 'src',
          outDir: 'dist',
          declaration: true,
        },
        include: ['src'],
      }),
    ],
    ['.gitignore', 'dist/\nnode_modules/\n*.tgz\n'],
  ])
}

function read(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
