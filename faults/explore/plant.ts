import { registerHooks } from 'node:module'

/*
 * Loaded before the explorer: puts a bug into the engine on purpose, so that a test sees it found. `PLANT` names the bug. The text that
 * it replaces has to be there once, or the test fails.
 */

type Bug = {
  readonly scene: string
  readonly changes: readonly { readonly file: string; readonly from: string; readonly to: string }[]
}

export const BUGS: Readonly<Record<string, Bug>> = {
  /** Of two writes of one row in a brief transaction the database keeps one, without a word. */
  'a row is written twice': {
    scene: 'pay ∥ pay ∥ job, with one key',
    changes: [
      {
        file: 'server/src/platform/database/brief-transaction.ts',
        from: 'const groups = this.#groups()',
        to: 'const groups = this.#parts.length > 0 ? [this.#parts] : this.#groups()',
      },
      {
        file: 'server/src/payments/store/payments.ts',
        from: "  await writeOrFail(\n    tx,\n    updateReturning('transactions', { ...changes, updated_at }, asItWas),\n    () => new Overtaken(),\n  )",
        to: "  await write(tx, updateTable('transactions', { ...changes, updated_at }, isThis))\n  await write(tx, updateTable('transactions', { updated_at }, isThis))",
      },
    ],
  },
  /** Who has lost a key to another process stores an answer as if it still had it. */
  'an answer is stored twice': {
    scene: 'pay ∥ pay ∥ job, with one key',
    changes: [
      {
        file: 'server/src/platform/idempotency/idempotency.ts',
        from: '{ ...address(request), fence })\n  return writeOrFail(tx, own',
        to: '{ ...address(request) })\n  return writeOrFail(tx, own',
      },
      {
        file: 'server/src/platform/idempotency/idempotency.ts',
        from: "own.followedBy(' and status is null returning fence')",
        to: "own.followedBy(' returning fence')",
      },
    ],
  },
  /** A repeated request begins again what a process that died had begun. */
  'a payment begins again': {
    scene: 'pay ∥ pay ∥ job, with one key',
    changes: [
      {
        file: 'server/src/payments/pay.ts',
        from: '  if (once.begun) return',
        to: '  if (once.begun && once.begun.length === 0) return',
      },
    ],
  },
  /** The books agree, and all is answered: the model alone knows that a payment that has failed cannot be paid any more. */
  'an approval revives a payment that has expired': {
    scene: 'approval ∥ expiry',
    changes: [
      {
        file: 'server/src/payments/acts/approve.ts',
        from: 'if (!locked || !isSameStage(locked, waiting)) return undefined\n  // Our',
        to: 'if (!locked) return undefined\n  // Our',
      },
    ],
  },
}

const bug = BUGS[process.env['PLANT'] ?? '']

if (bug) {
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context)
      const changes = bug.changes.filter(({ file }) => url.endsWith(file))
      if (changes.length === 0) return loaded
      let source = String(loaded.source)
      for (const { file, from, to } of changes) {
        if (source.split(from).length !== 2) throw new Error(`${file} has changed: the bug cannot be planted`)
        source = source.replace(from, () => to)
      }
      return { ...loaded, source }
    },
  })
}
