import { prefixesOf } from '#domain/bin-prefix.ts'
import { CARD_TYPES, type CardType } from '#domain/card.ts'
import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import { isCountry } from '#domain/country.ts'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { type CsvLine, NotCsvError, readCsv } from '#platform/portable/csv.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as cardBins from './store.ts'

export const HEADER = 'bin,scheme,additional_schemes,card_type,issuer,country'
const COLUMNS = HEADER.split(',').length
const BATCH = 5_000
const PROBLEMS_KEPT = 20
const ISSUER_LENGTH_MAX = 200

export type ImportOptions = {
  /** Deletes everything that was imported before. */
  readonly isReplacing: boolean
  readonly skipsBroken: boolean
  readonly name: string
  readonly onBroken: (problem: string) => void
  readonly onProgress: (lines: number) => void
}

export type ImportResult = { readonly imported: number; readonly broken: number }

/** Some lines cannot be imported, so none was. */
export class BrokenLinesError extends Error {
  readonly problems: readonly string[]
  readonly count: number

  constructor(problems: readonly string[], count: number) {
    super(`${count === 1 ? '1 line is' : `${count} lines are`} broken, so nothing was imported.`)
    this.name = 'BrokenLinesError'
    this.problems = problems
    this.count = count
  }
}

/** All or nothing: a mix of an old and a new table would be wrong about cards for which both were right. */
export function importBins(
  context: Context,
  open: () => AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportResult> {
  return inTransaction(context, async (tx) => {
    await cardBins.lockForImport(tx)
    if (options.isReplacing) await cardBins.removeImported(tx)
    const { imported, broken, problems } = await saveLines(tx, open(), options)
    if (broken > 0 && !options.skipsBroken) throw new BrokenLinesError(problems, broken)
    // With --replace, an empty file would remove everything.
    if (imported === 0) throw new NotCsvError('There is no line to import, so nothing was changed.')
    await cardBins.refreshPlans(tx)
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', {
      type: 'card-bins',
      id: 'imported',
      name: `${options.name}: ${imported === 1 ? '1 line' : `${imported} lines`}`,
    })
    return { imported, broken }
  })
}

type Tally = { imported: number; broken: number; readonly problems: string[] }

async function saveLines(
  tx: Context<Tx>,
  chunks: AsyncIterable<Uint8Array>,
  { skipsBroken, onBroken, onProgress }: ImportOptions,
): Promise<Tally> {
  const tally: Tally = { imported: 0, broken: 0, problems: [] }
  // By prefix, because one statement cannot change a row twice. The last line about a prefix counts.
  const batch = new Map<string, cardBins.BinEntry>()
  const flush = async () => {
    await cardBins.saveImported(tx, [...batch.values()])
    batch.clear()
  }
  let hasHeader = false
  for await (const lines of readCsv(chunks)) {
    if (!hasHeader && lines[0]) {
      refuseOtherHeader(lines.shift() as CsvLine)
      hasHeader = true
    }
    for (const line of lines) {
      const read = readLine(line)
      if ('problem' in read) {
        tally.broken += 1
        const problem = `line ${line.number}: ${read.problem}`
        if (skipsBroken) onBroken(problem)
        else if (tally.problems.length < PROBLEMS_KEPT) tally.problems.push(problem)
        continue
      }
      tally.imported += 1
      // A broken file is not imported. The rest is read only to find its other mistakes.
      if (tally.broken > 0 && !skipsBroken) continue
      for (const prefix of read.prefixes) batch.set(prefix, { ...read.entry, prefix })
      if (batch.size >= BATCH) await flush()
    }
    onProgress(tally.imported + tally.broken)
  }
  if (!hasHeader) throw new NotCsvError('The file is empty.')
  await flush()
  return tally
}

function refuseOtherHeader(line: CsvLine): void {
  const found = 'fields' in line ? line.fields.map((field) => field.trim().toLowerCase()).join(',') : ''
  if (found === HEADER) return
  throw new NotCsvError(`line ${line.number}: the header must be "${HEADER}".`)
}

type Entry = Omit<cardBins.BinEntry, 'prefix'>
type Read = { readonly prefixes: readonly string[]; readonly entry: Entry } | { readonly problem: string }

function readLine(line: CsvLine): Read {
  if ('problem' in line) return line
  if (line.fields.length !== COLUMNS) {
    const count = line.fields.length === 1 ? '1 field' : `${line.fields.length} fields`
    return { problem: `it has ${count}, and needs ${COLUMNS}` }
  }
  const [bin = '', scheme = '', additional = '', cardType = '', issuer = '', country = ''] = line.fields.map(
    (field) => field.trim(),
  )
  const prefixes = readBin(bin)
  if (typeof prefixes === 'string') return { problem: `bin ${quote(bin)} ${prefixes}` }
  const entry = {
    scheme: scheme.toLowerCase(),
    additionalSchemes: additional === '' ? [] : additional.toLowerCase().split('|'),
    cardType: cardType.toLowerCase(),
    issuer,
    country: country.toUpperCase(),
  }
  const problem = problemWith(entry)
  if (problem !== undefined) return { problem }
  return {
    prefixes,
    entry: {
      scheme: (entry.scheme || null) as CardScheme | null,
      additionalSchemes:
        entry.additionalSchemes.length > 0 ? (entry.additionalSchemes as CardScheme[]) : null,
      cardType: (entry.cardType || null) as CardType | null,
      issuer: issuer || null,
      country: entry.country || null,
    },
  }
}

/** The prefixes of a BIN, or what is wrong with it. */
function readBin(bin: string): string[] | string {
  if (/^\d{6,11}$/.test(bin)) return [bin]
  const [, from, to] = /^(\d{6,11})\s*-\s*(\d{6,11})$/.exec(bin) ?? []
  if (from === undefined || to === undefined) {
    return 'is not 6 to 11 digits, or a range such as 411111-411199'
  }
  if (from.length !== to.length) return 'is a range of two numbers that differ in length'
  return from > to ? 'is a range that ends before it begins' : prefixesOf(from, to)
}

type Values = {
  readonly scheme: string
  readonly additionalSchemes: readonly string[]
  readonly cardType: string
  readonly issuer: string
  readonly country: string
}

function problemWith({ scheme, additionalSchemes, cardType, issuer, country }: Values): string | undefined {
  const unknown = [scheme, ...additionalSchemes].find((name, index) =>
    index === 0 && name === '' ? false : !Object.hasOwn(CARD_SCHEMES, name),
  )
  if (unknown !== undefined) {
    return `scheme ${quote(unknown)} is none of ${Object.keys(CARD_SCHEMES).join(', ')}`
  }
  if (new Set([scheme, ...additionalSchemes]).size <= additionalSchemes.length) {
    return 'a scheme is named twice'
  }
  if (cardType !== '' && !(CARD_TYPES as readonly string[]).includes(cardType)) {
    return `card_type ${quote(cardType)} is not ${CARD_TYPES.join(', ')} or empty`
  }
  if (issuer.length > ISSUER_LENGTH_MAX) return `issuer has more than ${ISSUER_LENGTH_MAX} characters`
  if (/\p{Cc}/u.test(issuer)) return 'issuer has control characters'
  if (country !== '' && !isCountry(country)) return `country ${quote(country)} is not an ISO 3166 code`
  return undefined
}

/** A value that is too long may be a card number in the wrong place, so it is not repeated. */
function quote(value: string): string {
  const isLong = value.length > 30 || /\d{12}/.test(value)
  return isLong ? '(too long to show)' : `"${value.replaceAll(/\p{Cc}/gu, ' ')}"`
}
