/**
 * QR codes as ISO/IEC 18004 has them: texts as bytes, with error correction of level M (15 %), in the sizes 1 to 10. That
 * is up to 213 bytes, more than an address of a payment link has.
 */

/** Rows of squares; true is dark. Undefined: the text is too long. */
export function qrSquares(text: string): readonly (readonly boolean[])[] | undefined {
  const bytes = new TextEncoder().encode(text)
  const size = SIZES.findIndex((one, index) => bytes.length + (index < 9 ? 2 : 3) <= dataBytes(one))
  const found = SIZES[size]
  if (!found) return undefined
  const version = size + 1
  const words = interleave(found, fill(bytes, version, dataBytes(found)))
  const drawn = MASKS.map((_mask, index) => draw(version, found, words, index))
  return drawn.reduce((best, one) => (penalty(one) < penalty(best) ? one : best))
}

type Size = {
  readonly words: number
  readonly correction: number
  readonly blocks: number
  readonly marks: readonly number[]
}

/** By version: all codewords, those that correct errors in a block, blocks, and where alignment marks stand. */
const SIZES: readonly Size[] = [
  { words: 26, correction: 10, blocks: 1, marks: [] },
  { words: 44, correction: 16, blocks: 1, marks: [6, 18] },
  { words: 70, correction: 26, blocks: 1, marks: [6, 22] },
  { words: 100, correction: 18, blocks: 2, marks: [6, 26] },
  { words: 134, correction: 24, blocks: 2, marks: [6, 30] },
  { words: 172, correction: 16, blocks: 4, marks: [6, 34] },
  { words: 196, correction: 18, blocks: 4, marks: [6, 22, 38] },
  { words: 242, correction: 22, blocks: 4, marks: [6, 24, 42] },
  { words: 292, correction: 22, blocks: 5, marks: [6, 26, 46] },
  { words: 346, correction: 26, blocks: 5, marks: [6, 28, 50] },
]

function dataBytes({ words, correction, blocks }: Size): number {
  return words - correction * blocks
}

/** The mode (bytes), the length, the text, an end, and filling. */
function fill(bytes: Uint8Array, version: number, length: number): number[] {
  const bits: number[] = []
  const push = (value: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1)
  }
  push(0b0100, 4)
  push(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) push(byte, 8)
  push(0, Math.min(4, length * 8 - bits.length))
  while (bits.length % 8 > 0) bits.push(0)
  const words = Array.from({ length: bits.length / 8 }, (_none, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0),
  )
  for (let pad = 0xec; words.length < length; pad ^= 0xec ^ 0x11) words.push(pad)
  return words
}

/** Words of several blocks take turns, so that a stain does not hit one block alone. */
function interleave(size: Size, data: readonly number[]): number[] {
  const short = Math.floor(data.length / size.blocks)
  const shortBlocks = size.blocks - (data.length % size.blocks)
  const blocks = Array.from({ length: size.blocks }, (_none, index) => {
    const begin = index * short + Math.max(0, index - shortBlocks)
    return data.slice(begin, begin + short + (index < shortBlocks ? 0 : 1))
  })
  const corrections = blocks.map((block) => correctionOf(block, size.correction))
  return [...inTurns(blocks), ...inTurns(corrections)]
}

function inTurns(lists: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_none, index) => lists.map((list) => list[index]))
    .flat()
    .filter((word) => word !== undefined)
}

/** The remainder of Reed and Solomon. */
function correctionOf(block: readonly number[], length: number): number[] {
  const divisor = divisorOf(length)
  const rest = new Array<number>(length).fill(0)
  for (const word of block) {
    const factor = word ^ (rest.shift() ?? 0)
    rest.push(0)
    for (const [index, one] of divisor.entries()) rest[index] = (rest[index] ?? 0) ^ times(one, factor)
  }
  return rest
}

/** The product of (x − 2ⁱ), without its first coefficient. */
function divisorOf(degree: number): number[] {
  const product = new Array<number>(degree).fill(0)
  product[degree - 1] = 1
  let root = 1
  for (let step = 0; step < degree; step += 1) {
    for (let index = 0; index < degree; index += 1) {
      product[index] = times(product[index] ?? 0, root) ^ (product[index + 1] ?? 0)
    }
    root = times(root, 2)
  }
  return product
}

/** Multiplication in the field of 256 elements, modulo x⁸ + x⁴ + x³ + x² + 1. */
function times(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((other >> bit) & 1) * one
  }
  return product
}

type Mask = (x: number, y: number) => boolean

