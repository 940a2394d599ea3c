import { readFileSync, realpathSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { extname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AccountUpdaterConnector } from '#connectors/contract/account-updater.ts'
import type { AntiFraudConnector } from '#connectors/contract/anti-fraud.ts'
import { type ConnectorKind, connectorProblems, KINDS } from '#connectors/contract/check-connector.ts'
import type { Connector } from '#connectors/contract/connector.ts'
import type { GiftCardConnector } from '#connectors/contract/gift-card.ts'
import type { Manifest } from '#connectors/contract/manifest.ts'
import type { NetworkTokenConnector } from '#connectors/contract/network-token.ts'
import { isObject } from '#connectors/contract/shapes.ts'
import type { ThreeDSecureConnector } from '#connectors/contract/three-d-secure.ts'
import { CONTRACT_VERSION, obstacleOf } from '#connectors/contract/version.ts'
import { PAYMENT_METHODS } from '#domain/payment-method.ts'
import type { TSchema } from '#platform/http/type.ts'
import { complaintsAbout } from '#platform/http/validation.ts'
import { guard } from '../service-accounts/registry.ts'

/** What a package offers, by kind of provider. */
export type OutsidePackage = {
  readonly name: string
  readonly version: string
  readonly connectors: readonly Connector[]
  readonly giftCards: readonly GiftCardConnector[]
  readonly antiFraud: readonly AntiFraudConnector[]
  readonly threeDSecure: readonly ThreeDSecureConnector[]
  readonly accountUpdaters: readonly AccountUpdaterConnector[]
  readonly networkTokens: readonly NetworkTokenConnector[]
}

export type Installed = { readonly folder: string; readonly entries: readonly string[] }

type Loading = {
  /** Ids that are taken, and by whom. */
  readonly taken: ReadonlyMap<string, string>
  /** Texts that no message may repeat. A package may have read our settings. */
  readonly secrets?: readonly string[]
  readonly timeoutMs?: number
}

/** A package loads in milliseconds. One that waits for something at this time would delay every start. */
const TIMEOUT_MS = 10_000

/**
 * Loads packages of connectors: what each says of itself, then its code, then the shape of what it offers. The first one
 * that is wrong ends the start. Its code runs with the rights of the service.
 */
export async function loadPackages(
  { folder, entries }: Installed,
  { taken, secrets = [], timeoutMs = TIMEOUT_MS }: Loading,
): Promise<OutsidePackage[]> {
  const packages: OutsidePackage[] = []
  const owners = new Map(taken)
  provideKit()
  for (const entry of entries) {
    const found = findPackage(folder, entry)
    const module = await importWithin(found, timeoutMs).catch((error: unknown) => {
      throw error instanceof PackageRefused
        ? error
        : new PackageRefused(found.name, whatFailed(error, secrets))
    })
    const offered = readOffer(found, module)
    for (const id of idsOf(offered)) {
      const owner = owners.get(id)
      if (owner !== undefined)
        throw new PackageRefused(found.name, `it offers ${id}, which ${owner} has already`)
      owners.set(id, `the package ${found.name}`)
    }
    packages.push(offered)
  }
  return packages
}

export function idsOf(offered: Pick<OutsidePackage, ConnectorKind>): string[] {
  return KINDS.flatMap((kind) => offered[kind].map(({ manifest }) => manifest.id))
}

async function importWithin({ name, main }: FoundPackage, timeoutMs: number): Promise<unknown> {
  const { promise: isOver, reject } = Promise.withResolvers<never>()
  const problem = `it was not loaded within ${timeoutMs / 1000} seconds. It must not wait for anything when it is imported`
  const timer = setTimeout(() => reject(new PackageRefused(name, problem)), timeoutMs)
  try {
    return await Promise.race([import(pathToFileURL(main).href), isOver])
  } finally {
    clearTimeout(timer)
  }
}

const REASON_LENGTH_MAX = 300

/** The first line of the package's own error. */
function whatFailed(error: unknown, secrets: readonly string[]): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  // From the longest: one secret may hold another.
  const hidden = secrets
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, secret) => text.replaceAll(secret, '***'), line)
  return `it failed when it was imported: ${hidden.replaceAll(/\p{Cc}/gu, ' ').slice(0, REASON_LENGTH_MAX)}`
}

function readOffer({ name, version }: FoundPackage, module: unknown): OutsidePackage {
  const exported = isObject(module) ? module : {}
  const offered = Object.fromEntries(KINDS.map((kind) => [kind, listIn(name, exported, kind)] as const))
  if (KINDS.every((kind) => offered[kind]?.length === 0)) {
    throw new PackageRefused(name, `it must export a list with connectors, named ${KINDS.join(' or ')}`)
  }
  return { name, version, ...offered } as unknown as OutsidePackage
}

function listIn(name: string, exported: Readonly<Record<string, unknown>>, kind: ConnectorKind): unknown[] {
  const list = exported[kind] ?? []
  if (!Array.isArray(list)) throw new PackageRefused(name, `its export ${kind} must be a list`)
  return list.map((given: unknown) => {
    const { connector, problem } = readOnce(kind, given)
    if (problem !== null) throw new PackageRefused(name, problem)
    deepFreeze(connector.manifest)
    return connector
  })
}

/**
 * What it offers may be anything, also an object that throws when it is read, or whose manifest differs each time. So it
 * is read once, and what was read is checked and kept.
 */
