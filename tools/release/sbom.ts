import { createHash } from 'node:crypto'
import { findDependency, type Package } from './lock.ts'

type About = {
  readonly version: string
  /** When the released commit was made, in ISO 8601. */
  readonly date: string
  /** The packages that the manifest names. */
  readonly direct: readonly string[]
}

/** The bill of materials of a release, as CycloneDX 1.6. The same packages give the same text. */
export function bomOf(packages: readonly Package[], { version, date, direct }: About): object {
  const product = `pkg:generic/switchyard@${version}`
  const ours = direct.flatMap((name) => findDependency('', name, packages) ?? [])
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([version, packages]))}`,
    version: 1,
    metadata: {
      timestamp: date,
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': product,
        name: 'switchyard',
        version,
        purl: product,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: packages.map(componentOf),
    dependencies: [
      { ref: product, dependsOn: sorted(ours.map(refOf)) },
      ...packages.map((one) => ({ ref: refOf(one), dependsOn: dependenciesOf(one, packages) })),
    ],
  }
}

function componentOf(one: Package): object {
  const [group, name] = one.name.startsWith('@') ? one.name.split('/') : [undefined, one.name]
  return {
    type: 'library',
    'bom-ref': refOf(one),
    ...(group && { group }),
    name,
    version: one.version,
    scope: one.isOptional ? 'optional' : 'required',
    purl: purlOf(one),
    ...(one.integrity && { hashes: [hashOf(one.integrity)] }),
    ...(one.license && { licenses: [licenseOf(one.license)] }),
  }
}

/** Two copies of one package differ by where they lie. */
function refOf(one: Package): string {
  return `${purlOf(one)}#${one.path}`
}

function purlOf({ name, version }: Package): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function dependenciesOf(one: Package, packages: readonly Package[]): string[] {
  const found = one.dependencies.flatMap((name) => findDependency(one.path, name, packages) ?? [])
  return sorted(found.map(refOf))
}

/** The lock file has `sha512-` and base64. */
function hashOf(integrity: string): object {
  const [algorithm = '', digest = ''] = integrity.split('-')
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  }
}

function licenseOf(text: string): object {
  return /^[A-Za-z0-9.-]+$/.test(text) ? { license: { id: text } } : { expression: text }
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

function sorted(refs: readonly string[]): string[] {
  return [...new Set(refs)].sort((a, b) => (a < b ? -1 : 1))
}
