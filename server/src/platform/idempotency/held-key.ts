import { afterCommit, type Context, type Tx } from '../database/db.ts'
import * as idempotency from './idempotency.ts'
import { releaseWhenBack } from './release-when-back.ts'

type Services = Parameters<typeof idempotency.claim>[0]
type Claim = { readonly fence: number; readonly begun: string | null }
type Handle = Pick<Context<Tx>, 'db' | 'committed'>
type Answer = { readonly status: number; readonly body: string; readonly lastingBody: string }

/** The key of one request, from its claim to its answer. Without a claim, the first transaction that writes to it claims it. */
export class HeldKey {
  readonly request: idempotency.KeyedRequest
  readonly fence: number
  readonly begun: string | null
  readonly #services: Services
  /** The transaction that writes the row first. It may fail, and be repeated as another one. */
  #writtenIn: Tx | null = null
  #isStored: boolean
  #hasBegun: boolean

  constructor(services: Services, request: idempotency.KeyedRequest, claim: Claim | null) {
    this.#services = services
    this.request = request
    this.fence = claim?.fence ?? idempotency.newFence()
    this.begun = claim?.begun ?? null
    this.#isStored = claim !== null
    this.#hasBegun = this.begun !== null
  }

  /** The row is committed. */
  get isStored(): boolean {
    return this.#isStored
  }

  /** The row may be committed: if the connection broke, we do not know. */
  get mayBeStored(): boolean {
    return this.#isStored || this.#writtenIn !== null
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** In a commit of its own. */
  async claim(): Promise<void> {
    if (this.#isStored) return
    const isNew = await idempotency
      .claimNew(this.#services, this.request, this.fence)
      .catch((error: unknown) => {
        if (!(error instanceof idempotency.CutClaim)) throw error
        releaseWhenBack(this.#services, this.request, this.fence)
        throw error.cause
      })
    if (!isNew) throw new idempotency.TakenKey()
    this.#isStored = true
  }

  async noteBegun(tx: Handle, begun: string): Promise<void> {
    await idempotency.noteBegun(this.#services, tx, this.request, { ...this.#ownIn(tx), begun })
    this.#hasBegun = true
  }

  storeAnswer(tx: Handle, answer: Answer): Promise<void> {
    return idempotency.storeAnswer(this.#services, tx, this.request, { ...this.#ownIn(tx), ...answer })
  }

  #ownIn(tx: Handle): idempotency.Own {
    const { fence } = this
    if (this.#isStored || this.#writtenIn === tx.db) return { fence, isNew: false }
    this.#writtenIn = tx.db
    afterCommit(tx, () => {
      this.#isStored = true
      idempotency.beginWork(this.#services, this.request)
    })
    return { fence, isNew: true }
  }

  /** The request has ended in this process, in whatever way. */
  end(): void {
    if (this.#isStored) idempotency.endWork(this.#services, this.request)
  }
}
