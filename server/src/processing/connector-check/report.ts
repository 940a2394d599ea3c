import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { findLeaks } from '#connectors/contract/find-leaks.ts'
import { CONTRACT_VERSION } from '#connectors/contract/version.ts'
import { maskNumbers } from '#platform/observability/mask.ts'
import type { Result } from './checks.ts'
import type { Exchange } from './record.ts'

/** One check, with all that was said for it. */
export type Ran = {
  readonly name: string
  readonly result: Result
  readonly durationMs: number
  readonly exchanges: readonly Exchange[]
}

type Told = {
  readonly connector: string
  /** Of this program. */
  readonly version: string
  readonly environment: 'sandbox of the provider' | 'stand-in'
  readonly hosts: readonly string[]
  /** The names of the fields that were entered. Their values are not in the report. */
  readonly fields: readonly string[]
  readonly startedAt: Date
  readonly ran: readonly Ran[]
}

/** What was run, and what came of it, for people who do not know the account. */
export function reportOf({ ran, startedAt, version, ...told }: Told, secrets: readonly string[]): string {
  const count = (status: Result['status']) => ran.filter(({ result }) => result.status === status).length
  const report = {
    ...told,
    versions: { switchyard: version, contract: CONTRACT_VERSION, node: process.version },
    started_at: startedAt.toISOString(),
    duration_ms: ran.reduce((sum, { durationMs }) => sum + durationMs, 0),
    summary: { ok: count('ok'), skipped: count('skipped'), failed: count('failed') },
    checks: ran.map(({ name, result, durationMs, exchanges }) => ({
      name,
      status: result.status,
      // A provider may repeat in words what it was sent.
      text: masked(result.text, secrets),
      ...(result.remedy !== undefined && { remedy: result.remedy }),
      duration_ms: durationMs,
      exchanges,
    })),
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

function masked(text: string, secrets: readonly string[]): string {
  return maskNumbers(secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text))
}

export type ReportFile = {
  readonly write: (report: string) => void
  readonly discard: () => void
}

/** Opens the file before anything is sent: a run of minutes must not end with a wrong path. */
export function openReport(path: string, secrets: readonly string[]): ReportFile {
  const file = open(path)
  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  const discard = () => {
    close()
    rmSync(path, { force: true })
  }
  return {
    discard,
    write: (report) => {
      if (findLeaks(report, secrets).length > 0) {
        throw new Error(
          'The report is not written: it would show a value of your fields. Please tell us the connector and its checks, without the report.',
        )
      }
      writeSync(file, report)
      close()
    },
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it is there already',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'nothing can be written there',
}

function open(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Error(
      `${path} cannot be written: ${REASONS[code] ?? message}. Nothing was sent. Name another file with --report.`,
    )
  }
}
