import { urlsOf } from '#platform/database/database-hosts.ts'
import type { Config } from './config.ts'

/** Shorter ones would also hide parts of ordinary words. */
const LENGTH_MIN = 6

/** The secrets of a configuration as texts, for what may repeat them. */
export function secretsIn(config: Config): string[] {
  const { databaseUrl, analyticsDatabaseUrl, readDatabaseUrl, metricsToken, oidc, reportsS3, collector } =
    config
  const urls = [databaseUrl, analyticsDatabaseUrl, readDatabaseUrl].filter((url) => url !== null)
  const passwords = urls.flatMap(urlsOf).map((url) => URL.parse(url)?.password ?? '')
  const keys = [config.secretKey, ...(config.vaultKeys ?? [])].flatMap((key) =>
    key ? [key.toString('base64'), key.toString('hex')] : [],
  )
  return [
    ...urls,
    ...passwords,
    ...passwords.map(decoded),
    ...keys,
    metricsToken ?? '',
    oidc?.clientSecret ?? '',
    reportsS3?.secretAccessKey ?? '',
    ...Object.values(collector?.headers ?? {}),
  ].filter((text) => text.length >= LENGTH_MIN)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