function readOnce(kind: ConnectorKind, given: unknown): { connector: Connector; problem: string | null } {
  try {
    const connector = (isObject(given) ? guard(given) : given) as Connector
    const inShape = connectorProblems(kind, connector)
    const problems = inShape.length > 0 ? inShape : problemsHere(kind, connector.manifest)
    if (problems.length === 0) return { connector, problem: null }
    const { id } = (connector as Partial<Connector> | null)?.manifest ?? {}
    return { connector, problem: (typeof id === 'string' ? `${id}: ` : '') + problems.join('; ') }
  } catch {
    return { connector: given as Connector, problem: 'it cannot be read without an error' }
  }
}

/** What only this service can know: its payment methods, and whether it can check the options. */
function problemsHere(kind: ConnectorKind, manifest: Manifest): readonly string[] {
  const { id, method, options, payoutOptions } = manifest
  const isKnown = kind !== 'connectors' || Object.hasOwn(PAYMENT_METHODS, method)
  return [
    ...(isKnown ? [] : ['manifest.method must be one of GET /payment-method-definitions']),
    ...problemsOfSchema('options', options, id),
    ...problemsOfSchema('payoutOptions', payoutOptions, id),
  ]
}

/** The API reference names each schema by its title, so titles begin with the id, which no other connector has. */
function problemsOfSchema(name: string, schema: object | undefined, id: string): readonly string[] {
  if (!schema) return []
  const prefix = id.replaceAll(/(^|[-_])([a-z0-9])/g, (_all, _dash, letter: string) => letter.toUpperCase())
  const strangers = titlesIn(schema).filter((title) => !title.startsWith(prefix))
  if (strangers.length > 0) return [`manifest.${name}: every title must begin with ${prefix}`]
  try {
    complaintsAbout('body', schema as TSchema, {})
    return []
  } catch (error) {
    return [`manifest.${name} is no schema that can be checked: ${(error as Error).message}`]
  }
}

function titlesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { title } = schema as { readonly title?: unknown }
  return [...(typeof title === 'string' ? [title] : []), ...Object.values(schema).flatMap(titlesIn)]
}

/** What was checked stays as it was. */
function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFreeze(inner)
}

const KIT = '@switchyard/connector-kit/'
/** The others lie beside it, as sources or built. */
const CONTRACT = new URL('../../../../connectors/contract/version.ts', import.meta.url)

let isProvided = false

/**
 * Gives packages our own contract when they import the kit. So all connectors have the same codes and the same classes as
 * the service, and operators install no kit.
 */
function provideKit(): void {
  if (isProvided) return
  isProvided = true
  registerHooks({
    resolve: (specifier, context, next) => {
      const name = specifier.startsWith(KIT) ? specifier.slice(KIT.length) : ''
      if (!/^[a-z-]+$/.test(name)) return next(specifier, context)
      return { url: new URL(`${name}${extname(CONTRACT.pathname)}`, CONTRACT).href, shortCircuit: true }
    },
  })
}

/** A package that an operator has installed. Nothing of it has run yet. */
type FoundPackage = { readonly name: string; readonly version: string; readonly main: string }

/** Reads what a package says about itself. */
function findPackage(folder: string, entry: string): FoundPackage {
  const isName = !entry.startsWith('./')
  const place = isName ? join(folder, 'node_modules', entry) : join(folder, entry)
  const manifest = readManifest(entry, place, folder)
  const { name, version, switchyard } = manifest
  if (typeof name !== 'string' || typeof version !== 'string')
    throw new PackageRefused(entry, 'its package.json must have a name and a version')
  if (isName && name !== entry)
    throw new PackageRefused(entry, `the package in ${place} has the name ${name}`)
  if (!isObject(switchyard))
    throw new PackageRefused(
      name,
      `its package.json must have "switchyard": {"contract": "${CONTRACT_VERSION}", "main": "./…"}. Is it a package of connectors?`,
    )
  const obstacle = obstacleOf(String(switchyard['contract']))
  if (obstacle !== null) throw new PackageRefused(name, obstacle)
  return { name, version, main: mainOf(name, place, switchyard['main']) }
}

function readManifest(entry: string, place: string, folder: string): Readonly<Record<string, unknown>> {
  let text: string
  try {
    text = readFileSync(join(place, 'package.json'), 'utf8')
  } catch {
    const remedy = entry.startsWith('./')
      ? 'Correct CONNECTORS or CONNECTORS_DIR'
      : `Run "npm install --save-exact ${entry}" in ${folder}, or correct CONNECTORS`
    throw new PackageRefused(entry, `${place} holds no package that this user can read. ${remedy}`)
  }
  try {
    const manifest: unknown = JSON.parse(text)
    if (isObject(manifest)) return manifest
  } catch {}
  throw new PackageRefused(entry, 'its package.json is no JSON object')
}

function mainOf(name: string, place: string, main: unknown): string {
  const wanted = '"switchyard.main" in its package.json must name a file of the package, such as "./index.js"'
  if (typeof main !== 'string' || !main.startsWith('./')) throw new PackageRefused(name, wanted)
  try {
    const file = realpathSync(join(place, main))
    if (file.startsWith(realpathSync(place) + sep)) return file
  } catch {}
  throw new PackageRefused(name, `${wanted}. There is no ${main}; was the package built?`)
}

/** A package of connectors that the service does not load, and what to mend. */
class PackageRefused extends Error {
  constructor(name: string, problem: string, options?: ErrorOptions) {
    super(`The package ${name} of CONNECTORS is refused: ${problem.replace(/[.]$/, '')}.`, options)
    this.name = 'PackageRefused'
  }
}
