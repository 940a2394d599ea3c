import type { Sleep } from '../faults.ts'

export type WalletDesk = {
  readonly sleep: Sleep
  readonly clock: () => Date
  readonly mac: (input: string) => Buffer
}
