import { readFileSync } from 'node:fs'
import { errorCode } from '#platform/database/database-errors.ts'

/**
 * Settings that may lie in a file, which `NAME_FILE` names. Containers and systemd hand secrets over as files, because
 * the environment of a process is easily shown to others.
 */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'ANALYTICS_DATABASE_URL',
  'READ_DATABASE_URL',
  'SECRET_KEY',
  'VAULT_KEY',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
  'REPORTS_S3_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

type Env = Readonly<Record<string, string | undefined>>

/** The environment with what the named files hold. A file that cannot be used is a problem: no other value takes its place. */
export function withSecretFiles(env: Env, problems: string[]): Env {
  const found: Record<string, string> = {}
  for (const name of SECRET_SETTINGS) {
    const file = env[`${name}_FILE`]?.trim()
    if (!file) continue
    if (env[name]?.trim()) {
      problems.push(`Set ${name} or ${name}_FILE, not both.`)
      continue
    }
    const text = contentOf(file)
    if (typeof text === 'string') found[name] = text
    else problems.push(`${name}_FILE names ${file}, which ${text.problem}.`)
  }
  return { ...env, ...found }
}

function contentOf(file: string): string | { readonly problem: string } {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return text === '' ? { problem: 'is empty' } : text
  } catch (error) {
    return { problem: `cannot be read (${errorCode(error)})` }
  }
}
