import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Secrets } from '#platform/access/secrets.ts'
import { ChangedChainError, type Head, readHead, textOf } from './head.ts'

/**
 * The head of the audit chain in a file of the data folder, outside the database. A later process reads it,
 * and notices a chain that was cut while no process ran. It carries a keyed hash, so that it cannot be forged
 * without the secret.
 */
export class HeadFile {
  readonly path: string
  readonly #secrets: Secrets

  constructor(path: string, secrets: Secrets) {
    this.path = path
    this.#secrets = secrets
  }

  read(): Head | undefined {
    let content: string
    try {
      content = readFileSync(this.path, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
    const [text = '', mac = ''] = content.split('\n')
    const head = readHead(text)
    const given = Buffer.from(mac, 'hex')
    const expected = this.#macOf(text)
    if (head === 'unreadable' || given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new ChangedChainError(`${this.path} is not what this installation wrote there`)
    }
    return head
  }

  /** Written to a new file, flushed, then renamed: half a file would look forged. */
  async write(head: Head): Promise<void> {
    const text = textOf(head)
    const draft = `${this.path}.${process.pid}`
    try {
      const handle = await open(draft, 'w', 0o600)
      try {
        await handle.writeFile(`${text}\n${this.#macOf(text).toString('hex')}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(draft, this.path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  #macOf(text: string): Buffer {
    return this.#secrets.mac('audit-head', text)
  }
}
