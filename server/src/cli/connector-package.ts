import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTRACT_VERSION } from '#connectors/contract/version.ts'

const KIT = '@switchyard/connector-kit'

type Manifest = {
  readonly version: string
  readonly devDependencies: Readonly<Record<string, string>>
  readonly overrides: Readonly<Record<string, string>>
}

/** The kit for authors, where `npm run connector-kit` writes it. */
export function kitArchive(checkout: string): string {
  const { version } = read(join(checkout, 'connector-kit/package.json'))
  return join(checkout, `connector-kit/switchyard-connector-kit-${version}.tgz`)
}

/** As in `acmePayCard`. */
export function constantOf(name: string): string {
  return name.replaceAll(/-([a-z0-9])/g, (_dash, letter: string) => letter.toUpperCase())
}

/** The files of a connector as a package of its own. Its code imports the kit in place of the checkout's contract. */
export function packageFiles(
  checkout: string,
  name: string,
  code: ReadonlyMap<string, string>,
): Map<string, string> {
  const { devDependencies, overrides } = read(join(checkout, 'package.json'))
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
