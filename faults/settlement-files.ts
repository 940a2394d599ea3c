import type { FileSum } from '#sandbox/simulator/settlement/sums.ts'
import type { Processor } from '../lab/processor.ts'

/** A file as the processor publishes it, read without any code of the service. */
export type PublishedFile = {
  readonly id: string
  readonly merchantId: string
  readonly currency: string
  readonly fault: string | null
  readonly lines: readonly PublishedLine[]
  readonly trailer: Sums
  /** What the books of the processor say, which know nothing of faults. */
  readonly books: Sums
}

export type PublishedLine = {
  readonly kind: string
  readonly id: string
  readonly reference: string
  readonly amount: number
  /** In the currency of the buyer. */
  readonly originalAmount: number
  /** It is about no payment, because the shop asked for that. */
  readonly isStray: boolean
}

export type Sums = { readonly count: number; readonly gross: number; readonly fees: number }

/** All files of these merchants. */
export async function readFiles(
  processor: Processor,
  merchants: readonly string[],
): Promise<PublishedFile[]> {
  const answer = await processor.ask('books/files')
  const { files } = (await answer.json()) as { files: FileSum[] }
  const own = files.filter(({ merchant_id }) => merchants.includes(merchant_id))
  return Promise.all(
    own.map(async (sum) => {
      const file = await processor.ask(`files/${sum.id}`, sum.merchant_id)
      if (!file.ok) throw new Error(`the processor did not deliver ${sum.id}: ${file.status}`)
      return toFile(sum, await file.text())
    }),
  )
}

function toFile(sum: FileSum, text: string): PublishedFile {
  const { id, merchant_id: merchantId, fault, currency, count, gross, fees } = sum
  const rows = text.split('\n').map((row) => row.split(','))
  const [, lineCount, grossSum, feeSum] = rows.find(([first]) => first === 'trailer') ?? []
  const lines = rows.filter(([first]) => first === 'line').map(toLine)
  const trailer = { count: Number(lineCount), gross: Number(grossSum), fees: Number(feeSum) }
  return { id, merchantId, currency, fault, lines, trailer, books: { count, gross, fees } }
}

function toLine(row: readonly string[]): PublishedLine {
  const [, kind = '', id = '', reference = '', ours = '', , text] = row
  const amount = Number(text)
  const originalAmount = Number(row[12] || amount)
  return { kind, id, reference, amount, originalAmount, isStray: ours.startsWith('unknown-') }
}

/** What a fault adds to the books of a file. */
export function addedByFault({ fault, lines }: PublishedFile): Sums {
  switch (fault) {
    case 'wrong_sum':
      return { count: 0, gross: 100, fees: 0 }
    case 'unknown_reference':
      return { count: 1, gross: 1_000, fees: 34 }
    case 'partial_lines':
      return { count: lines.filter(({ id }) => id.endsWith('-2')).length, gross: 0, fees: 0 }
    case 'off_by_one':
      return {
        count: 0,
        gross: -lines.filter(({ kind, amount }) => kind === 'settlement' && amount > 0).length,
        fees: 0,
      }
    default:
      return { count: 0, gross: 0, fees: 0 }
  }
}
