import { ARCHIVE, CORRECTION, type Machine } from '../server/src/testing/model/table.ts'

/*
 * Draws a machine of `server/src/testing/model/table.ts`. Where its states stand is said here; which arrows there are follows from its
 * moves. A page shows the picture as an image, so colours are attributes, and it has a ground of its own.
 */

type Place = readonly [column: number, row: number]

export type Layout = {
  readonly places: Readonly<Record<string, Place>>
  /** States that lead to the same others are drawn together. The first row of the picture has them. */
  readonly together: readonly string[]
  /** By how much an arrow keeps away from the straight line, where that would lead through another state. */
  readonly bends: Readonly<Record<string, number>>
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
type Point = readonly [x: number, y: number]

const WIDTH = 136
const HEIGHT = 46
const GAP_X = 30
const GAP_Y = 50
const MARGIN = 26
const PAD = 10
/** How far two arrows that lead there and back are apart. */
const PAIR = 16

const COLOURS = {
  moves: { fill: '#fbf0da', line: '#86520a' },
  rests: { fill: '#e0f4e8', line: '#0c6b3a' },
  ends: { fill: '#eceff0', line: '#55635f' },
} as const
const INK = '#17211f'
const ARROW = '#55635f'

export function draw({ name, states, moves }: Machine, { places, together, bends }: Layout): string {
  const boxes = new Map(Object.entries(places).map(([state, place]) => [state, boxAt(place)]))
  const group = around(together.map((state) => boxOf(boxes, state)))
  const arrows = new Set<string>()
  for (const { from, to, by } of moves) {
    if (to === null || from === to || by === CORRECTION || by === ARCHIVE) continue
    if (from === null) arrows.add(`${START} ${to}`)
    else arrows.add(isOfAll(together, from, to, moves) ? `${GROUP} ${to}` : `${from} ${to}`)
  }
  const lines = [...arrows].map((arrow) => {
    const [from = '', to = ''] = splitArrow(arrow)
    const target = boxOf(boxes, to)
    if (from === START) return startOf(target)
    const bend = bends[arrow] ?? (arrows.has(`${to} ${from}`) ? PAIR : 0)
    return arrowFrom(from === GROUP && group ? group : boxOf(boxes, from), target, bend)
  })
  const all = around([...boxes.values()])
  const [width, height] = all ? [all.x + all.width + MARGIN, all.y + all.height + MARGIN] : [0, 0]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The states of ${withArticle(name)} and the moves between them">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">' +
      `<path d="M0 0L8 4L0 8z" fill="${ARROW}"/></marker></defs>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...(group && together.length > 0
      ? [
          `<rect x="${group.x}" y="${group.y}" width="${group.width}" height="${group.height}" rx="12" fill="none" stroke="${ARROW}" stroke-dasharray="4 4"/>`,
        ]
      : []),
    ...lines,
    ...Object.entries(states).map(([state, { rest }]) => node(state, boxOf(boxes, state), COLOURS[rest])),
    '</svg>',
    '',
  ].join('\n')
}

export function withArticle(name: string): string {
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
}

const GROUP = '(all)'
const START = '(start)'

/** Names of states may have spaces. */
function splitArrow(arrow: string): string[] {
  for (const mark of [GROUP, START])
    if (arrow.startsWith(`${mark} `)) return [mark, arrow.slice(mark.length + 1)]
  const known = /^(answered with a secret|answered|\S+) (.*)$/.exec(arrow)
  return known ? [known[1] ?? '', known[2] ?? ''] : []
}

function isOfAll(together: readonly string[], from: string, to: string, moves: Machine['moves']): boolean {
  if (!together.includes(from) || together.includes(to)) return false
  return together.every((state) =>
    moves.some((move) => move.from === state && move.to === to && move.by !== CORRECTION),
  )
}

function boxAt([column, row]: Place): Box {
  return {
    x: MARGIN + PAD + column * (WIDTH + GAP_X),
    y: MARGIN + PAD + row * (HEIGHT + GAP_Y),
    width: WIDTH,
    height: HEIGHT,
  }
}

function boxOf(boxes: ReadonlyMap<string, Box>, state: string): Box {
  const box = boxes.get(state)
  if (!box) throw new Error(`say where ${state} stands`)
  return box
}

function around(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined
  const [x, y] = [Math.min(...boxes.map((box) => box.x)) - PAD, Math.min(...boxes.map((box) => box.y)) - PAD]
  const [right, bottom] = [
    Math.max(...boxes.map((box) => box.x + box.width)) + PAD,
    Math.max(...boxes.map((box) => box.y + box.height)) + PAD,
  ]
  return { x, y, width: right - x, height: bottom - y }
}

function middle({ x, y, width, height }: Box): Point {
  return [x + width / 2, y + height / 2]
}

/** Where the line from a point within a box to another point leaves the box. */
function edge({ x, y, width, height }: Box, [fromX, fromY]: Point, [toX, toY]: Point): Point {
  const [dx, dy] = [toX - fromX, toY - fromY]
  const shareX = dx === 0 ? Number.POSITIVE_INFINITY : ((dx > 0 ? x + width : x) - fromX) / dx
  const shareY = dy === 0 ? Number.POSITIVE_INFINITY : ((dy > 0 ? y + height : y) - fromY) / dy
  const share = Math.min(shareX, shareY)
  return [fromX + dx * share, fromY + dy * share]
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most))
}

/** From a wide box an arrow starts where its target is nearest. */
function arrowFrom(from: Box, to: Box, bend: number): string {
  const target = middle(to)
  const pad = from.width > WIDTH ? PAD : 0
  const source: Point = [
    within(target[0], from.x + pad + WIDTH / 2, from.x + from.width - pad - WIDTH / 2),
    within(target[1], from.y + pad + HEIGHT / 2, from.y + from.height - pad - HEIGHT / 2),
  ]
  const [dx, dy] = [target[0] - source[0], target[1] - source[1]]
  const length = Math.hypot(dx, dy) || 1
  const control: Point = [
    (source[0] + target[0]) / 2 - (dy / length) * bend * 2,
    (source[1] + target[1]) / 2 + (dx / length) * bend * 2,
  ]
  const [start, end] = [edge(from, source, control), edge(to, target, control)]
  return `<path d="M${at(start)}Q${at(control)} ${at(end)}" fill="none" stroke="${ARROW}" stroke-width="1.4" marker-end="url(#tip)"/>`
}

/** Where a row may begin. */
function startOf({ x, y }: Box): string {
  const [dot, tip]: Point[] = [
    [x + 10, y - 18],
    [x + 10, y],
  ]
  return (
    `<circle cx="${dot?.[0]}" cy="${dot?.[1]}" r="3.5" fill="${ARROW}"/>` +
    `<path d="M${at(dot ?? [0, 0])}L${at(tip ?? [0, 0])}" stroke="${ARROW}" stroke-width="1.4" marker-end="url(#tip)"/>`
  )
}

function at([x, y]: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`
}

/** A long name has two lines. */
function node(
  state: string,
  box: Box,
  { fill, line }: { readonly fill: string; readonly line: string },
): string {
  const [cx, cy] = middle(box)
  const cut = state.length > 15 ? Math.max(state.indexOf('_') + 1, state.indexOf(' ') + 1) : 0
  const rows = cut > 0 ? [state.slice(0, cut), state.slice(cut)] : [state]
  const text = rows.map((row, index) => {
    const y = cy + 5 + (index - (rows.length - 1) / 2) * 17
    return `<text x="${cx}" y="${y}" text-anchor="middle" font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="13" fill="${INK}">${row.trim()}</text>`
  })
  return `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="8" fill="${fill}" stroke="${line}"/>${text.join('')}`
}
