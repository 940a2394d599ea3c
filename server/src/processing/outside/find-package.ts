import { readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isObject } from '#connectors/contract/shapes.ts'
import { CONTRACT_VERSION, obstacleOf } from '#connectors/contract/version.ts'
import { PackageRefused } from './refused.ts'

/** A package that an operator has installed. Nothing of it has run yet. */
export type FoundPackage = { readonly name: string; readonly version: string; readonly main: string }

/** Reads what a package says about itself. */
export function findPackage(folder: string, entry: string): FoundPackage {
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
