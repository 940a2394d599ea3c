import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from '../../lab/processes.ts'

type Values = Readonly<Record<string, string | number>>

/** Fills in a file of `deploy/high-availability`, as `envsubst` does for operators: the trial tries what they run. */
export function fillIn(
  name: 'etcd.yaml' | 'patroni.yaml' | 'haproxy.cfg',
  folder: string,
  values: Values,
): string {
  const template = readFileSync(join(CHECKOUT, 'deploy/high-availability', name), 'utf8')
  const text = template.replaceAll(/\$\{([A-Z0-9_]+)\}/g, (_, key: string) => {
    const value = values[key]
    if (value === undefined) throw new Error(`${name} wants a ${key}, which the trial does not give`)
    return String(value)
  })
  const file = join(folder, name)
  writeFileSync(file, text, { mode: 0o644 })
  return file
}