const MASKS: readonly Mask[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

type Square = boolean | undefined

function draw(version: number, { marks }: Size, words: readonly number[], mask: number) {
  const side = version * 4 + 17
  const grid = Array.from({ length: side }, () => new Array<Square>(side).fill(undefined))
  drawPatterns(grid, marks)
  drawFormat(grid, mask)
  if (version >= 7) drawVersion(grid, version)
  drawWords(grid, words, MASKS[mask] ?? (() => false))
  return grid.map((row) => row.map((one) => one === true))
}

function set(grid: Square[][], x: number, y: number, isDark: boolean): void {
  const row = grid[y]
  if (row && x >= 0 && x < row.length) row[x] = isDark
}

/** What every code has: three corners, lines between them, marks, and one square that is always dark. */
function drawPatterns(grid: Square[][], marks: readonly number[]): void {
  const side = grid.length
  for (let index = 0; index < side; index += 1) {
    set(grid, 6, index, index % 2 === 0)
    set(grid, index, 6, index % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [side - 4, 3],
    [3, side - 4],
  ] as const)
    drawRings(grid, { x, y, radius: 4, light: [2, 4] })
  const last = marks.at(-1)
  for (const x of marks)
    for (const y of marks) {
      const isCorner = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6)
      if (!isCorner) drawRings(grid, { x, y, radius: 2, light: [1] })
    }
  set(grid, 8, side - 8, true)
}

type Rings = {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly light: readonly number[]
}

function drawRings(grid: Square[][], { x, y, radius, light }: Rings): void {
  for (let dy = -radius; dy <= radius; dy += 1)
    for (let dx = -radius; dx <= radius; dx += 1)
      set(grid, x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))))
}

/** The level and the mask, twice, with a code of Bose, Chaudhuri and Hocquenghem. Level M is 00. */
function drawFormat(grid: Square[][], mask: number): void {
  const side = grid.length
  const bits = ((mask << 10) | remainder(mask, 10, 0x537)) ^ 0x5412
  const bit = (index: number) => ((bits >> index) & 1) === 1
  for (let index = 0; index < 15; index += 1) {
    if (index < 6) set(grid, 8, index, bit(index))
    else if (index < 8) set(grid, 8, index + 1, bit(index))
    else if (index === 8) set(grid, 7, 8, bit(index))
    else set(grid, 14 - index, 8, bit(index))
    if (index < 8) set(grid, side - 1 - index, 8, bit(index))
    else set(grid, 8, side - 15 + index, bit(index))
  }
}

function drawVersion(grid: Square[][], version: number): void {
  const bits = (version << 12) | remainder(version, 12, 0x1f25)
  for (let index = 0; index < 18; index += 1) {
    const isDark = ((bits >> index) & 1) === 1
    const long = grid.length - 11 + (index % 3)
    const short = Math.floor(index / 3)
    set(grid, long, short, isDark)
    set(grid, short, long, isDark)
  }
}

function remainder(value: number, bits: number, divisor: number): number {
  let rest = value
  for (let step = 0; step < bits; step += 1) rest = (rest << 1) ^ ((rest >> (bits - 1)) * divisor)
  return rest
}

/** Up and down in columns of two, from the right. What is left at the end is light. */
function drawWords(grid: Square[][], words: readonly number[], mask: Mask): void {
  const side = grid.length
  let bit = 0
  for (let right = side - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    const isUp = ((right + 1) & 2) === 0
    for (let step = 0; step < side; step += 1) {
      const y = isUp ? side - 1 - step : step
      for (const x of [right, right - 1]) {
        if (grid[y]?.[x] !== undefined) continue
        const isOne = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1
        set(grid, x, y, isOne !== mask(x, y))
        bit += 1
      }
    }
  }
}

/** How hard a drawing is to read: long runs, blocks, what looks like a corner, too much of one colour. */
function penalty(grid: readonly (readonly boolean[])[]): number {
  const columns = grid.map((_row, x) => grid.map((row) => row[x] === true))
  const lines = [...grid, ...columns].map((line) => line.map(Number).join(''))
  const runs = lines
    .flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? [])
    .reduce((sum, { length }) => sum + length - 2, 0)
  const corners = lines.reduce(
    (sum, line) => sum + (line.match(/(?=10111010000|00001011101)/g)?.length ?? 0),
    0,
  )
  let blocks = 0
  for (let y = 1; y < grid.length; y += 1)
    for (let x = 1; x < grid.length; x += 1) {
      const one = grid[y]?.[x]
      if (one === grid[y]?.[x - 1] && one === grid[y - 1]?.[x] && one === grid[y - 1]?.[x - 1]) blocks += 1
    }
  const dark = grid.flat().filter(Boolean).length / grid.length ** 2
  return runs + blocks * 3 + corners * 40 + Math.floor(Math.abs(dark * 20 - 10)) * 10
}
