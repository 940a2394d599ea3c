import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError, isRootInProduction, ROOT_WARNING, readConfig } from '../config.ts'
import { defineCommand } from './command.ts'
import { checkDatabase, type Examined } from './doctor-database.ts'
import {
  attempt,
  checkBinaries,
  checkFolder,
  checkKeyFile,
  checkNode,
  checkPackages,
  checkPort,
  checkProvider,
  checkReportFolder,
  checkSecret,
  checkVaultKey,
  type Finding,
  note,
  ok,
  problem,
} from './doctor-machine.ts'
import type { Terminal } from './terminal.ts'

export const command = defineCommand({
  name: 'doctor',
  about: 'Checks this installation, and says what is wrong and how to fix it. It changes nothing.',
  options: {
    json: { type: 'boolean', about: 'Print one JSON document, for programs.' },
  },
  example: 'switchyard doctor',
  run: async (terminal, { json }) => {
    const findings = await examine(terminal)
    if (json) terminal.print(documentOf(findings))
    else for (const finding of findings) terminal.print(lineOf(finding))
    const problems = findings.filter(({ status }) => status === 'problem').length
    if (problems > 0)
      throw new Error(problems === 1 ? 'There is 1 problem.' : `There are ${problems} problems.`)
  },
})

async function examine(terminal: Terminal): Promise<Finding[]> {
  const node = checkNode()
  let config: Config
  try {
    config = readConfig(terminal.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // Without a configuration nothing else can be checked.
    return [node, ...error.message.split('\n').map((text) => problem('configuration', text))]
  }
  const { environment, dataDir, databaseUrl, oidc } = config
  const { finding: connectors, packages } = await checkPackages(config)
  const isEmbedded = databaseUrl === null
  const hasFiles = isEmbedded && hasEntry(join(dataDir, 'postgres'))
  return [
    node,
    ok('configuration', `valid, ${environment}`),
    ...(isRootInProduction(config) ? [note('user', ROOT_WARNING)] : []),
    connectors,
    await attempt('data folder', () => checkFolder(config)),
    await attempt('report files', () => checkReportFolder(config)),
    await attempt('secret', () => checkSecret(config, hasFiles)),
    await attempt('vault key', () => checkVaultKey(config, hasFiles)),
    ...(isEmbedded ? [await attempt('database program', () => checkBinaries())] : []),
    ...(isEmbedded
      ? await examineEmbedded(terminal, { ...config, packages }, hasFiles)
      : await checkDatabase(terminal, { ...config, packages })),
    await attempt('port', () => checkPort(config)),
    ...(oidc ? [await attempt('sign-in provider', () => checkProvider(config, oidc))] : []),
  ]
}

/** Opens the database only if it exists: opening would create it. */
async function examineEmbedded(terminal: Terminal, config: Examined, hasFiles: boolean): Promise<Finding[]> {
  const folder = join(config.dataDir, 'postgres')
  if (existsSync(join(folder, 'PG_VERSION'))) return checkDatabase(terminal, config)
  const remedy = 'Run as the user who started the service, or restore a backup.'
  return [
    hasFiles
      ? problem('database', `${folder} holds no database that this user can read`, remedy)
      : note('database', 'not created yet; npm start creates it'),
    await attempt('admin key', () => checkKeyFile(config, null)),
  ]
}

/** Also true for a broken link. */
function hasEntry(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function lineOf({ status, name, text, remedy }: Finding): string {
  const words = remedy === undefined ? text : `${text}. ${remedy}`
  return `${status.padEnd(7)}  ${name.padEnd(16)}  ${words.replaceAll(/\s*\n\s*/g, '; ')}`
}

/** Programs may rely on these fields. `text` and `remedy` are for people, and change. */
function documentOf(findings: readonly Finding[]): string {
  const count = (wanted: Finding['status']) => findings.filter(({ status }) => status === wanted).length
  const checks = findings.map(({ status, name, text, remedy = null }) => ({ name, status, text, remedy }))
  const status = count('problem') > 0 ? 'problem' : 'ok'
  return JSON.stringify({ status, problems: count('problem'), notes: count('note'), checks }, null, 2)
}
