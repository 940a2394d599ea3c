import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { adminKeyFile } from '../config.ts'
import { describePrivateKey } from '../resources/api-key-pairs/keys.ts'
import { startSwitchyard } from './command-line.ts'
import { signToken } from './harness.ts'
import { tempFolder } from './temp-folder.ts'

export type KillableService = {
  readonly url: string
  readonly token: string
  /** Ends the process as a power failure would: it cannot finish anything. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
}

/** The real program on a database that outlives it. */
export async function killableService(databaseUrl: string): Promise<KillableService> {
  const folder = tempFolder()
  const privateKey = generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  // The first start takes a key that is already there.
  writeFileSync(adminKeyFile(folder), privateKey, { mode: 0o600 })
  const token = await signToken({ privateKey, publicKey: await describePrivateKey(privateKey) })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl, PORT: String(port), LOG_LEVEL: 'error' }
  let child: ReturnType<typeof startSwitchyard> | undefined
  let output = ''
  return {
    url,
    token,
    start: async () => {
      child = startSwitchyard(['serve'], env)
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
      while (child.exitCode === null && child.signalCode === null) {
        const ready = await fetch(`${url}/health/ready`).catch(() => undefined)
        await ready?.body?.cancel()
        if (ready?.ok) return
        await sleep(10)
      }
      throw new Error(`the service did not start: ${output}`)
    },
    kill: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}
