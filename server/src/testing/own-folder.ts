import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { guardedFolder } from './guard.ts'
import {
  call,
  copyFolder,
  type Running,
  removeFolder,
  setUpFolder,
  startHere,
  startProcess,
} from './service-process.ts'

type Settings = Record<string, string>

export type OwnFolder = {
  /** The folder of the running test. Empty at first. */
  dataDir: string
  /** An empty folder makes it a first start. */
  readonly start: (env?: Settings) => Promise<Running>
  /** Starts in a folder that an earlier start has set up. */
  readonly startAgain: (env?: Settings) => Promise<Running>
  /** As an operator does: in a process of its own. */
  readonly startProcess: (env?: Settings) => Promise<Running>
  /** Makes the folder one that an earlier start has set up. */
  readonly setUp: () => Promise<void>
  readonly call: (service: Running, path: string, body?: object) => Promise<Response>
  readonly serverPid: () => number
}

/** Gives each test of a file a data folder. Services that were started in it end with the test. */
export function useOwnFolder(): OwnFolder {
  const running: Running[] = []
  const keep = (service: Running) => {
    running.push(service)
    return service
  }
  let master: string | undefined
  const folder: OwnFolder = {
    dataDir: '',
    start: async (env) => keep(await startHere(folder.dataDir, env)),
    startProcess: async (env) => keep(await startProcess(folder.dataDir, env)),
    startAgain: async (env) => {
      await folder.setUp()
      return folder.start(env)
    },
    setUp: async () => {
      master ??= await setUpFolder()
      copyFolder(master, folder.dataDir)
    },
    call: (service, path, body) => call(service, folder.dataDir, path, body),
    serverPid: () =>
      Number(readFileSync(join(folder.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]),
  }
  afterAll(() => {
    if (master !== undefined) removeFolder(master)
  })
  beforeEach(() => {
    folder.dataDir = guardedFolder()
  })
  afterEach(async () => {
    for (const service of running.splice(0)) await service.end('SIGTERM')
    removeFolder(folder.dataDir)
  })
  return folder
}
