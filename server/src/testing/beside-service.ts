import { afterAll, beforeAll } from 'vitest'
import { type Outcome, switchyard } from './command-line.ts'
import { urlOf } from './database-url.ts'
import { guardedFolder } from './guard.ts'
import { cloneDatabase } from './harness.ts'
import { type Running, removeFolder, startHere, tokenOf } from './service-process.ts'

// biome-ignore lint/suspicious/noExplicitAny: what answers hold is what is tested
type Json = any

type BesideService = {
  readonly dataDir: string
  /** What the commands run with, and where the service listens. */
  readonly place: () => { readonly env: Readonly<Record<string, string>>; readonly port: number }
  readonly run: (...args: string[]) => Promise<Outcome>
  /** Sends a request with the administrator's key, and returns the body of the answer. */
  readonly send: (route: string, body?: object, account?: string) => Promise<Json>
  readonly statusWith: (token: string) => Promise<number>
}

/** Runs commands beside a running service, as an operator does. The tests of a file share the service. */
export function useBesideService(): BesideService {
  const dataDir = guardedFolder()
  let env: Record<string, string> = {}
  let service: Running
  let token: string
  beforeAll(async () => {
    const settings = { DATABASE_URL: urlOf(await cloneDatabase()) }
    env = { DATA_DIR: dataDir, ...settings }
    service = await startHere(dataDir, settings)
    token = await tokenOf(dataDir)
  })
  afterAll(async () => {
    await service.end('SIGTERM')
    removeFolder(dataDir)
  })
  return {
    dataDir,
    place: () => ({ env, port: service.port }),
    run: (...args) => switchyard(args, env),
    send: async (route, body, account) => {
      const [method = '', path = ''] = route.split(' ')
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(account !== undefined && { 'x-service-merchant-account-id': account }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return response.json()
    },
    statusWith: async (token) => {
      const headers = { authorization: `Bearer ${token.trim()}` }
      return (await fetch(`${service.url}/api-key-pairs`, { headers })).status
    },
  }
}
